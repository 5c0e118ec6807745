internal import EnergyModel
internal import Foundation

/// The devices of one simulator, with what is written to disk of them.
struct Household {
    var car: VehicleSimulation
    var heatPump: HeatPumpSimulation
    var state: SimulatorState

    /// - Returns: whether there are events to send.
    mutating func advance(to now: Timestamp) -> Bool {
        let carEvents = car.advance(to: now, token: state.vehicleToken)
        let heatPumpEvents = heatPump.advance(to: now, token: state.heatPumpToken)
        state.post(carEvents, deviceID: car.setup.device.id)
        state.post(heatPumpEvents, deviceID: heatPump.setup.device.id)
        return !carEvents.isEmpty || !heatPumpEvents.isEmpty
    }

    var nextChange: Timestamp { Timestamp(unixMilliseconds: min(car.nextChange, heatPump.nextChange)) }

    var hasWish: Bool { car.state.wish?.isKnown == false || heatPump.state.wish?.isKnown == false }

    mutating func collect() {
        state.vehicle = car.state
        state.heatPump = heatPump.state
    }

    mutating func forgetSession(of deviceID: String) {
        if deviceID == car.setup.device.id { car.state.session = nil }
        if deviceID == heatPump.setup.device.id { heatPump.state.session = nil }
    }

    /// Takes over what the scheduler planned for one of the devices.
    mutating func follow(_ schedule: Schedule) {
        // Until the plan is there, the one before it holds.
        guard schedule.blocks.first?.reason != .beingPlanned else { return }
        if schedule.deviceID == car.setup.device.id {
            guard car.state.isPluggedIn else { return }
            car.state.orders = ChargingOrders(schedule)
        } else if schedule.deviceID == heatPump.setup.device.id {
            heatPump.state.guidanceToken = schedule.guidanceToken
            heatPump.state.limits = schedule.blocks.filter { $0.reason == .reduced }.map { block in
                HeatPumpSimulation.Limit(
                    start: block.interval.start.unixMilliseconds, end: block.interval.end.unixMilliseconds,
                    stageMax: block.stageMax)
            }
        }
    }
}
