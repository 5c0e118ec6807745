/// What a goal would do and cost if it were set now.
public struct GoalPreview: Hashable, Sendable {
    public struct Course: Hashable, Sendable {
        /// From now until the deadline, without gaps.
        public let blocks: [ScheduleBlock]
        public let planned: Energy
        /// What cannot be had by the deadline.
        public let missing: Energy
        /// Millionths of the contract's currency, of the device's runs; in a home whose battery or heating is planned too,
        /// the whole home's with the goal less the home's without, which may be negative, unless others get less for it.
        /// `nil` without prices. Hours to come that have no price yet cost what the forecast says.
        public let costMicros: Int64?
        /// Grams of CO2; `nil` where guidance does not tell.
        public let carbonGrams: Double?
        /// Mean of the energy, 0 best .. 1 worst.
        public let rating: Double
        public let explanation: String

        public init(
            blocks: [ScheduleBlock], planned: Energy, missing: Energy, costMicros: Int64?, carbonGrams: Double?,
            rating: Double, explanation: String
        ) {
            self.blocks = blocks
            self.planned = planned
            self.missing = missing
            self.costMicros = costMicros
            self.carbonGrams = carbonGrams
            self.rating = rating
            self.explanation = explanation
        }

        /// When its last run ends; `nil` if it does not run. A home battery that gives does not run.
        public var ready: Timestamp? { blocks.last { $0.power > .zero && !$0.isDischarging }?.interval.end }
    }

    /// As the goal would be planned, beside the venue's other devices.
    public let planned: Course
    /// At full power from now on, above its ceilings too; an absence holds unless the vehicle tells that it is there.
    public let atOnce: Course
    /// As if no fuse were in its way and no rule for its runs; nor another device, unless a home battery or a building is
    /// planned too. Its ceilings and absences hold.
    public let best: Course
    /// ISO 4217; `nil` without a contract.
    public let currency: String?

    public init(planned: Course, atOnce: Course, best: Course, currency: String?) {
        self.planned = planned
        self.atOnce = atOnce
        self.best = best
        self.currency = currency
    }
}
