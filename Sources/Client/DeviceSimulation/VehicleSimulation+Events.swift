internal import EnergyModel
internal import Foundation

/// What the car reports.
extension VehicleSimulation {
    mutating func status(_ status: VehicleStatus.Status) -> Event {
        event(
            .vehicleStatus(
                VehicleStatus(
                    status: status, stateOfCharge: stateOfCharge, energyMilliwattHours: state.battery,
                    estimatedRangeMillimetres: setup.range(of: state.battery), target: target(status),
                    sessionID: state.session?.id)))
    }

    /// While it waits or charges: where to, and when.
    private func target(_ status: VehicleStatus.Status) -> ChargingTarget? {
        switch status {
        case .unplugged, .pluggedIn: return nil
        case .idle(.targetStateOfChargeReached): return nil
        case .idle, .active: break
        }
        guard let orders = activeOrders, let run = orders.nextRun(after: now), let last = orders.runs.last else {
            return nil
        }
        // What the orders bring, which is less than the driver's usual target when the goal is an amount of energy.
        let grid = setup.power.energy(overMilliseconds: orders.milliseconds(after: now)).milliwattHours
        let battery = min(targetBattery, state.battery + grid * Int64(setup.efficiencyPercent) / 100)
        let capacity = setup.capacity.milliwattHours
        return ChargingTarget(
            stateOfCharge: Int((battery * 100 + capacity / 2) / capacity),
            estimatedCompletion: Timestamp(unixMilliseconds: last.end),
            scheduledStart: Timestamp(unixMilliseconds: run.start),
            estimatedRangeMillimetres: setup.range(of: battery))
    }

    mutating func load(_ session: ChargingSession, _ sessionState: Session.State) -> Event {
        event(
            .vehicleLoad(
                VehicleLoad(
                    session: Session(
                        id: session.id, state: sessionState, wasFollowingGuidance: session.followsGuidance,
                        guidanceToken: session.guidanceToken),
                    stateOfCharge: stateOfCharge, direction: .imported,
                    powerMilliwatts: sessionState == .active ? setup.power.milliwatts : 0,
                    energyMilliwattHours: sessionState == .begin ? 0 : sessionEnergy(session).milliwattHours,
                    estimatedRangeMillimetres: setup.range(of: state.battery),
                    // 15 °C, warmer by 1 °C per 10 minutes of charging up to 30 °C.
                    batteryTemperatureMillikelvin: 288_150
                        + min(15_000, (state.now - session.began) / 600))))
    }

    private mutating func event(_ content: Event.Content) -> Event {
        state.eventCount += 1
        return Event(
            id: SeededRandom.id(seed: setup.seed, setup.device.id, "event", "\(state.now)", "\(state.eventCount)"),
            timestamp: now, venueID: setup.venueID, device: setup.device, content: content)
    }
}
