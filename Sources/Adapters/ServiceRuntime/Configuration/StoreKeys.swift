/// Where a service stores what it keeps: the same key for every service that can choose.
public enum StoreKeys {
    /// `nil`: SQLite, in a file under `state.directory`.
    ///
    /// - Parameter isShared: whether replicas of the service may use one database.
    public static func postgreSQL(isShared: Bool) -> ConfigurationKey<String?> {
        let replicas =
            isShared
            ? "Replicas share a database." : "One process for each database: replicas cannot share it yet."
        return ConfigurationKey<String?>(
            "store.postgresql", default: "",
            allowed: """
                postgresql://USER@HOST:PORT/DATABASE, several HOST:PORT by commas, or libpq's keywords; none is SQLite
                passwords are better in a file of their own: ?passfile=PATH, PGPASSFILE or ~/.pgpass
                """,
            isSecret: true,
            help: "The PostgreSQL to store in, in place of files in state.directory. \(replicas)"
        ) { text in
            if text.isEmpty { return .some(nil) }
            let isURI = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
            return isURI || text.contains("=") ? text : nil
        }
    }
}
