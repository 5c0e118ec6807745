public import EnergyModel
public import EnergyStore
internal import PostgreSQLStore
internal import SQLColumns
public import SQLiteStore

/// ``StoreMigrator`` from the files of ``SQLiteStore`` into a PostgreSQL database.
public struct SQLiteToPostgreSQL: StoreMigrator {
    private let host: SourceHost

    /// - Parameter host: that the files are on: this one.
    public init(host: SourceHost = .current) { self.host = host }

    public func migrate(
        _ service: StoredService, state: String, connection: String, now: Timestamp,
        tell: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws(EnergyError) -> MigrationReport {
        let source = try SQLiteSource(service, in: state, on: host)
        let result: Result<MigrationReport, EnergyError>
        do throws(EnergyError) {
            result = .success(try await Self.migrate(service, from: source, connection, now: now, tell))
        } catch { result = .failure(error) }
        try source.close()
        return try result.get()
    }

    private static func migrate(
        _ service: StoredService, from source: SQLiteSource, _ connection: String, now: Timestamp,
        _ tell: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws(EnergyError) -> MigrationReport {
        let origin = MigrationOrigin(path: source.path, id: source.id, host: source.host.name)
        switch try await PostgreSQLDestination.begin(service, connection, from: origin, now: now) {
        case .filling(let target): return try await fill(target, service, from: source, now: now, tell)
        case .finished(let former):
            return try await FormerMigration(service: service, source: source, former: former, tell: tell).confirm()
        }
    }

    private static func fill(
        _ target: PostgreSQLDestination, _ service: StoredService, from source: SQLiteSource, now: Timestamp,
        _ tell: @escaping @Sendable (MigrationProgress) -> Void
    ) async throws(EnergyError) -> MigrationReport {
        let result: Result<MigrationReport, EnergyError>
        do throws(EnergyError) {
            var run = try await MigrationRun(service, source, target, now: now, tell: tell)
            try await run.copy()
            let report = MigrationReport(
                service: service, state: source.isStopped ? .finished : .copied, tables: run.copied,
                removedRecords: try await source.removedRecords())
            if source.isStopped {
                let digest = try await run.compare()
                // First: should this end in between, the service starts neither there nor here until it was run again.
                try source.noteMoved()
                try await target.finish(content: digest.column, now: now)
            }
            result = .success(report)
        } catch { result = .failure(error) }
        await target.close()
        return try result.get()
    }
}

/// All tables of one service, one after the other.
private struct MigrationRun {
    private let service: StoredService
    private let source: SQLiteSource
    private let target: PostgreSQLDestination
    private let tables: [StoredTable]
    private let events: LogEvents?
    private let total: Int
    private let tell: (MigrationProgress) -> Void
    private var done = 0
    private(set) var copied: [MigrationReport.Table] = []

    init(
        _ service: StoredService, _ source: SQLiteSource, _ target: PostgreSQLDestination, now: Timestamp,
        tell: @escaping (MigrationProgress) -> Void
    ) async throws(EnergyError) {
        (self.service, self.source, self.target, self.tell) = (service, source, target, tell)
        tables = LogEvents.ofFiles(among: target.tables)
        let known = target.tables.first { $0.name == LogEvents.eventTable }
        events = tables.first { $0.name == LogEvents.recordTable }.flatMap { records in
            known.map { LogEvents(records: records, table: $0, now: now) }
        }
        var total = 0
        for table in tables { total += try await source.count(of: table) }
        self.total = source.isStopped ? 2 * total : total
    }

    mutating func copy() async throws(EnergyError) {
        for table in tables {
            var copy = copy(of: table)
            try await copy.run { note($0, table) }
            copied.append(.init(name: table.name, rows: copy.rows, written: copy.written, removed: copy.removed))
        }
    }

    /// - Returns: of what the source has.
    /// - Throws: `.dataLoss` when something is not there as it was copied.
    mutating func compare() async throws(EnergyError) -> ContentDigest {
        var digest = ContentDigest()
        for table in tables {
            var copy = copy(of: table)
            let differences = try await copy.compare(adding: &digest) { note($0, table) }
            guard differences == 0 else {
                throw EnergyError(
                    .dataLoss,
                    "\(differences) rows of \(table.name) are not as they were copied: something else writes into the schema. "
                        + "Stop that, and run this again")
            }
        }
        return digest
    }

    private func copy(of table: StoredTable) -> TableCopy {
        TableCopy(table, source, target, events: table.name == LogEvents.recordTable ? events : nil)
    }

    private mutating func note(_ rows: Int, _ table: StoredTable) {
        done += rows
        tell(MigrationProgress(service: service, table: table.name, done: done, total: max(done, total)))
    }
}
