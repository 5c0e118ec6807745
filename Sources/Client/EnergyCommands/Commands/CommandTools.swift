public import EnergyPlanning
public import EnergyStore

/// What some commands work with besides services. Each is `nil` where this `energyctl` was built without it.
public struct CommandTools: Sendable {
    /// For `schedule solve`.
    public var planSolver: (any PlanSolver)?
    /// For `store backup`.
    public var backupMaker: (any StoreBackupMaker)?
    /// For `store restore` and `log restore`.
    public var storeRestorer: (any StoreRestorer)?
    /// For `store migrate`.
    public var storeMigrator: (any StoreMigrator)?

    public init(
        planSolver: (any PlanSolver)? = nil, backupMaker: (any StoreBackupMaker)? = nil,
        storeRestorer: (any StoreRestorer)? = nil, storeMigrator: (any StoreMigrator)? = nil
    ) {
        (self.planSolver, self.backupMaker) = (planSolver, backupMaker)
        (self.storeRestorer, self.storeMigrator) = (storeRestorer, storeMigrator)
    }
}
