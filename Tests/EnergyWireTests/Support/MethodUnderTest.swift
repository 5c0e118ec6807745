import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation

@testable import EnergyWire

/// A method of the contract, and requests to it about one venue or another.
struct MethodUnderTest: Sendable {
    /// Which venue a request names.
    enum Venue: String, CaseIterable, Sendable { case own, other, both, none }

    static let own = EventSamples.id(101)
    static let other = EventSamples.id(102)

    let name: String
    let requests: [Venue: [UInt8]]
    /// Whoever gets in is told `notFound`.
    private let register: @Sendable (inout MethodTable) -> Void

    init<Request, Reply>(_ method: UnaryMethod<Request, Reply>, _ requests: [Venue: Request]) {
        name = method.name
        self.requests = requests.mapValues { method.request.encode($0) }
        register = { table in table.on(method) { (_, _) async throws(EnergyError) in throw .reached } }
    }

    init<Request, Chunk>(_ method: StreamMethod<Request, Chunk>, _ requests: [Venue: Request]) {
        name = method.name
        self.requests = requests.mapValues { $0.encoded() }
        register = { table in table.on(method) { (_, _, _) async throws(EnergyError) in throw .reached } }
    }

    /// - Returns: how the request is refused; `notFound` when it was let in.
    func refusal(of venue: Venue, _ principal: Principal) async -> StatusCode? {
        var table = MethodTable()
        register(&table)
        guard let entry = table.entries[name], let body = requests[venue] else { return nil }
        let context = RequestContext(principal: principal, timeout: .seconds(1))
        do throws(CallFailure) {
            switch entry.handler {
            case .unary(let handler): _ = try await handler(body, context)
            case .streaming(let handler): try await handler(body, context, NoReader())
            }
            return nil
        } catch { return error.code }
    }

    private struct NoReader: ReplyWriter {
        func write(_ chunk: [UInt8]) async throws(CallFailure) {
            throw CallFailure(.unknown, "nobody was to be answered")
        }
    }
}

extension EnergyError {
    fileprivate static let reached = EnergyError(.notFound, "the handler was asked")
}

extension [MethodUnderTest] {
    /// Every method, with requests whose other fields do not count.
    static var all: [MethodUnderTest] {
        guidancePublisher + eventIngestor + insightService + scheduler + everyService + everyProcess
    }

    private static func each<Request>(_ request: (UUID) -> Request) -> [MethodUnderTest.Venue: Request] {
        [.own: request(MethodUnderTest.own), .other: request(MethodUnderTest.other)]
    }

    private static func eachOrNone<Request>(_ request: (UUID?) -> Request) -> [MethodUnderTest.Venue: Request] {
        [.own: request(MethodUnderTest.own), .other: request(MethodUnderTest.other), .none: request(nil)]
    }

    private static var guidancePublisher: [MethodUnderTest] {
        var values = RandomValues(seed: 6)
        let (draft, event, push) = (values.venueDraft(), values.demandResponseEvent(), values.signalPush())
        let interval = values.interval()
        func events(_ scope: DemandResponseEvent.Scope) -> DemandResponseEvent {
            var event = event
            event.scope = scope
            return event
        }
        return [
            .init(Methods.listVenues, [.none: Empty()]),
            .init(Methods.getVenue, each { (id: UUID) in VenueReference.id(id) }),
            .init(
                Methods.putVenue,
                eachOrNone { (id: UUID?) in
                    var draft = draft
                    draft.id = id
                    return draft
                }),
            .init(Methods.removeVenue, each { VenueRemoval(id: $0) }),
            .init(Methods.listRatePlans, [.none: Empty()]),
            .init(Methods.putRatePlan, [.none: values.ratePlan()]),
            .init(Methods.removeRatePlan, [.none: RatePlanRemoval(id: values.text())]),
            .init(
                Methods.putDemandResponse,
                [
                    .own: events(.venue(MethodUnderTest.own)), .other: events(.venue(MethodUnderTest.other)),
                    .none: events(.all),
                ]),
            .init(Methods.putDemandResponse, [.none: events(.region("CISO"))]),
            .init(Methods.listDemandResponse, eachOrNone { (id: UUID?) in DemandResponseFilter(venueID: id) }),
            .init(Methods.cancelDemandResponse, [.none: DemandResponseReference(id: UUID())]),
            .init(Methods.getGuidance, each { GuidanceRequest(venueID: $0, action: .shift) }),
            .init(Methods.resolveToken, [.none: TokenReference(token: UUID())]),
            .init(Methods.signalHistory, each { SignalHistoryRequest(venueID: $0, interval: interval) }),
            .init(Methods.putSignals, [.none: push]),
            .init(Methods.listSources, [.none: Empty()]),
            .init(Methods.testSource, [.none: SourceReference(region: "X", source: "push:meter")]),
        ]
    }

    private static var eventIngestor: [MethodUnderTest] {
        func batch(_ venues: [UUID]) -> EventBatch {
            EventBatch(events: venues.map { EventSamples.vehicle(venueID: $0, .begin) })
        }
        let (own, other) = (MethodUnderTest.own, MethodUnderTest.other)
        return [
            .init(
                Methods.submitEvents,
                [.own: batch([own, own]), .other: batch([other]), .both: batch([own, other]), .none: batch([])]),
            .init(Methods.readLog, [.none: LogPosition(partition: 0, afterSequence: 0)]),
            .init(Methods.logHeads, [.none: Empty()]),
            .init(Methods.listSessions, each { SessionFilter(venueID: $0) }),
            .init(Methods.listReaders, [.none: Empty()]),
            .init(Methods.removeReader, [.none: LogReaderReference(name: "x")]),
            .init(Methods.backUpLog, [.none: Empty()]),
        ]
    }

    private static var insightService: [MethodUnderTest] {
        var values = RandomValues(seed: 6)
        let query = values.insightQuery()
        return [
            .init(
                Methods.queryInsights,
                each { (id: UUID) in
                    var query = query
                    query.venueID = id
                    return query
                }),
            .init(Methods.querySessions, each { SessionQuery(venueID: $0, range: query.range) }),
            .init(
                Methods.sumSavings,
                each { SavingsQuery(sessions: SessionQuery(venueID: $0, range: query.range), newest: 7) }),
            .init(Methods.queryActivity, each { ActivityQuery(venueID: $0, range: query.range) }),
            .init(
                Methods.repairEvent,
                each {
                    RepairDraft(venueID: $0, sessionID: UUID(), eventID: UUID(), action: .ignore, reason: "why not")
                }),
            .init(Methods.listRepairs, each { RepairFilter(venueID: $0) }),
            .init(Methods.rebuildInsights, [.none: RebuildRequest(acceptsLoss: false)]),
        ]
    }

    private static var scheduler: [MethodUnderTest] {
        var values = RandomValues(seed: 6)
        let (device, draft, rules) = (values.managedDevice(), values.goalDraft(), values.chargingRules())
        func goal(_ id: UUID) -> GoalDraft {
            var draft = draft
            draft.venueID = id
            return draft
        }
        return [
            .init(Methods.listDevices, eachOrNone { (id: UUID?) in VenueFilter(venueID: id) }),
            .init(
                Methods.putDevice,
                each { ManagedDevice(device: device.device, venueID: $0, vehicle: device.vehicle) }),
            .init(Methods.putGoal, each(goal)),
            .init(Methods.removeDevice, each { DeviceRemoval(venueID: $0, deviceID: "car") }),
            .init(Methods.deleteGoal, each { DeviceReference(venueID: $0, deviceID: "car") }),
            .init(Methods.putRules, each { RulesDraft(venueID: $0, deviceID: "car", rules: rules) }),
            .init(Methods.getLimits, each { PlannedVenue(venueID: $0) }),
            .init(Methods.putLimits, each { VenueLimits(venueID: $0) }),
            .init(Methods.putObjective, each { ObjectiveDraft(venueID: $0, objective: .money) }),
            .init(Methods.getForecast, each { PlannedVenue(venueID: $0) }),
            .init(Methods.putForecast, each { VenueForecast(venueID: $0) }),
            .init(Methods.previewGoal, each(goal)),
            .init(Methods.override, each { OverrideRequest(venueID: $0, deviceID: "car", action: .resume) }),
            .init(Methods.listSchedules, eachOrNone { (id: UUID?) in ScheduleFilter(venueID: id) }),
        ]
    }

    private static var everyService: [MethodUnderTest] {
        [
            .init(Methods.exportData, each { DataSubject(venueID: $0, deviceID: "car") }),
            .init(Methods.eraseData, each { DataSubject(venueID: $0) }),
        ]
    }

    private static var everyProcess: [MethodUnderTest] {
        [
            .init(Methods.checkHealth, [.none: HealthCheckRequest(service: "")]),
            .init(Methods.watchHealth, [.none: HealthCheckRequest(service: "")]),
            .init(Methods.listHealth, [.none: Empty()]),
            .init(Methods.describe, [.none: Empty()]),
        ]
    }
}
