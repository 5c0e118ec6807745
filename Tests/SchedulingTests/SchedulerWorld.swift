import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Logging

@testable import Scheduling

/// A scheduler among peers that a test plays.
final class SchedulerWorld: Sendable {
    let clock = ManualClock()
    let store: any ScheduleStore
    let publisher = RecordingPublisher()
    let guidanceUpdates = HandSubscriber()
    let eventUpdates = HandSubscriber()
    let guidanceService: TableClient
    let eventService: TableClient
    let scheduler: Scheduler
    let wallClock: ManualWallClock
    /// What the scheduler submits to the log.
    let submitted: AsyncStream<Event>

    static let venue = Venue(
        id: EventSamples.venueID, name: "Home", timeZone: TimeZone(identifier: "America/Los_Angeles") ?? .gmt,
        region: "CISO", changed: EventSamples.now)
    static let car = ManagedDevice(
        device: EventSamples.car, venueID: EventSamples.venueID,
        vehicle: VehicleTraits(
            batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: power(6_000_000), efficiency: 1))
    static let heatPump = ManagedDevice(device: EventSamples.heatPump, venueID: EventSamples.venueID)

    static func power(_ milliwatts: Int64) -> Power { (try? Power(milliwatts: milliwatts)) ?? .zero }

    init(
        store: any ScheduleStore = InMemoryScheduleStore(), guidance: Guidance? = nil,
        planning: PlanningSettings = .patient()
    ) async throws {
        let wallClock = ManualWallClock(clock: clock)
        self.store = store
        self.wallClock = wallClock
        let (present, contract) = (Box(guidance), Box<RatePlan?>(nil))
        let (log, logID) = (Box<[LogRecord]>([]), Box(UUID()))
        (presentBox, contractBox, logBox, logIDBox) = (present, contract, log, logID)
        guidanceService = TableClient(Self.guidanceTable(present, contract))
        let (submitted, submit) = AsyncStream.makeStream(of: Event.self)
        self.submitted = submitted
        eventService = TableClient(Self.eventTable(log, logID, submit))
        scheduler = try await Scheduler(
            store: store,
            connections: SchedulerConnections(
                guidance: guidanceService, guidanceUpdates: guidanceUpdates, events: eventService,
                eventUpdates: eventUpdates, publisher: publisher),
            planning: planning,
            wallClock: wallClock, clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private let presentBox: Box<Guidance?>
    private let contractBox: Box<RatePlan?>
    private let logBox: Box<[LogRecord]>
    private let logIDBox: Box<UUID>

    /// What Guidance/Get answers from now on.
    func setGuidance(_ guidance: Guidance?) { presentBox.set(guidance) }

    /// The venue's contract from now on; without one nobody says whether there is one.
    func setContract(_ contract: RatePlan?) { contractBox.set(contract) }

    /// Another log is there from now on, without records.
    func replaceLog() {
        logIDBox.set(UUID())
        logBox.set([])
    }

    /// A record at the end of the log.
    func append(_ events: [Event]) {
        logBox.update { log in
            log.append(
                LogRecord(
                    partition: LogPartition.of(venueID: EventSamples.venueID), sequence: UInt64(log.count + 1),
                    venueID: EventSamples.venueID, received: EventSamples.now, principal: "local", events: events))
        }
    }

    var now: Timestamp { wallClock.now }

    func hours(_ hours: Double) -> Timestamp {
        EventSamples.now.advanced(byMilliseconds: Int64(hours * Double(Int64.millisecondsPerHour)))
    }

    /// Hourly ratings from ``EventSamples/now``, issued at `issued` hours.
    func guidance(
        _ ratings: [Double], issued: Double = 0, action: SuggestedAction = .shift, prices: [Double]? = nil,
        carbon: Double? = nil
    ) -> Guidance {
        let values = ratings.enumerated().map { hour, rating in
            GuidanceValue(
                interval: Interval(start: hours(Double(hour)), milliseconds: .millisecondsPerHour), rating: rating,
                carbonIntensity: carbon,
                price: prices.map { Price(microsPerKilowattHour: Int64(($0[hour] * 1_000_000).rounded())) })
        }
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: action,
            interval: Interval(
                start: EventSamples.now, milliseconds: Int64(ratings.count) * .millisecondsPerHour),
            values: values, locationHasRatePlan: false, incorporatesRatePlan: false, issued: hours(issued),
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    private static func guidanceTable(_ present: Box<Guidance?>, _ contract: Box<RatePlan?>) -> MethodTable {
        var table = MethodTable()
        table.on(Methods.getVenue) { (reference, _) async throws(EnergyError) in
            guard reference == .id(venue.id) else { throw EnergyError(.notFound, "no such venue") }
            var found = venue
            found.ratePlanID = contract.value?.id ?? "unheard of"
            return found
        }
        table.on(Methods.listRatePlans) { (_, _) async throws(EnergyError) in
            guard let contract = contract.value else { throw EnergyError(.unavailable, "no contract yet") }
            return RatePlanList(ratePlans: [contract])
        }
        table.on(Methods.getGuidance) { (_, _) async throws(EnergyError) in
            guard let guidance = present.value else { throw EnergyError(.unavailable, "no guidance yet") }
            return guidance
        }
        return table
    }

    private static func eventTable(
        _ log: Box<[LogRecord]>, _ logID: Box<UUID>, _ submit: AsyncStream<Event>.Continuation
    ) -> MethodTable {
        var table = MethodTable()
        table.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in
            for event in batch.events { submit.yield(event) }
            return SubmitResult(accepted: batch.events.count, duplicates: 0)
        }
        table.on(Methods.logHeads) { (_, _) async throws(EnergyError) in
            LogHeads(
                heads: log.value.last.map { [LogHead(partition: $0.partition, sequence: $0.sequence)] } ?? [],
                logID: logID.value)
        }
        table.on(Methods.readLog) { (position, _, write) async throws(EnergyError) in
            let records = log.value.filter { $0.sequence > position.afterSequence }
            if !records.isEmpty { try await write(LogPage(records: records)) }
        }
        return table
    }
}

extension PlanningSettings {
    /// With so much time that no plan depends on how busy the machine is, nor on who else waits for the solver.
    static func patient(
        venues: [UUID: VenueSettings] = [:], others: VenueSettings = VenueSettings()
    ) -> PlanningSettings {
        var settings = PlanningSettings(
            solver: PatientSolver(), venues: venues, others: others, timeLimit: .seconds(60),
            previewTimeLimit: .seconds(60))
        settings.clock = WorkClock()
        return settings
    }
}

extension SchedulerWorld {
    /// A car at 45 % that has a goal and a plan, waits for the third hour, and has told nothing of it.
    static func waitingCar(
        _ ratings: [Double] = [0.9, 0.9, 0.1, 0.9, 0.9, 0.9, 0.9, 0.9]
    ) async throws -> (SchedulerWorld, Task<Void, Never>) {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance(ratings))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        world.append([EventSamples.status(stateOfCharge: 45)])
        let task = Task { await world.scheduler.run() }
        await world.eventUpdates.waitForSubscriber()
        let published = world.publisher.publications
        _ = try await world.scheduler.put(
            GoalDraft(
                venueID: EventSamples.venueID, deviceID: EventSamples.car.id, readyBy: world.hours(8),
                target: .stateOfCharge(55)))
        while let next = await published.next() {
            if try !Schedule(decoding: next.body).explanation.contains("not known yet") { break }
        }
        return (world, task)
    }
}
