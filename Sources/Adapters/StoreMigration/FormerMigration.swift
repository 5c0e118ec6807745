internal import EnergyModel
internal import EnergyStore
internal import PostgreSQLStore
internal import SQLColumns
internal import SQLiteStore

/// A file that was moved before: what it holds is to be what it held then.
///
/// It is not looked for in the schema, where the service has gone on with it.
struct FormerMigration {
    let service: StoredService
    let source: SQLiteSource
    let former: PostgreSQLDestination.Former
    let tell: @Sendable (MigrationProgress) -> Void

    /// Reads the file, and notes beside it that it was moved.
    ///
    /// - Throws: `.conflict` when it was written to since.
    func confirm() async throws(EnergyError) -> MigrationReport {
        guard try await content() == former.content else {
            throw EnergyError(
                .conflict,
                "\(source.path) was written to since it was moved into the schema \(former.schema) at "
                    + "\(former.finished), and what came since is not there. To give that up, go on with "
                    + "store.postgresql; to move it after all, begin again after DROP SCHEMA \(former.schema) CASCADE, "
                    + "with every such service stopped: it removes all that is stored there")
        }
        // A service that runs has its folder, whichever store it uses.
        if source.isStopped { try source.noteMoved() }
        return MigrationReport(service: service, state: .finishedBefore(former.finished))
    }

    private func content() async throws(EnergyError) -> Int64 {
        let tables = LogEvents.ofFiles(among: former.tables)
        var (digest, done, total) = (ContentDigest(), 0, 0)
        for table in tables { total += try await source.count(of: table) }
        for table in tables {
            digest.begin(table)
            var pages = Pages(of: table)
            while !pages.isAtEnd {
                pages.take(try await source.rows(of: table, after: pages.lastKey))
                digest.add(pages.page)
                done += pages.page.count
                tell(MigrationProgress(service: service, table: table.name, done: done, total: max(done, total)))
            }
        }
        return digest.column
    }
}
