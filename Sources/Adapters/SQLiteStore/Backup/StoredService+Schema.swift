internal import EnergyStore
internal import GRDB

extension StoredService {
    /// What makes and changes the tables of its file.
    var schema: DatabaseMigrator {
        switch self {
        case .guidancePublisher: GuidanceMigrations.migrator
        case .eventIngestor: EventLogSchema.migrator
        case .insightService: SQLiteInsightStore.migrator
        case .scheduler: SQLiteScheduleSchema.migrator
        }
    }

    /// Whose a database is: it says itself which changes were made to its tables, and the first one of each service has
    /// a name of its own.
    ///
    /// - Returns: `nil` for a database of something else.
    static func owner(of connection: Database) throws -> StoredService? {
        let made = try DatabaseMigrator().appliedIdentifiers(connection)
        return allCases.first { service in service.schema.migrations.first.map { made.contains($0) } ?? false }
    }
}
