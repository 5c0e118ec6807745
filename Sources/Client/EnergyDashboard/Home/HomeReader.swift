internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints
internal import Synchronization

/// Asks the services for what pages show. While one is away the last answer that it gave stands in, with its age.
final class HomeReader: Sendable {
    /// An answer, and when it was given if it is not of now.
    struct Known<Value: Sendable>: Sendable {
        let value: Value
        let asOf: Timestamp?
    }

    /// Pages wait no longer for one answer.
    static let timeout: Duration = .seconds(3)
    /// Of long streams: five years in quarters of an hour are many.
    static let streamTimeout: Duration = .seconds(20)
    static let answersMax = 500

    let connections: DashboardConnections
    let presence: ServicePresence
    let clock: any WallClock
    let pastMonths = PastMonths()
    private let answers = Mutex<[String: (value: any Sendable, at: Timestamp)]>([:])

    init(connections: DashboardConnections, presence: ServicePresence, clock: any WallClock) {
        self.connections = connections
        self.presence = presence
        self.clock = clock
    }

    /// Calls a method, and remembers what it answered.
    ///
    /// - Throws: the service's refusal; `unavailable` where nobody answers and nothing is remembered.
    func known<Request: Hashable, Reply>(
        _ service: ServiceKind, _ method: UnaryMethod<Request, Reply>, _ request: Request
    ) async throws(EnergyError) -> Known<Reply> {
        let key = "\(method.name) \(request)"
        do throws(EnergyError) {
            let reply = try await call(service, method, request)
            let now = clock.now
            answers.withLock { answers in
                if answers.count >= Self.answersMax, answers[key] == nil { answers.removeAll() }
                answers[key] = (reply, now)
            }
            return Known(value: reply, asOf: nil)
        } catch {
            guard error.code == .unavailable, let last = answers.withLock({ $0[key] }),
                let reply = last.value as? Reply
            else { throw error }
            return Known(value: reply, asOf: last.at)
        }
    }

    /// Calls a method without remembering.
    func call<Request, Reply>(
        _ service: ServiceKind, _ method: UnaryMethod<Request, Reply>, _ request: Request
    ) async throws(EnergyError) -> Reply {
        try await reaching(service) { () async throws(EnergyError) in
            try await connections[service].call(method, request, timeout: max(Self.timeout, method.patience))
        }
    }

    /// All chunks of a stream, of which each adds to `body`'s result.
    func read<Request, Chunk>(
        _ service: ServiceKind, _ method: StreamMethod<Request, Chunk>, _ request: Request,
        _ body: (Chunk) throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        try await reaching(service) { () async throws(EnergyError) in
            try await connections[service].stream(method, request, timeout: Self.streamTimeout) {
                (chunk) async throws(EnergyError) in try body(chunk)
            }
        }
    }

    /// Nobody waits for a service that is known to be away, and one that cannot be reached is named.
    private func reaching<Value>(
        _ service: ServiceKind, _ body: () async throws(EnergyError) -> Value
    ) async throws(EnergyError) -> Value {
        if presence[service] == .away { throw .away(service) }
        do throws(EnergyError) {
            return try await body()
        } catch {
            if error == EnergyError(.noConnection) { throw .away(service) }
            throw error == EnergyError(.deadlineExceeded) ? .silent(service) : error
        }
    }
}

extension HomeReader {
    func venues() async throws(EnergyError) -> Known<[Venue]> {
        let known = try await known(.guidance, Methods.listVenues, Empty())
        return Known(value: known.value.venues, asOf: known.asOf)
    }

    /// `nil` where there is none, for example without signals.
    func guidance(_ venue: Venue) async throws(EnergyError) -> Known<Guidance> {
        try await known(.guidance, Methods.getGuidance, GuidanceRequest(venueID: venue.id, action: .shift))
    }

    /// Of the venue's region, the preferred first.
    func sources(_ venue: Venue) async throws(EnergyError) -> [RegionSource] {
        try await call(.guidance, Methods.listSources, Empty()).sources.filter { $0.region == venue.region }
    }

    /// `nil` where the venue has no contract.
    func ratePlan(_ venue: Venue) async throws(EnergyError) -> RatePlan? {
        guard let id = venue.ratePlanID else { return nil }
        return try await ratePlans().first { $0.id == id }
    }

    func ratePlans() async throws(EnergyError) -> [RatePlan] {
        try await call(.guidance, Methods.listRatePlans, Empty()).ratePlans
    }

    /// That a venue can be in.
    func regions() async throws(EnergyError) -> Regions {
        Regions(try await call(.guidance, Methods.listSources, Empty()))
    }

    /// What was known of a past when it happened, and what is known of it by now.
    func past(
        _ venue: Venue, _ interval: Interval
    ) async throws(EnergyError) -> (expected: [SignalInterval], came: [SignalInterval]) {
        let expected = SignalHistoryRequest(venueID: venue.id, interval: interval)
        return (
            try await call(.guidance, Methods.signalHistory, expected).intervals, try await came(venue, interval)
        )
    }

    /// What is known of a past by now.
    func came(_ venue: Venue, _ interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        let request = SignalHistoryRequest(venueID: venue.id, interval: interval, isCorrected: true)
        return try await call(.guidance, Methods.signalHistory, request).intervals
    }

    func devices(_ venue: Venue) async throws(EnergyError) -> Known<[ManagedDevice]> {
        let known = try await known(.schedule, Methods.listDevices, VenueFilter(venueID: venue.id))
        return Known(value: known.value.devices.sorted { $0.device.name < $1.device.name }, asOf: known.asOf)
    }

    func schedules(_ venue: Venue) async throws(EnergyError) -> Known<[Schedule]> {
        let known = try await known(.schedule, Methods.listSchedules, ScheduleFilter(venueID: venue.id))
        return Known(value: known.value.schedules, asOf: known.asOf)
    }

    func limits(_ venue: Venue) async throws(EnergyError) -> Known<VenueLimits> {
        try await known(.schedule, Methods.getLimits, PlannedVenue(venueID: venue.id))
    }

    /// - Returns: without periods in which nothing was counted.
    func insights(_ query: InsightQuery) async throws(EnergyError) -> [InsightRecord] {
        var records: [InsightRecord] = []
        try await read(.insights, Methods.queryInsights, query) { records += $0.records }
        records.removeAll { $0.total == .zero }
        return records
    }

    func savings(_ query: SavingsQuery) async throws(EnergyError) -> SavingsAnswer {
        try await call(.insights, Methods.sumSavings, query)
    }

    /// Sorted by time.
    func activities(_ query: ActivityQuery) async throws(EnergyError) -> [Activity] {
        var activities: [Activity] = []
        try await read(.insights, Methods.queryActivity, query) { activities += $0.entries.map(\.activity) }
        return activities
    }
}
