import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import GuidancePublishing
import Logging
import SodiumAuthentication
import Synchronization
import Testing

/// Tells what the test says.
final class SettableClock: WallClock {
    private let time: Mutex<Timestamp>
    init(_ start: Timestamp) { time = Mutex(start) }
    var now: Timestamp { time.withLock { $0 } }
    func advance(byMilliseconds milliseconds: Int64) {
        time.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
    }
}

/// Keeps what is published.
final class RecordingPublisher: Publisher {
    struct Entry: Hashable {
        let topic: String
        let token: String
    }
    private let entries = Mutex<[Entry]>([])
    private let onPublish: @Sendable () -> Void

    init(onPublish: @escaping @Sendable () -> Void = {}) { self.onPublish = onPublish }

    func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) {
        let token = (try? Guidance(decoding: body))?.token.uuidString ?? "no guidance"
        entries.withLock { $0.append(Entry(topic: topic, token: token)) }
        onPublish()
    }

    var published: [Entry] { entries.withLock { $0 } }

    /// What came since the last time.
    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

/// A source that says what the test says.
final class FakeProvider: SignalProvider {
    let name: String
    let kind: SignalKind
    let isTimeless: Bool
    private let currency: String?
    private let answer: Mutex<@Sendable (Timestamp) throws(EnergyError) -> Double?>
    private let newest: Timestamp?
    private let asked = Mutex(0)

    /// - Parameters:
    ///   - currency: of prices.
    ///   - answer: the value of the hour that starts then, `nil` if unknown.
    init(
        _ name: String, isTimeless: Bool = false, kind: SignalKind = .averageDirect, currency: String? = nil,
        newest: Timestamp? = nil,
        answer: @escaping @Sendable (Timestamp) throws(EnergyError) -> Double?
    ) {
        self.name = name
        self.kind = kind
        self.isTimeless = isTimeless
        self.currency = currency
        self.newest = newest
        self.answer = Mutex(answer)
    }

    var timesAsked: Int { asked.withLock { $0 } }

    func say(_ answer: @escaping @Sendable (Timestamp) throws(EnergyError) -> Double?) {
        self.answer.withLock { $0 = answer }
    }

    func signals(region: String, in interval: Interval, now: Timestamp) async throws(EnergyError) -> SignalReport {
        asked.withLock { $0 += 1 }
        let answer = answer.withLock { $0 }
        var points: [SignalPoint] = []
        var start = interval.start.floored(toMilliseconds: .millisecondsPerHour)
        while start < interval.end {
            let hour = Interval(start: start, milliseconds: .millisecondsPerHour)
            if let value = try answer(start) {
                points.append(SignalPoint(interval: hour, value: value, isEstimated: isTimeless))
            }
            start = hour.end
        }
        return SignalReport(
            series: SignalSeries(points), stepMilliseconds: .millisecondsPerHour, newestMeasured: newest,
            currency: currency)
    }

    func status() async -> SignalSourceStatus { SignalSourceStatus(name: name, kind: kind, currency: currency) }
}

/// A publisher of guidance with everything around it.
struct Parts {
    static let start = Timestamp(unixMilliseconds: 1_790_000_000_000).floored(toMilliseconds: .millisecondsPerDay)

    let store: any GuidanceStore
    let clock: ManualClock
    let wallClock: SettableClock
    let published: RecordingPublisher
    let guidance: GuidancePublisher

    init(
        _ configuration: GuidanceConfiguration, store: any GuidanceStore = InMemoryGuidanceStore(),
        now: Timestamp = start, onPublish: @escaping @Sendable () -> Void = {}
    ) {
        self.store = store
        clock = ManualClock()
        wallClock = SettableClock(now)
        published = RecordingPublisher(onPublish: onPublish)
        guidance = GuidancePublisher(
            store: store, configuration: configuration, publisher: published,
            authentication: SodiumAuthenticator.init, wallClock: wallClock, clock: clock,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// The value is the hour of the day, UTC: midnight is the cleanest.
    static let byHour: @Sendable (Timestamp) throws(EnergyError) -> Double? = { start in
        Double(start.unixMilliseconds / .millisecondsPerHour % 24) * 10 + 100
    }

    static func home(
        _ name: String = "Home", id: UUID? = nil, region: String = "X", plan: String? = nil, homes: [UUID] = []
    ) throws -> VenueDraft {
        VenueDraft(
            id: id, name: name, timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")), region: region,
            ratePlanID: plan, homeIDs: homes)
    }

    /// Dear from 16:00 to 21:00 in Los Angeles.
    static func plan(_ id: String = "A", onPeak: Int64 = 600_000, peak: TariffPeak = .onPeak, from: Int = 960) throws
        -> RatePlan
    {
        RatePlan(
            id: id, name: "Plan", currency: "USD", timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")),
            zones: [
                RateZone(price: Price(microsPerKilowattHour: 200_000), peak: .offPeak),
                RateZone(price: Price(microsPerKilowattHour: onPeak), peak: peak, startMinute: from, endMinute: 1260),
            ], changed: start)
    }

    func onlyVenue() async throws -> Venue { try #require(try await guidance.listVenues().venues.first) }

    func get(_ action: SuggestedAction = .shift, as principal: String = "car") async throws -> Guidance {
        try await guidance.guidance(
            GuidanceRequest(venueID: try await onlyVenue().id, action: action), principal: principal)
    }

    func advance(minutes: Int64) { wallClock.advance(byMilliseconds: minutes * .millisecondsPerMinute) }

    static func at(hours: Double) -> Timestamp {
        start.advanced(byMilliseconds: Int64(hours * Double(Int64.millisecondsPerHour)))
    }
}
