/// Where a service stores what it keeps: the same key for every service that can choose.
public enum StoreKeys {
    /// What replicas of a service that share a database do.
    public enum Replicas: String {
        case work = "Replicas share a database."
        case follow =
            "Replicas that share a database all answer; one leads, and another takes over within 5 s of its end."
        case divide =
            "Replicas that share a database divide the venues among them, and take over those of another within 5 s of its end."
    }

    /// Of each process, to a PostgreSQL.
    public static let connections = ConfigurationKey<Int>.integer(
        "store.connections", default: 8, in: 2...100,
        help: """
            Connections to PostgreSQL at a time; one more is for who leads, or plans what. Its max_connections has to do for \
            all replicas of all services.
            """)

    /// `nil`: SQLite, in a file under `state.directory`.
    public static func postgreSQL(replicas: Replicas) -> ConfigurationKey<String?> {
        ConfigurationKey<String?>(
            "store.postgresql", default: "",
            allowed: """
                postgresql://USER@HOST:PORT/DATABASE, several HOST:PORT by commas, or libpq's keywords; none is SQLite
                passwords are better in a file of their own: ?passfile=PATH, PGPASSFILE or ~/.pgpass
                """,
            isSecret: true,
            help: "The PostgreSQL to store in, in place of files in state.directory. \(replicas.rawValue)"
        ) { text in
            if ["", "none"].contains(text) { return .some(nil) }
            let isURI = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
            // A choice of text or nil would be an accepted nil: SQLite, and nobody would know.
            guard isURI || text.contains("=") else { return .none }
            return .some(text)
        }
    }
}
