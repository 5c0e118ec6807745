import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import GuidancePublishing
import Logging
import SodiumAuthentication
import Synchronization
import Testing

@Suite struct SourceReportTests {
    /// Keeps the messages of a logger.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
    }

    private struct Handler: LogHandler {
        let log: Log
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) {
            log.add("\(event.level) \(event.message) \(event.metadata?["reason"].map { "\($0)" } ?? "")")
        }
    }

    private func publisher(
        _ log: Log, _ notes: Notes = Notes(), _ providers: any SignalProvider...
    ) throws -> GuidancePublisher {
        GuidancePublisher(
            store: InMemoryGuidanceStore(),
            configuration: GuidanceConfiguration(venues: [try Parts.home()], commonProviders: providers),
            publisher: RecordingPublisher(),
            authentication: SodiumAuthenticator.init, wallClock: SettableClock(Parts.start), clock: ManualClock(),
            logger: log.logger, onNote: { notes.add($0) })
    }

    @Test func `a source that breaks is told once, and once that it is well again`() async throws {
        let file = FakeProvider("file:a.csv", isTimeless: true, answer: Parts.byHour)
        let table = FakeProvider("climatology", isTimeless: true, answer: Parts.byHour)
        let (log, notes) = (Log(), Notes())
        let guidance = try publisher(log, notes, file, table)
        try await guidance.start()
        #expect(log.all.isEmpty)
        file.say { _ throws(EnergyError) in throw EnergyError(.unavailable, "a.csv: there is no such file") }
        for _ in 0..<3 { await guidance.refresh() }
        #expect(log.all == ["warning a source is not used file:a.csv: a.csv: there is no such file"])
        #expect(notes.all == ["X does without file:a.csv: a.csv: there is no such file"])
        file.say { _ throws(EnergyError) in throw EnergyError(.invalidInput, "a.csv, line 3: no number") }
        for _ in 0..<3 { await guidance.refresh() }
        #expect(log.all.count == 2)
        file.say(Parts.byHour)
        for _ in 0..<3 { await guidance.refresh() }
        #expect(log.all.count == 3 && log.all.last?.hasPrefix("notice the preferred source") == true)
        #expect(notes.all.last == .some(nil))
    }

    @Test func `a region without a signal is told once, however often somebody asks, and once that it has one`()
        async throws
    {
        let provider = FakeProvider("a", isTimeless: true) { _ throws(EnergyError) in
            throw EnergyError(.unavailable, "down")
        }
        let log = Log()
        let guidance = try publisher(log, Notes(), provider)
        try await guidance.start()
        let venue = try #require(try await guidance.listVenues().venues.first)
        for _ in 0..<5 {
            await #expect(throws: EnergyError.self) {
                try await guidance.guidance(GuidanceRequest(venueID: venue.id, action: .shift), principal: "car")
            }
        }
        #expect(log.all.count == 1 && log.all.first?.contains("a: down") == true)
        provider.say(Parts.byHour)
        await guidance.refresh()
        #expect(log.all.count == 2 && log.all.last?.contains("has guidance again") == true)
    }

    @Test func `a price source that breaks is told once, and once that it is well again`() async throws {
        let market = PriceSourceTests.market { _ throws(EnergyError) in throw EnergyError(.unavailable, "down") }
        let (log, notes) = (Log(), Notes())
        let guidance = GuidancePublisher(
            store: InMemoryGuidanceStore(),
            configuration: GuidanceConfiguration(
                ratePlans: [try PriceSourceTests.plan()], venues: [try Parts.home(plan: "D")],
                providers: ["exchange": [market]],
                commonProviders: [FakeProvider("carbon", isTimeless: true, answer: Parts.byHour)]),
            publisher: RecordingPublisher(),
            authentication: SodiumAuthenticator.init, wallClock: SettableClock(Parts.start), clock: ManualClock(),
            logger: log.logger, onNote: { notes.add($0) })
        try await guidance.start()
        for _ in 0..<3 { await guidance.refresh() }
        #expect(log.all == ["warning a price source is not used market: down"])
        #expect(notes.all == ["rate plans do without the prices of market: down"])
        market.say(PriceSourceTests.cents)
        for _ in 0..<3 { await guidance.refresh() }
        #expect(log.all.count == 2 && log.all.last?.hasPrefix("notice a price source is used again") == true)
        #expect(notes.all.last == .some(nil))
    }

    private final class Notes: Sendable {
        private let notes = Mutex<[String?]>([])
        var all: [String?] { notes.withLock { $0 } }
        func add(_ note: String?) { notes.withLock { $0.append(note) } }
    }
}
