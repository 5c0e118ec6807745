public import EnergyPlanning
public import EnergyStore

/// What some commands work with besides services. Each is `nil` where this `energyctl` was built without it.
public struct CommandTools: Sendable {
    /// For `schedule solve`.
    public var planSolver: (any PlanSolver)?
    /// For `log restore`.
    public var logRestorer: (any LogRestorer)?
    /// For `store migrate`.
    public var storeMigrator: (any StoreMigrator)?

    public init(
        planSolver: (any PlanSolver)? = nil, logRestorer: (any LogRestorer)? = nil,
        storeMigrator: (any StoreMigrator)? = nil
    ) {
        (self.planSolver, self.logRestorer, self.storeMigrator) = (planSolver, logRestorer, storeMigrator)
    }
}
