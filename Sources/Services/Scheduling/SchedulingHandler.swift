internal import EnergyModel
public import EnergyTransport
internal import EnergyWire
internal import Foundation

/// Answers the service `energy.v1.Schedules`.
public struct SchedulingHandler: Sendable {
    private let scheduler: DividedScheduler

    public init(scheduler: DividedScheduler) { self.scheduler = scheduler }

    public func register(in table: inout MethodTable) {
        let scheduler = scheduler
        table.leaves = { affinity in
            guard affinity.count == 16 else { return false }
            return await scheduler.leaves(UUID(uuid: affinity.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        }
        table.on(Methods.listDevices) { (filter, _) async throws(EnergyError) in try await scheduler.devices(filter) }
        table.on(Methods.listSchedules) { (filter, _) async throws(EnergyError) in
            try await scheduler.schedules(filter)
        }
        on(Methods.putDevice, \.venueID, &table) { (device, scheduler) async throws(EnergyError) in
            try await scheduler.put(device)
        }
        on(Methods.removeDevice, \.venueID, &table) { (removal, scheduler) async throws(EnergyError) in
            try await scheduler.remove(removal)
            return Empty()
        }
        on(Methods.putGoal, \.venueID, &table) { (draft, scheduler) async throws(EnergyError) in
            try await scheduler.put(draft)
        }
        on(Methods.deleteGoal, \.venueID, &table) { (reference, scheduler) async throws(EnergyError) in
            try await scheduler.deleteGoal(of: reference)
            return Empty()
        }
        on(Methods.putRules, \.venueID, &table) { (draft, scheduler) async throws(EnergyError) in
            try await scheduler.put(draft)
        }
        on(Methods.getLimits, \.venueID, &table) { (venue, scheduler) async throws(EnergyError) in
            await scheduler.limits(of: venue)
        }
        on(Methods.putLimits, \.venueID, &table) { (limits, scheduler) async throws(EnergyError) in
            try await scheduler.put(limits)
        }
        on(Methods.putObjective, \.venueID, &table) { (draft, scheduler) async throws(EnergyError) in
            try await scheduler.put(draft)
        }
        on(Methods.getForecast, \.venueID, &table) { (venue, scheduler) async throws(EnergyError) in
            await scheduler.forecast(of: venue)
        }
        on(Methods.putForecast, \.venueID, &table) { (forecast, scheduler) async throws(EnergyError) in
            try await scheduler.put(forecast)
        }
        on(Methods.previewGoal, \.venueID, &table) { (draft, scheduler) async throws(EnergyError) in
            try await scheduler.preview(draft)
        }
        on(Methods.override, \.venueID, &table) { (request, scheduler) async throws(EnergyError) in
            try await scheduler.override(request)
        }
    }

    /// Asks whoever plans the venue that a request is about.
    private func on<Request, Reply>(
        _ method: UnaryMethod<Request, Reply>, _ venueID: any KeyPath<Request, UUID> & Sendable,
        _ table: inout MethodTable,
        _ answer: @escaping @Sendable (Request, Scheduler) async throws(EnergyError) -> Reply
    ) {
        table.on(method) { [scheduler] (request, _) async throws(EnergyError) in
            try await scheduler.of(request[keyPath: venueID]) { (scheduler) async throws(EnergyError) in
                try await answer(request, scheduler)
            }
        }
    }
}
