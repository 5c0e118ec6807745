extension ElectricHVACLoadEvent {
    /// How hard the system works.
    public struct ElectricalMeasurement: Codable, Sendable {
        /// 0 off, 100 full power, in proportion to power. A system with one stage says 100 when it runs.
        public let stage: Int

        public init(stage: Int) { self.stage = stage }
    }
}
