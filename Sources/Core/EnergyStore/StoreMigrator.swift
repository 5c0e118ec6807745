public import EnergyModel

/// Moves what a service stores into another kind of store.
///
/// While the service runs its rows are copied as they are, so that little is left to do once it is stopped; then the rest is
/// copied, every row is compared, and the service may go on there. What broke off goes on with the next call: rows that are
/// there already are compared, and written only where they differ. Once it is finished, the file is only looked at.
public protocol StoreMigrator: Sendable {
    /// - Parameters:
    ///   - state: the service's state directory, or the folder that it is in under the service's name. Its files keep
    ///     what they hold; one is put beside them by which they are known again.
    ///   - connection: of the PostgreSQL database, as the service will be told it.
    ///   - tell: hears how far it is, after each page of rows.
    /// - Throws: ``EnergyError`` `.notFound` where the service has stored nothing; `.conflict` when the target holds what
    ///   did not come from this file on this host, or the file was written to since it was moved; `.dataLoss` when the
    ///   source is damaged, or a row is not as it was read; `.invalidInput` for a connection that cannot be read, and for a
    ///   source of another version; `.unavailable` when either cannot be used now.
    func migrate(
        _ service: StoredService, state: String, connection: String, now: Timestamp,
        tell: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws(EnergyError) -> MigrationReport
}

/// A service that keeps something. The raw value is its executable, and the usual name of its state directory.
public enum StoredService: String, CaseIterable, Sendable {
    case guidancePublisher = "guidance-publisher"
    case eventIngestor = "event-ingestor"
    case insightService = "insight-service"
    case scheduler
}

/// How far a migration is.
public struct MigrationProgress: Hashable, Sendable {
    public let service: StoredService
    public let table: String
    /// Rows that were copied or compared, of all tables.
    public let done: Int
    /// Of `done` in the end, as far as is known.
    public let total: Int

    public init(service: StoredService, table: String, done: Int, total: Int) {
        (self.service, self.table, self.done, self.total) = (service, table, done, total)
    }
}

/// What a migration did.
public struct MigrationReport: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// The service runs: what it stores meanwhile is not there yet.
        case copied
        /// Every row is there, and was compared with where it came from.
        case finished
        /// That was done before from the same file, which still holds what it held then: nothing was written.
        case finishedBefore(Timestamp)
    }

    public struct Table: Hashable, Sendable {
        public let name: String
        /// That the source has.
        public let rows: Int
        /// That were not there, or not as they are.
        public let written: Int
        /// That the source no longer has.
        public let removed: Int

        public init(name: String, rows: Int, written: Int, removed: Int) {
            (self.name, self.rows, self.written, self.removed) = (name, rows, written, removed)
        }
    }

    public let service: StoredService
    public let state: State
    /// By name.
    public let tables: [Table]
    /// Records of a log that retention had removed. Ids of events in those that it removed before they were copied were
    /// not moved: the file has them by keys that nobody can undo.
    public let removedRecords: Int

    public init(service: StoredService, state: State, tables: [Table] = [], removedRecords: Int = 0) {
        (self.service, self.state, self.tables, self.removedRecords) = (service, state, tables, removedRecords)
    }
}
