/// Where a service stores what it keeps: the same key for every service that can choose.
public enum StoreKeys {
    /// `nil`: SQLite, in a file under `state.directory`.
    ///
    /// - Parameter allAnswer: whether all replicas that share a database answer, or one while the others stand by.
    public static func postgreSQL(allAnswer: Bool) -> ConfigurationKey<String?> {
        let replicas =
            allAnswer
            ? "Replicas share a database."
            : "Of replicas that share a database one answers; another takes over within 5 s of its end."
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
