/// What a vehicle's charging has to keep to besides its goals. Of other loads only the priority counts, and of heating and
/// cooling the cost of a start.
public struct ChargingRules: Hashable, Sendable {
    /// Whole percent, `0...100`: up to there it is charged at once, whatever that costs. 0 is none.
    public let stateOfChargeMin: Int
    /// Times that cost more are not used, in the contract's currency; `nil` is no ceiling.
    public let priceMax: Price?
    /// g CO2 per kWh, `>= 0`; times that emit more are not used.
    public let carbonMax: Double?
    /// At most ``Absence/countMax``.
    public let absences: [Absence]
    /// `-100...100`: when not all devices of a venue can have what they need, those with a higher one have it first.
    public let priority: Int
    public let shape: ChargingShape

    public init(
        stateOfChargeMin: Int = 0, priceMax: Price? = nil, carbonMax: Double? = nil, absences: [Absence] = [],
        priority: Int = 0, shape: ChargingShape = ChargingShape()
    ) {
        self.stateOfChargeMin = stateOfChargeMin
        self.priceMax = priceMax
        self.carbonMax = carbonMax
        self.absences = absences
        self.priority = priority
        self.shape = shape
    }
}

/// What the owner wants of a vehicle in place of its plan.
public enum ChargeOverride: String, Hashable, Sendable, CaseIterable, Codable {
    /// Charges toward its goals with all that the limits and loads of a higher priority leave it, until they are reached
    /// or a deadline is over at which it does not charge so.
    case chargeNow
    /// Does not charge until it is resumed.
    case paused
    /// Does not charge until it is resumed or the next deadline is over; goals that are due later are planned from then on.
    case stopped
}

/// What an owner does about a plan.
public enum OverrideAction: String, Hashable, Sendable, CaseIterable, Codable {
    case chargeNow, pause, stop
    /// Back to the plan. While that holds: the deadline that was skipped last counts again, if it is not over.
    case resume
    /// The deadline that is due first does not count: of a goal that repeats, the one after it is next. It is a deadline that
    /// is left out, not a run: for another goal the device may run before then.
    case skipNext
}
