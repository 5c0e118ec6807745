import EnergyModel
import EnergyStore
import Foundation
import GuidancePublishing
import Logging
import SodiumAuthentication

/// A full refresh of one publisher: 100,000 venues (`VENUES`) in 200 regions, each on one of 20 rate plans.
enum RefreshBenchmark {
    struct Cost {
        let seconds: Double
        let mebibytes: Double
    }
    static let (regions, plans) = (200, 20)
    static let venues = ProcessInfo.processInfo.environment["VENUES"].flatMap { Int($0) } ?? 100_000

    /// In a process of its own, so that its memory is its own, on one core.
    static func inChildProcess() throws -> Cost {
        let (child, pipe) = (Process(), Pipe())
        let program = URL(filePath: CommandLine.arguments[0]).standardizedFileURL.path
        let taskset = "/usr/bin/taskset"
        let isPinned = FileManager.default.isExecutableFile(atPath: taskset)
        child.executableURL = URL(filePath: isPinned ? taskset : program)
        child.arguments = (isPinned ? ["-c", "0", program] : []) + ["--refresh-child"]
        child.standardOutput = pipe
        try child.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let numbers = output.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) } ?? []
        guard child.terminationStatus == 0, numbers.count == 2 else { throw Failure("the refresh failed: \(output)") }
        print("\nfull refresh of \(venues) venues in \(regions) regions on \(plans) rate plans")
        print(output.split(separator: "\n").dropLast().joined(separator: "\n"))
        return Cost(seconds: numbers[0], mebibytes: numbers[1])
    }

    static func run() async throws {
        let start = Timestamp(unixMilliseconds: 1_625_097_600_000)
        let clock = SetClock(start)
        let sources = (0..<4).map {
            MemorySource(
                name: "source", series: Self.series(seed: $0, until: start), lagMilliseconds: 0,
                historyMilliseconds: nil)
        }
        let names = (0..<regions).map { "R\($0)" }
        let store = FilledStore(try Self.makeVenues(names), Self.makePlans(changed: start))
        let publisher = GuidancePublisher(
            store: store,
            configuration: GuidanceConfiguration(
                providers: Dictionary(
                    uniqueKeysWithValues: names.enumerated().map { ($1, [sources[$0 % sources.count]]) })),
            publisher: NobodyListens(),
            authentication: SodiumAuthenticator.init, wallClock: clock,
            logger: Logger(label: "bench", factory: { _ in SwiftLogNoOpLogHandler() }))
        let ticker = ContinuousClock()
        let first = try await ticker.measure { try await publisher.start() }
        print("first, with a year of history: \(seconds(first)) s")
        var hourly: [Double] = []
        var processor: [Double] = []
        for hour in 1...3 {
            let before = Self.processorSeconds
            clock.set(start.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour))
            hourly.append(seconds(await ticker.measure { await publisher.refresh() }))
            processor.append(((Self.processorSeconds - before) * 1000).rounded() / 1000)
        }
        if let problem = await publisher.problem { throw Failure(problem) }
        print("hourly, all published: \(hourly) s, of which processor \(processor) s")
        clock.set(clock.now.advanced(byMilliseconds: 5 * .millisecondsPerMinute))
        print("check without changes: \(seconds(await ticker.measure { await publisher.refresh() })) s")
        let peak = try Self.peakMebibytes()
        print("peak resident: \(peak) MiB")
        print("\(hourly.sorted()[1]) \(peak)")
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return ((Double(seconds) + Double(attoseconds) * 1e-18) * 1000).rounded() / 1000
    }

    /// Used by this process so far: on a busy machine the time on the wall says little.
    private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    private static func peakMebibytes() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kibibytes = line?.split(separator: " ").compactMap({ Double($0) }).first else {
            throw Failure("the system does not say how much memory is used")
        }
        return (kibibytes / 102.4).rounded() / 10
    }

    /// Fourteen months with a daily and a yearly shape, and what no one foresees.
    private static func series(seed: Int, until now: Timestamp) -> SignalSeries {
        let end = now.advanced(byMilliseconds: 2 * .millisecondsPerDay)
        var (drift, noise) = (0.0, Baseline.random.prediction([], at: 0, start: now, .gmt)[...])
        return SignalSeries(
            (0..<10_000).map { hour in
                let start = end.advanced(byMilliseconds: Int64(hour - 10_000) * .millisecondsPerHour)
                if noise.isEmpty {
                    let other = start.advanced(byMilliseconds: Int64(seed))
                    noise = Baseline.random.prediction([], at: 0, start: other, .gmt)[...]
                }
                drift = 0.95 * drift + (noise.removeFirst() / 0x1p53 - 0.5) * 20
                let value =
                    300 + 80 * sin(Double(hour + 3 * seed) / 12 * .pi) + 30 * sin(Double(hour) / 4380 * .pi) + drift
                return SignalPoint(
                    interval: Interval(start: start, milliseconds: .millisecondsPerHour),
                    value: max(0, value), isEstimated: false)
            })
    }

    private static func makeVenues(_ regions: [String]) throws -> [Venue] {
        guard let zone = TimeZone(identifier: "America/New_York") else { throw Failure("there is no time zone data") }
        return (0..<venues).map { index in
            Venue(
                id: UUID(), name: "Home \(index)", timeZone: zone, region: regions[index % regions.count],
                ratePlanID: "P\(index / regions.count % plans)", homeIDs: [], changed: Timestamp(unixMilliseconds: 0))
        }
    }

    private static func makePlans(changed: Timestamp) -> [RatePlan] {
        (0..<plans).map { index in
            RatePlan(
                id: "P\(index)", name: "Plan \(index)", currency: "USD", timeZone: .gmt,
                zones: [
                    RateZone(price: Price(microsPerKilowattHour: 150_000), peak: .offPeak),
                    RateZone(
                        price: Price(microsPerKilowattHour: 300_000 + Int64(index) * 10_000), peak: .onPeak,
                        startMinute: 900 + 15 * index, endMinute: 1200 + 10 * index),
                ], changed: changed)
        }
    }
}
