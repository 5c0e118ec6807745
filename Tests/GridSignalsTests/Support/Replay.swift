import EnergyModel
import EnergyTestSupport
import Foundation
import GridSignals
import HTTPFetcher
import Testing

/// One fetch of a source through a real client from a real server.
enum Replay {
    static func instant(_ text: String) throws -> Timestamp { try FileProviderTests.time(text) }

    static func interval(_ start: String, _ end: String) throws -> Interval {
        try FileProviderTests.interval(start, end)
    }

    static func fetch(
        _ source: any GridSource, _ interval: Interval, now: Timestamp
    ) async throws -> FetchedSignals {
        let fetcher = try AsyncHTTPFetcher(wallClock: FixedWallClock(now))
        do {
            let fetched = try await source.fetch(interval, now: now, from: fetcher)
            await fetcher.close()
            return fetched
        } catch {
            await fetcher.close()
            throw error
        }
    }

    /// What is in `../shared/data/api-samples`, if it is there.
    static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/data/api-samples").standardizedFileURL
    static var hasSamples: Bool { FileManager.default.isReadableFile(atPath: samples.path + "/README.md") }

    static func sample(_ name: String) throws -> String {
        try String(contentsOf: samples.appending(path: name), encoding: .utf8)
    }
}

extension FetchedSignals {
    var sorted: [SignalPoint] { SignalSeries(points).points }
    var values: [Double] { sorted.map(\.value) }
    var starts: [String] { sorted.map(\.interval.start.description) }
}
