internal import EnergyModel
public import EnergyTransport
internal import EnergyWire

/// Answers the service `energy.v1.Schedules`.
public struct SchedulingHandler: Sendable {
    private let scheduler: Scheduler

    public init(scheduler: Scheduler) { self.scheduler = scheduler }

    public func register(in table: inout MethodTable) {
        let scheduler = scheduler
        table.on(Methods.listDevices) { (filter, _) async throws(EnergyError) in await scheduler.devices(filter) }
        table.on(Methods.putDevice) { (device, _) async throws(EnergyError) in try await scheduler.put(device) }
        table.on(Methods.removeDevice) { (removal, _) async throws(EnergyError) in
            try await scheduler.remove(removal)
            return Empty()
        }
        table.on(Methods.putGoal) { (draft, _) async throws(EnergyError) in try await scheduler.put(draft) }
        table.on(Methods.deleteGoal) { (reference, _) async throws(EnergyError) in
            try await scheduler.deleteGoal(of: reference)
            return Empty()
        }
        table.on(Methods.putRules) { (draft, _) async throws(EnergyError) in try await scheduler.put(draft) }
        table.on(Methods.getLimits) { (venue, _) async throws(EnergyError) in await scheduler.limits(of: venue) }
        table.on(Methods.putLimits) { (limits, _) async throws(EnergyError) in try await scheduler.put(limits) }
        table.on(Methods.putObjective) { (draft, _) async throws(EnergyError) in try await scheduler.put(draft) }
        table.on(Methods.getForecast) { (venue, _) async throws(EnergyError) in await scheduler.forecast(of: venue) }
        table.on(Methods.putForecast) { (forecast, _) async throws(EnergyError) in try await scheduler.put(forecast) }
        table.on(Methods.previewGoal) { (draft, _) async throws(EnergyError) in try await scheduler.preview(draft) }
        table.on(Methods.override) { (request, _) async throws(EnergyError) in try await scheduler.override(request) }
        table.on(Methods.listSchedules) { (filter, _) async throws(EnergyError) in await scheduler.schedules(filter) }
    }
}
