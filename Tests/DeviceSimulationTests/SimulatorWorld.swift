import DeviceSimulation
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Logging

/// The services that a simulator talks to, played by a test.
final class SimulatorWorld: Sendable {
    let clock = ManualClock()
    let wallClock: ManualWallClock
    let guidance: TableClient
    let events: TableClient
    let insights: TableClient
    let schedules: TableClient
    let guidanceUpdates = HandSubscriber()
    let scheduleUpdates = HandSubscriber()
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    /// Every event in the log, once, in order.
    let log = Box<[Event]>([])
    /// Each batch as it arrives, known or not.
    let arrivals: AsyncStream<[Event]>
    /// Each goal that is set.
    let goals: AsyncStream<GoalDraft>
    /// The next batch is stored, but its acknowledgement is lost.
    let losesNextAnswer = Box(false)
    /// What insights says of the past.
    let pastEnergy = Box(Energy.zero)
    /// In the order that they are listed.
    let venues = Box([
        Venue(id: EventSamples.venueID, name: "Home", timeZone: zone, region: "CISO", changed: EventSamples.now)
    ])

    static let zone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
    private let tokens = Box<UInt64>(100)

    init() {
        wallClock = ManualWallClock(clock: clock)
        let (arrivals, arrival) = AsyncStream<[Event]>.makeStream()
        let (goals, goal) = AsyncStream<GoalDraft>.makeStream()
        (self.arrivals, self.goals) = (arrivals, goals)
        guidance = TableClient(Self.guidanceTable(venues, tokens, wallClock))
        events = TableClient(Self.eventTable(log, losesNextAnswer, arrival))
        insights = TableClient(Self.insightTable(pastEnergy))
        schedules = TableClient(Self.scheduleTable(goal, wallClock))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func simulator(historyDays: Int = 14) -> DeviceSimulator {
        DeviceSimulator(
            configuration: SimulatorConfiguration(
                historyDays: historyDays, stateFile: folder.appending(path: "simulator.json")),
            connections: SimulatorConnections(
                guidance: guidance, guidanceUpdates: guidanceUpdates, events: events, insights: insights,
                schedules: schedules, scheduleUpdates: scheduleUpdates),
            wallClock: wallClock, clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Runs a simulator while `body` runs.
    func running(historyDays: Int = 14, _ body: () async throws -> Void) async throws {
        let simulator = simulator(historyDays: historyDays)
        let task = Task { try await simulator.run() }
        do { try await body() } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        _ = await task.result
    }

    /// The rules of the log, over all that is in it.
    func violations() -> [RuleViolation] {
        var trackers: [UUID: SessionTracker] = [:]
        var violations: [RuleViolation] = []
        for event in log.value {
            violations += EventRules().violations(of: event, now: wallClock.now)
            guard let session = event.session else { continue }
            if case .refused(let violation) = trackers[session.id, default: SessionTracker()].apply(event) {
                violations.append(violation)
            }
        }
        return violations
    }

    private static func guidanceTable(
        _ venues: Box<[Venue]>, _ tokens: Box<UInt64>, _ wallClock: ManualWallClock
    ) -> MethodTable {
        var table = MethodTable()
        table.on(Methods.listVenues) { (_, _) async throws(EnergyError) in VenueList(venues: venues.value) }
        table.on(Methods.getGuidance) { (request, _) async throws(EnergyError) in
            let day = Interval(start: wallClock.now, milliseconds: .millisecondsPerDay)
            return Guidance(
                token: EventSamples.id(
                    tokens.update {
                        $0 += 1
                        return $0
                    }), venueID: request.venueID,
                action: request.action, interval: day, values: [GuidanceValue(interval: day, rating: 0.5)],
                locationHasRatePlan: false, incorporatesRatePlan: false, issued: day.start,
                basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
        }
        return table
    }

    private static func eventTable(
        _ log: Box<[Event]>, _ losesNextAnswer: Box<Bool>, _ arrival: AsyncStream<[Event]>.Continuation
    ) -> MethodTable {
        var table = MethodTable()
        table.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in
            let accepted = log.update { log in
                let known = Set(log.map(\.id))
                let news = batch.events.filter { !known.contains($0.id) }
                log += news
                return news.count
            }
            arrival.yield(batch.events)
            let isLost = losesNextAnswer.update { lost in
                defer { lost = false }
                return lost
            }
            if isLost { throw EnergyError(.unavailable, "lost") }
            return SubmitResult(accepted: accepted, duplicates: batch.events.count - accepted)
        }
        return table
    }

    private static func insightTable(_ pastEnergy: Box<Energy>) -> MethodTable {
        var table = MethodTable()
        table.on(Methods.queryInsights) { (query, _, write) async throws(EnergyError) in
            let total = InsightAmount(energy: pastEnergy.value, runtimeMilliseconds: 0)
            try await write(InsightPage(records: [InsightRecord(interval: query.range, total: total)], applied: []))
        }
        return table
    }

    /// Plans everything for 5 minutes from now on.
    private static func scheduleTable(
        _ goal: AsyncStream<GoalDraft>.Continuation, _ wallClock: ManualWallClock
    ) -> MethodTable {
        var table = MethodTable()
        table.on(Methods.putDevice) { (device, _) async throws(EnergyError) in device }
        table.on(Methods.listSchedules) { (_, _) async throws(EnergyError) in ScheduleList(schedules: []) }
        table.on(Methods.putGoal) { (draft, _) async throws(EnergyError) in
            let now = wallClock.now
            guard let window = Interval(start: now, end: draft.readyBy) else {
                throw EnergyError(.invalidInput, "too late")
            }
            let power = try Power(milliwatts: 7_400_000)
            func block(_ start: Int64, _ end: Int64, _ power: Power, _ reason: ScheduleReason) -> ScheduleBlock? {
                let start = now.advanced(byMilliseconds: start)
                return Interval(start: start, end: min(now.advanced(byMilliseconds: end), window.end)).map {
                    ScheduleBlock(
                        interval: $0, power: power, stageMax: 100,
                        energy: power.energy(overMilliseconds: $0.milliseconds), rating: 0.1, reason: reason)
                }
            }
            let runEnd = 300_000 + Int64.millisecondsPerHour
            let blocks = [
                block(0, 300_000, .zero, .waitingForCleanerEnergy), block(300_000, runEnd, power, .cleanerEnergy),
                block(runEnd, window.milliseconds, .zero, .targetReached),
            ]
            goal.yield(draft)
            return Schedule(
                id: UUID(), venueID: draft.venueID, deviceID: draft.deviceID,
                goal: Goal(
                    id: UUID(), venueID: draft.venueID, deviceID: draft.deviceID, readyBy: draft.readyBy,
                    target: draft.target, created: now), revision: 1, planned: now,
                guidanceToken: EventSamples.token, blocks: blocks.compactMap(\.self),
                required: Energy(milliwattHours: 7_400_000), plannedEnergy: Energy(milliwattHours: 7_400_000),
                explanation: "Waits for cleaner energy")
        }
        return table
    }
}
