import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Synchronization

@testable import EnergyDashboard

/// A home's services that keep what they are told, for the pages alone.
final class FakeServices: Sendable {
    struct State {
        var venues: [Venue] = []
        var plans: [RatePlan] = []
        var devices: [ManagedDevice] = []
        var limits = VenueLimits(venueID: UUID(), isDefault: true)
        var events: [DemandResponseEvent] = []
        var schedules: [Schedule] = []
        /// What was asked for, in order.
        var goals: [GoalDraft] = []
        var removedGoals: [UUID?] = []
        var isGoalRefused = false
        var isOverrideRefused = false
        var preview: GoalPreview?
        var sources: [RegionSource] = []
        /// Of regions without a home.
        var offered: [RegionSource] = []
        /// Answers to tests, by the source's name.
        var tests: [String: SourceTest] = [:]
        /// In place of an answer to what is to be stored.
        var failure: EnergyError?
        /// Whether anybody is there to be asked.
        var isReached = true
        var permissions = Set(Permission.allCases)
        /// What is known of a past.
        var history: @Sendable (Interval) -> [SignalInterval] = { _ in [] }
        var historyAsked = 0
    }
    private let kept = Mutex(State())

    var state: State {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    let presence = ServicePresence()

    var pages: Pages {
        let connection = Connection(client: TableClient(table), isReached: state.isReached)
        return Pages(
            reader: HomeReader(
                connections: DashboardConnections(
                    guidance: connection, events: connection, insights: connection, schedules: connection),
                presence: presence,
                clock: ManualWallClock(start: Timestamp(unixMilliseconds: 1_782_864_000_000), clock: ManualClock())))
    }

    private struct Connection: RequestClient, Subscriber {
        let client: TableClient
        let isReached: Bool

        func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
            guard isReached else { throw .noConnection }
            return try await client.call(method, body, options: options)
        }
        func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
            client.stream(method, body, options: options)
        }
        func subscribe(_ prefix: String) -> Subscription { Subscription { .init { nil } } }
    }

    private var table: MethodTable {
        var table = MethodTable()
        table.on(Methods.describe) { [self] (_, _) in
            DescribeReply(fileDescriptorSet: [], methods: [], version: "1", permissions: state.permissions)
        }
        table.on(Methods.listVenues) { [self] (_, _) in VenueList(venues: state.venues) }
        table.on(Methods.putVenue) { [self] (draft, _) async throws(EnergyError) in try put(draft) }
        table.on(Methods.removeVenue) { (_, _) async throws(EnergyError) in
            throw EnergyError(.conflict, "the venue is one of the configured")
        }
        table.on(Methods.listSources) { [self] (_, _) in
            SourceList(sources: state.sources, regions: ["CISO", "DE", "GB"], offered: state.offered)
        }
        table.on(Methods.testSource) { [self] (reference, _) async throws(EnergyError) in
            guard let test = state.tests[reference.source] else { throw EnergyError(.notFound, "no such source") }
            return test
        }
        table.on(Methods.signalHistory) { [self] (request, _) in
            state.historyAsked += 1
            return SignalHistory(intervals: state.history(request.interval))
        }
        table.on(Methods.listRatePlans) { [self] (_, _) in RatePlanList(ratePlans: state.plans) }
        table.on(Methods.putRatePlan) { [self] (plan, _) in
            state.plans = state.plans.filter { $0.id != plan.id } + [plan]
            return plan
        }
        table.on(Methods.removeRatePlan) { [self] (removal, _) async throws(EnergyError) in
            guard let plan = state.plans.first(where: { $0.id == removal.id }) else {
                throw EnergyError(.notFound, "there is no such rate plan")
            }
            state.plans.removeAll { $0.id == removal.id }
            return plan
        }
        table.on(Methods.removeDevice) { [self] (removal, _) async throws(EnergyError) in
            guard state.devices.contains(where: { $0.device.id == removal.deviceID }) else {
                throw EnergyError(.notFound, "no such device")
            }
            state.devices.removeAll { $0.device.id == removal.deviceID }
            return Empty()
        }
        table.on(Methods.listDevices) { [self] (_, _) in DeviceList(devices: state.devices) }
        table.on(Methods.putDevice) { [self] (device, _) in
            state.devices = state.devices.filter { $0.device.id != device.device.id } + [device]
            return device
        }
        table.on(Methods.putRules) { [self] (draft, _) in
            for index in state.devices.indices where state.devices[index].device.id == draft.deviceID {
                state.devices[index].rules = draft.rules
            }
            return state.devices[0]
        }
        addGoals(to: &table)
        table.on(Methods.getLimits) { [self] (_, _) in state.limits }
        table.on(Methods.putLimits) { [self] (limits, _) in
            state.limits = limits
            return limits
        }
        table.on(Methods.listDemandResponse) { [self] (_, _) in DemandResponseList(events: state.events) }
        table.on(Methods.putDemandResponse) { [self] (event, _) in
            state.events.append(event)
            return event
        }
        table.on(Methods.cancelDemandResponse) { [self] (reference, _) async throws(EnergyError) in
            guard let event = state.events.first(where: { $0.id == reference.id }) else {
                throw EnergyError(.notFound, "no such event")
            }
            state.events.removeAll { $0.id == event.id }
            return event
        }
        return table
    }

    private func addGoals(to table: inout MethodTable) {
        table.on(Methods.listSchedules) { [self] (_, _) in ScheduleList(schedules: state.schedules) }
        table.on(Methods.putGoal) { [self] (draft, _) async throws(EnergyError) in
            if state.isGoalRefused { throw EnergyError(.rateLimited, "too many goals") }
            state.goals.append(draft)
            return state.schedules[0]
        }
        table.on(Methods.previewGoal) { [self] (_, _) async throws(EnergyError) in
            guard let preview = state.preview else { throw EnergyError(.rateLimited, "too many previews") }
            return preview
        }
        table.on(Methods.override) { [self] (_, _) async throws(EnergyError) in
            if state.isOverrideRefused { throw EnergyError(.conflict, "no answer; within a second") }
            return state.schedules[0]
        }
        table.on(Methods.deleteGoal) { [self] (reference, _) in
            state.removedGoals.append(reference.goalID)
            return Empty()
        }
    }

    private func put(_ draft: VenueDraft) throws(EnergyError) -> Venue {
        if let failure = state.failure { throw failure }
        guard state.permissions.contains(.admin) else {
            throw EnergyError(.denied, "wall has no permission for this; it needs 'admin'")
        }
        guard ["CISO", "DE", "GB"].contains(draft.region) else {
            throw .invalidInput(
                RuleViolation(field: "venue.region", rule: "must have a signal source", value: draft.region))
        }
        let venue = Venue(
            id: draft.id ?? UUID(), name: draft.name, timeZone: draft.timeZone, region: draft.region,
            ratePlanID: draft.ratePlanID, homeIDs: draft.homeIDs, priceWeight: draft.priceWeight,
            changed: Timestamp(unixMilliseconds: 0))
        state.venues = state.venues.filter { $0.id != venue.id } + [venue]
        return venue
    }
}

extension PageRequest {
    /// A form as a browser sends it, or a page that is asked for.
    static func sent(_ path: String, _ form: String? = nil, query: String = "") -> PageRequest {
        var request = PageRequest()
        request.path = path
        request.query = fields(query)
        if let form {
            request.method = "POST"
            request.form = fields(form)
        }
        return request
    }
}

extension FakeServices {
    static let now = Timestamp(unixMilliseconds: 1_782_864_000_000)

    /// A home with a car that has goals.
    ///
    /// - Parameter hours: from now until each of the goals.
    convenience init(goalsIn hours: [Int64]) {
        self.init()
        let venue = Venue(
            id: UUID(), name: "Home", timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, region: "GB",
            changed: Self.now)
        let goals = hours.map { hours in
            Goal(
                id: UUID(), venueID: venue.id, deviceID: "car",
                readyBy: Self.now.advanced(byMilliseconds: hours * .millisecondsPerHour),
                target: .stateOfCharge(Int(40 + hours)), created: Self.now)
        }
        let block = ScheduleBlock(
            interval: Interval(start: Self.now, milliseconds: .millisecondsPerHour), power: .zero, stageMax: 0,
            energy: .zero, rating: 0.1, reason: .waitingForCleanerEnergy)
        state.venues = [venue]
        state.devices = [
            ManagedDevice(device: Device(id: "car", name: "Car", kind: .electricVehicle), venueID: venue.id)
        ]
        state.schedules = [
            Schedule(
                id: UUID(), venueID: venue.id, deviceID: "car", goal: goals[0], revision: 1, planned: Self.now,
                guidanceToken: nil, blocks: [block], required: .zero, plannedEnergy: .zero, explanation: "",
                goals: goals)
        ]
    }
}

extension Reply {
    var text: String { String(decoding: body, as: UTF8.self) }
    var location: String? { headers.first { $0.name == "location" }?.value }
    var cookies: [String] { headers.filter { $0.name == "set-cookie" }.map(\.value) }
    var isLive: Bool { text.contains("data-live-venue") }
}
