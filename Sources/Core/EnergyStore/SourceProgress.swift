public import EnergyModel

/// How much of what a source said is kept: what need not be asked for again after a restart.
public struct SourceProgress: Hashable, Sendable {
    /// Until when it was asked with success.
    public var reached: Timestamp
    /// What is still to be asked for of the time before, from its end backwards; `nil` when nothing is.
    public var missing: Interval?

    public init(reached: Timestamp, missing: Interval? = nil) {
        self.reached = reached
        self.missing = missing
    }
}
