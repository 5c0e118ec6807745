import EnergyModel
import EnergyTransport
import EnergyWire

@testable import EnergyCommands

extension FakeHome {
    static func addSchedules(_ store: Box, _ table: inout MethodTable) {
        table.on(Methods.listSchedules) { (filter, _) async throws(EnergyError) in
            ScheduleList(schedules: store { $0.schedules.filter { filter.deviceID ?? $0.deviceID == $0.deviceID } })
        }
        table.on(Methods.listDevices) { (_, _) async throws(EnergyError) in DeviceList(devices: store { $0.devices }) }
        table.on(Methods.putDevice) { (device, _) async throws(EnergyError) in
            store { $0.devices.append(device) }
            return device
        }
        table.on(Methods.putGoal) { (goal, _) async throws(EnergyError) in
            store { $0.goals.append(goal) }
            if store({ $0.isSlow }) { throw EnergyError(CallFailure.deadlineExceeded) }
            return Samples.schedule()
        }
        table.on(Methods.putRules) { (draft, _) async throws(EnergyError) in
            store { $0.rules.append(draft) }
            return ManagedDevice(device: Samples.car, venueID: draft.venueID, rules: draft.rules)
        }
        table.on(Methods.getLimits) { (venue, _) async throws(EnergyError) in
            store { $0.limits.last } ?? VenueLimits(venueID: venue.venueID, isDefault: true)
        }
        table.on(Methods.putLimits) { (limits, _) async throws(EnergyError) in
            store { $0.limits.append(limits) }
            return limits
        }
        table.on(Methods.putObjective) { (draft, _) async throws(EnergyError) in
            store {
                var limits = $0.limits.last ?? VenueLimits(venueID: draft.venueID, isDefault: true)
                limits.objective = draft.objective
                $0.limits.append(limits)
                return limits
            }
        }
        table.on(Methods.getForecast) { (venue, _) async throws(EnergyError) in
            store { $0.forecasts.last } ?? VenueForecast(venueID: venue.venueID)
        }
        table.on(Methods.putForecast) { (forecast, _) async throws(EnergyError) in
            store { $0.forecasts.append(forecast) }
            return forecast
        }
        table.on(Methods.override) { (request, _) async throws(EnergyError) in
            store { $0.overrides.append(request) }
            return Samples.schedule()
        }
        table.on(Methods.removeDevice) { (removal, _) async throws(EnergyError) in
            store { $0.removedDevices.append(removal.deviceID) }
            return Empty()
        }
        table.on(Methods.previewGoal) { (_, _) async throws(EnergyError) in Samples.preview() }
        table.on(Methods.deleteGoal) { (device, _) async throws(EnergyError) in
            guard device.deviceID == Samples.car.id else { throw EnergyError(.notFound, "no such device") }
            let known = store { $0.schedules.flatMap(\.goals).map(\.id) }
            if let id = device.goalID, !known.contains(id) {
                throw EnergyError(.notFound, "the device has no such goal: it has \(known.map(\.text))")
            }
            store { $0.schedules = [] }
            return Empty()
        }
    }
}
