internal import CPostgreSQL
internal import EnergyModel
internal import Foundation

/// Where to connect to: a connection string of libpq's, read once. Never shown: there may be a password in it.
struct PostgreSQLTarget: Sendable {
    private let text: String
    private let hostCount: Int
    private let name: String

    /// - Parameter name: shown by the server as what is connected.
    /// - Throws: ``EnergyError`` `.invalidInput` for a string that libpq does not understand.
    init(_ text: String, name: String) throws(EnergyError) {
        // libpq's own message would repeat parts of the string.
        guard let options = PQconninfoParse(text, nil) else {
            throw EnergyError(
                .invalidInput,
                "the connection string of PostgreSQL cannot be read: it must be postgresql://USER@HOST:PORT/DATABASE, or "
                    + "keywords of libpq's such as host=HOST dbname=DATABASE")
        }
        defer { PQconninfoFree(options) }
        var hosts = 1
        var next = options
        while let keyword = next.pointee.keyword {
            if ["host", "hostaddr"].contains(String(cString: keyword)), let value = next.pointee.val {
                hosts = max(hosts, String(cString: value).split(separator: ",").count)
            }
            next += 1
        }
        (self.text, self.name, hostCount) = (text, name, hosts)
    }

    /// Blocks. What the string says goes before what is said here, but for the encoding.
    func connect(until deadline: ContinuousClock.Instant) throws(PostgreSQLProblem) -> OpaquePointer {
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else { throw .timeout }
        // Seconds for each host: so the last one gets its turn. libpq takes less than 2 for 2.
        let seconds = max(2, Int(rest.components.seconds) / hostCount)
        let options = [
            ("fallback_application_name", name), ("connect_timeout", "\(seconds)"),
            ("target_session_attrs", "read-write"),
            // A peer that is cut off says nothing: this is how long unanswered bytes are waited for.
            ("tcp_user_timeout", "3000"), ("keepalives_idle", "10"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"),
            ("dbname", text), ("client_encoding", "UTF8"),
        ]
        let opened = Self.withCStrings(options.map(\.0)) { names in
            Self.withCStrings(options.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let opened else { throw .lost("no memory") }
        guard PQstatus(opened) == CONNECTION_OK else {
            defer { PQfinish(opened) }
            throw Self.refusal(opened)
        }
        return opened
    }

    /// libpq's own words: they name host and port, and are for who starts a service.
    private static func refusal(_ connection: OpaquePointer) -> PostgreSQLProblem {
        var words = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        if let password = PQpass(connection).map({ String(cString: $0) }), !password.isEmpty {
            words = words.replacingOccurrences(of: password, with: "***")
        }
        let lines = words.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let reason = String(lines.joined(separator: "; ").prefix(500))
        return .unreachable(reason, remedy: isLasting(reason) ? .none : .connectAgain)
    }

    /// Whether no waiting changes it. libpq says so in English, and gives no code; a server that speaks another language is
    /// asked again until the time is over. Only the last host counts: no host is tried after one that refuses who asks, and
    /// those before it may come back.
    private static func isLasting(_ reason: String) -> Bool {
        guard let last = reason.ranges(of: "connection to server").last else {
            // No host was asked: a keyword has a value that cannot be, or a file cannot be used.
            return !reason.contains("could not translate host name")
        }
        return [
            "authentication failed", "no password supplied", "no pg_hba.conf entry", "pg_hba.conf rejects",
            "certificate", "private key", "server does not support SSL", "FATAL:  database", "FATAL:  role",
            "FATAL:  permission denied",
        ].contains { reason[last.lowerBound...].contains($0) }
    }

    /// Ends with a null pointer, as libpq wants it.
    private static func withCStrings<Value>(
        _ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { $0.map { UnsafePointer($0) } } + [nil])
    }
}
