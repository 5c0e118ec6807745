import EnergyModel
import EnergyTestSupport
import GridSignals
import HTTPFetcher
import Testing

/// One fetch of prices through a real client from a real server.
enum PriceReplay {
    /// - Returns: the points in order of time.
    static func fetch(
        _ source: any GridSource, _ start: String, _ end: String, now: String? = nil
    ) async throws -> FetchedSignals {
        let now = try FileProviderTests.time(now ?? start)
        let fetcher = try AsyncHTTPFetcher(wallClock: FixedWallClock(now))
        do {
            var fetched = try await source.fetch(try FileProviderTests.interval(start, end), now: now, from: fetcher)
            await fetcher.close()
            fetched.points = SignalSeries(fetched.points).points
            return fetched
        } catch {
            await fetcher.close()
            throw error
        }
    }

    /// - Returns: why it is refused.
    static func failure(_ source: any GridSource, _ start: String, _ end: String) async throws -> EnergyError {
        let error = await #expect(throws: EnergyError.self) { try await fetch(source, start, end) }
        return try #require(error)
    }
}

extension FetchedSignals {
    /// Millionths per kWh.
    var micros: [Double] { points.map(\.value) }
    var begins: [String] { points.map(\.interval.start.description) }
    var minutes: [Int64] { points.map { $0.interval.milliseconds / .millisecondsPerMinute } }
}
