internal import EnergyModel
internal import EnergyWire

extension Household {
    /// The first goal that the scheduler does not have yet.
    var wishedGoal: GoalDraft? {
        if let wish = car.state.wish, !wish.isKnown {
            return GoalDraft(
                venueID: car.setup.venueID, deviceID: car.setup.device.id,
                readyBy: Timestamp(unixMilliseconds: wish.readyBy), target: .stateOfCharge(wish.stateOfCharge))
        }
        if let wish = heatPump.state.wish, !wish.isKnown {
            return GoalDraft(
                venueID: heatPump.setup.venueID, deviceID: heatPump.setup.device.id,
                readyBy: Timestamp(unixMilliseconds: wish.readyBy),
                target: .reduce(maxMilliseconds: HeatPumpSimulation.reduceMillisecondsMax))
        }
        return nil
    }

    /// The scheduler has the goal, or will never take it.
    mutating func markKnown(_ draft: GoalDraft) {
        if draft.deviceID == car.setup.device.id, car.state.wish?.readyBy == draft.readyBy.unixMilliseconds {
            car.state.wish?.isKnown = true
        }
        if draft.deviceID == heatPump.setup.device.id, heatPump.state.wish?.readyBy == draft.readyBy.unixMilliseconds {
            heatPump.state.wish?.isKnown = true
        }
    }
}
