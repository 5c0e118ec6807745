import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import Testing

@testable import EnergyWire

@Suite struct `What is written down of requests` {
    private let trail = RecordingTrail()
    private static let venue = UUID()

    /// Whose calls are left to another replica.
    private static let left = UUID()

    private func table() -> MethodTable {
        var table = MethodTable(trail: trail)
        table.leaves = { $0 == withUnsafeBytes(of: Self.left.uuid) { Array($0) } }
        table.on(Methods.removeVenue) { (removal, _) async throws(EnergyError) in
            throw EnergyError(.notFound, "no venue \(removal.id)")
        }
        table.on(Methods.listReaders) { (_, _) async throws(EnergyError) in LogReaderList(readers: []) }
        table.on(Methods.submitEvents) { (batch, _) async throws(EnergyError) in
            SubmitResult(accepted: batch.events.count, duplicates: 0)
        }
        table.on(Methods.deleteGoal) { (_, _) async throws(EnergyError) in Empty() }
        return table
    }

    private func call(
        _ method: String, _ body: [UInt8], may permissions: Set<Permission>, at venues: Set<UUID>? = nil
    ) async -> StatusCode {
        guard case .unary(let handler)? = table().entries[method]?.handler else { return .unimplemented }
        let principal = Principal(name: "kai", permissions: permissions, venues: venues)
        do throws(CallFailure) {
            _ = try await handler(body, RequestContext(principal: principal, timeout: .seconds(1)))
            return .ok
        } catch { return error.code }
    }

    @Test func `an action is written before it is carried out and after, with its venue and end`() async {
        let goal = DeviceReference(venueID: Self.venue, deviceID: "car-1").encoded()
        #expect(await call(Methods.deleteGoal.name, goal, may: [.control]) == .ok)
        let removal = VenueRemoval(id: Self.venue).encoded()
        #expect(await call(Methods.removeVenue.name, removal, may: [.admin]) == .notFound)
        #expect(
            trail.all == [
                "begin kai Schedules/DeleteGoal 1", "end 1 OK", "begin kai Venues/Remove 1", "end 2 notFound",
            ])
    }

    @Test func `what is left to another replica that one writes down, and what is refused is not left`() async {
        let goal = DeviceReference(venueID: Self.left, deviceID: "car-1").encoded()
        #expect(await call(Methods.deleteGoal.name, goal, may: [.control]) == .unavailable)
        #expect(trail.all == [])
        #expect(await call(Methods.deleteGoal.name, goal, may: [.schedules]) == .permissionDenied)
        #expect(trail.all == ["note kai Schedules/DeleteGoal - permissionDenied"])
    }

    @Test func `a refused action is written too, and its venue where it was read`() async {
        let removal = VenueRemoval(id: Self.venue).encoded()
        #expect(await call(Methods.removeVenue.name, removal, may: [.control]) == .permissionDenied)
        #expect(await call(Methods.removeVenue.name, [255], may: [.admin]) == .invalidArgument)
        #expect(await call(Methods.removeVenue.name, removal, may: [.admin], at: [UUID()]) == .permissionDenied)
        #expect(
            trail.all == [
                "note kai Venues/Remove - permissionDenied", "note kai Venues/Remove - invalidArgument",
                "note kai Venues/Remove 1 permissionDenied",
            ])
    }

    @Test(arguments: [([255], true), ([], false)] as [([UInt8], Bool)])
    func `a body that is no message is told apart from one with a mistake`(
        body: [UInt8], isMalformed: Bool
    ) async throws {
        guard case .unary(let handler)? = table().entries[Methods.removeVenue.name]?.handler else {
            Issue.record("no such method")
            return
        }
        let failure = await #expect(throws: CallFailure.self) {
            try await handler(body, RequestContext(principal: .local, timeout: .seconds(1)))
        }
        #expect(failure?.code == .invalidArgument)
        #expect(failure?.isMalformed == isMalformed, "\(failure?.message ?? "")")
    }

    @Test func `what cannot be written down is not carried out`() async {
        trail.isFull.set(true)
        let goal = DeviceReference(venueID: Self.venue, deviceID: "car-1").encoded()
        #expect(await call(Methods.deleteGoal.name, goal, may: [.control]) == .unavailable)
        #expect(await call(Methods.listReaders.name, [], may: [.admin]) == .ok)
        #expect(trail.all == ["note kai Events/Readers - OK"])
    }

    @Test func `events are submitted without a word of it, refused or not`() async {
        let batch = EventBatch(events: [EventSamples.vehicle(.begin)]).encoded()
        #expect(await call(Methods.submitEvents.name, batch, may: [.events]) == .ok)
        #expect(await call(Methods.submitEvents.name, batch, may: []) == .permissionDenied)
        #expect(trail.all == [])
    }

    /// What a method is called says whether it changes something, where its permission does not.
    @Test func `every method that changes something is written down, those that read everything once in a while`()
        throws
    {
        let contract = try #require(ContractDescriptor())
        let names = Set(contract.methods.map(\.name).filter { !$0.hasPrefix("energy.v1.Publications/") })
        #expect(names == Set(rules.keys))
        let reading: Set = [
            "List", "Get", "History", "Sources", "Query", "Sessions", "Savings", "Preview", "Check", "Watch",
            "Describe",
            "ResolveToken", "ListDevices", "ReadLog", "Heads", "Readers",
            "ListRepairs", "Activity", "GetLimits", "GetForecast",
        ]
        for (name, rule) in rules {
            let verb = String(name.split(separator: "/").last ?? "")
            // Events are in the log themselves, with who submitted them.
            let changes = !reading.contains(verb) && verb != "Submit"
            #expect((rule == .changing) == changes, "\(name)")
        }
        #expect(
            rules.filter { $0.value == .reading }.keys.sorted() == [
                "energy.v1.Events/Heads", "energy.v1.Events/ReadLog", "energy.v1.Events/Readers",
            ])
    }

    private var rules: [String: AuditRule] {
        Dictionary(
            [
                rule(Methods.listVenues), rule(Methods.getVenue), rule(Methods.putVenue), rule(Methods.removeVenue),
                rule(Methods.listRatePlans), rule(Methods.putRatePlan), rule(Methods.removeRatePlan),
                rule(Methods.getGuidance),
                rule(Methods.putDemandResponse), rule(Methods.listDemandResponse), rule(Methods.cancelDemandResponse),
                rule(Methods.resolveToken), rule(Methods.signalHistory), rule(Methods.putSignals),
                rule(Methods.listSources), rule(Methods.testSource), rule(Methods.submitEvents), rule(Methods.readLog),
                rule(Methods.logHeads),
                rule(Methods.listSessions), rule(Methods.listReaders), rule(Methods.removeReader),
                rule(Methods.backUpLog), rule(Methods.queryInsights), rule(Methods.querySessions),
                rule(Methods.sumSavings), rule(Methods.queryActivity),
                rule(Methods.repairEvent), rule(Methods.listRepairs), rule(Methods.rebuildInsights),
                rule(Methods.listDevices),
                rule(Methods.putDevice), rule(Methods.removeDevice), rule(Methods.putGoal), rule(Methods.deleteGoal),
                rule(Methods.putRules),
                rule(Methods.getLimits), rule(Methods.putLimits), rule(Methods.putObjective),
                rule(Methods.getForecast),
                rule(Methods.putForecast), rule(Methods.previewGoal), rule(Methods.override),
                rule(Methods.listSchedules),
                rule(Methods.exportData), rule(Methods.eraseData), rule(Methods.checkHealth),
                rule(Methods.watchHealth), rule(Methods.listHealth), rule(Methods.describe),
            ], uniquingKeysWith: { $1 })
    }

    private func rule<Request, Reply>(_ method: UnaryMethod<Request, Reply>) -> (String, AuditRule) {
        (method.name, method.access.audit)
    }

    private func rule<Request, Chunk>(_ method: StreamMethod<Request, Chunk>) -> (String, AuditRule) {
        (method.name, method.access.audit)
    }
}

/// Remembers in words what it is told.
private final class RecordingTrail: AuditTrail {
    private let told = Box<[String]>([])
    let isFull = Box(false)

    var all: [String] { told.value }

    func begin(_ action: AuditedAction) async throws(CallFailure) -> UInt64 {
        if isFull.value { throw CallFailure(.unavailable, "full") }
        return told.update { told in
            told.append("begin \(action.text)")
            return UInt64(told.count { $0.hasPrefix("begin") })
        }
    }

    func end(_ number: UInt64, _ action: AuditedAction, _ failure: CallFailure?) async {
        told.update { $0.append("end \(number) \(failure.map { "\($0.code)" } ?? "OK")") }
    }

    func note(_ action: AuditedAction, _ failure: CallFailure?) async {
        told.update { $0.append("note \(action.text) \(failure.map { "\($0.code)" } ?? "OK")") }
    }
}

extension AuditedAction {
    fileprivate var text: String {
        "\(principal) \(method.replacing("energy.v1.", with: "")) \(venues.map { "\($0.count)" } ?? "-")"
    }
}
