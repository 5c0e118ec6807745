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
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            throw Self.unreadable(message.map { String(cString: $0) } ?? "")
        }
        let values = Dictionary(Self.values(options), uniquingKeysWith: { $1 })
        let hosts = ["host", "hostaddr"].map { values[$0, default: ""].split(separator: ",") }
        // One that begins so is a socket without a file.
        let isMisread = hosts.joined().contains { $0.dropFirst().contains("@") }
        guard !isMisread, values["port", default: ""].allSatisfy({ $0.isNumber || $0 == "," }) else {
            throw EnergyError(
                .invalidInput,
                "the connection string of PostgreSQL cannot be read: its host or port is none; in a URI a '/' of the "
                    + "password is written %2F, a '@' %40, a ':' %3A")
        }
        (self.text, self.name, hostCount) = (text, name, max(1, hosts.map(\.count).max() ?? 1))
    }

    /// - Parameter message: libpq's own: it may repeat any part of the string, also a password.
    private static func unreadable(_ message: String) -> EnergyError {
        let known = PQconndefaults().map { values($0).map(\.keyword) } ?? []
        let unknown = message.firstMatch(of: /(?:invalid connection option|invalid URI query parameter:) "(.+?)"/)
        let near = unknown.flatMap { NearMiss.nearest(to: String($0.1), in: known) }
        return EnergyError(
            .invalidInput,
            "the connection string of PostgreSQL cannot be read: "
                + (near.map { "did you mean the keyword '\($0)'?" }
                    ?? (unknown == nil ? "" : "it has a keyword that libpq does not know; ")
                        + "it must be postgresql://USER@HOST:PORT/DATABASE, or keywords of libpq's such as host=HOST "
                        + "dbname=DATABASE")
        )
    }

    /// Frees the options.
    private static func values(
        _ options: UnsafeMutablePointer<PQconninfoOption>
    ) -> [(keyword: String, value: String)] {
        defer { PQconninfoFree(options) }
        var values: [(keyword: String, value: String)] = []
        var next = options
        while let keyword = next.pointee.keyword {
            values.append((String(cString: keyword), next.pointee.val.map { String(cString: $0) } ?? ""))
            next += 1
        }
        return values
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
        return whyRefused(reason).because(reason)
    }

    /// What no waiting changes needs no second attempt. libpq says it in English, and gives no code; a server that speaks
    /// another language is asked again until the time is over.
    private static func whyRefused(_ reason: String) -> PostgreSQLProblem {
        // Only the last host counts: none is tried after one that refuses who asks, and those before it may come back.
        let asked = reason.ranges(of: "connection to server").last
        let last = reason[(asked?.lowerBound ?? reason.startIndex)...]
        let isOfString =
            ["invalid integer value"] + (asked == nil ? ["invalid ", "could not match", "could not parse"] : [])
        if isOfString.contains(where: { last.contains($0) }) { return .unusable }
        let isRefused = [
            "authentication failed", "no password supplied", "no pg_hba.conf entry", "pg_hba.conf rejects",
            "certificate", "private key", "server does not support SSL", "FATAL:  database", "FATAL:  role",
            "FATAL:  permission denied",
        ].contains { last.contains($0) }
        return isRefused ? .refused : .unreachable
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
