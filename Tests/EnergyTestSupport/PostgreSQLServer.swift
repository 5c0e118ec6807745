internal import EnergyTransport
internal import Foundation
internal import Testing

/// A PostgreSQL server of the tests' own, in a temporary folder, on a port of the loopback. It ends with this process,
/// however that ends.
public final class PostgreSQLServer: Sendable {
    /// The server that tests share; each asks it for a database of its own.
    public static let shared = Task { try await PostgreSQLServer() }

    /// Whether the server's programs are installed. In CI they must be: there a test that needs them fails. Elsewhere it is
    /// said once that what needs them is skipped.
    public static let isInstalled: Bool = {
        if programs != nil || ProcessInfo.processInfo.environment["CI"] == "true" { return true }
        print("skipped: what needs a PostgreSQL server, of which there is none in /usr/lib/postgresql")
        return false
    }()

    private static let programs: URL? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.map {
            URL(filePath: "/usr/lib/postgresql/\($0)/bin")
        }.last { FileManager.default.isExecutableFile(atPath: $0.appending(path: "initdb").path) }
    }()

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let port: Int
    /// Of the one user, `gridtide`, who may do everything.
    public let password = "a secret of the tests"
    /// Where its unix socket is.
    public let folder: TemporaryFolder
    private let process = Locked<Process?>(nil)
    private let input = Pipe()

    /// Starts a server and waits until it takes connections.
    ///
    /// - Parameters:
    ///   - settings: of `postgresql.conf`, beside those that make tests fast: what was written is not flushed.
    ///   - encrypted: with a key of its own and a certificate for 127.0.0.1, signed with it: `server.crt` in ``folder``.
    ///   - primary: whom it follows, reading only, until it is promoted.
    public init(
        settings: [String: String] = [:], encrypted: Bool = false, standbyOf primary: PostgreSQLServer? = nil
    ) async throws {
        guard let programs = Self.programs else {
            throw Failure(
                description: "there is no PostgreSQL server in /usr/lib/postgresql: apt-get install postgresql")
        }
        let folder = try TemporaryFolder()
        let port = Ports.next()
        (self.folder, self.port) = (folder, port)
        if encrypted {
            _ = try await Self.output([
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.path("server.key"), "-out",
                folder.path("server.crt"),
            ])
        }
        try Data(password.utf8).write(to: URL(filePath: folder.path("password")))
        if getuid() == 0 { _ = try await Self.output(["chown", "-R", "nobody:nogroup", folder.url.path]) }
        let data = folder.path("data")
        let fill =
            if let primary {
                [
                    "pg_basebackup", "-D", data, "-d", primary.connection(""), "--write-recovery-conf",
                    "--checkpoint=fast", "--no-sync",
                ]
            } else {
                [
                    "initdb", "-D", data, "-U", "gridtide", "--encoding=UTF8", "--no-locale", "--auth=scram-sha-256",
                    "--pwfile=\(folder.path("password"))", "--no-sync",
                ]
            }
        _ = try await Self.output(Self.unprivileged + [programs.appending(path: fill[0]).path] + fill.dropFirst())
        let encryption =
            encrypted
            ? ["ssl": "on", "ssl_key_file": folder.path("server.key"), "ssl_cert_file": folder.path("server.crt")] : [:]
        let all = [
            "port": "\(port)", "listen_addresses": "127.0.0.1", "unix_socket_directories": folder.url.path,
            "fsync": "off",
            "max_connections": "200", "shared_buffers": "32MB",
        ].merging(encryption) { $1 }.merging(settings) { $1 }
        let server = Process()
        // The shell's standard input ends with this process, however that ends; and then the server does, at once. Other
        // shells wait for SIGCHLD, which may be blocked on the thread that starts them.
        server.executableURL = URL(filePath: "/bin/bash")
        let script = #"exec 3<&0; "$@" </dev/null 3<&- & read -r _ <&3; kill -QUIT $!; wait $!; rm -rf "$0""#
        server.arguments =
            ["-c", script, folder.url.path] + Self.unprivileged
            + [programs.appending(path: "postgres").path, "-D", data] + all.flatMap { ["-c", "\($0)=\($1)"] }
        let output = Pipe()
        // A server that is started later would hold it open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        server.standardInput = input
        server.standardOutput = output
        server.standardError = output
        try server.run()
        process.withLock { $0 = server }
        try output.fileHandleForWriting.close()
        if let log = await Self.complaint(in: output) {
            throw Failure(description: "PostgreSQL does not start: \(log)")
        }
    }

    /// Waits until the server takes connections, and reads on for as long as it lives, so that it never waits to be read.
    ///
    /// - Returns: what it wrote, if it ended instead.
    private static func complaint(in output: Pipe) async -> String? {
        let (starts, sink) = AsyncStream<String?>.makeStream()
        let handle = output.fileHandleForReading
        Thread.detachNewThread {
            var log: String? = ""
            while true {
                let data = handle.availableData
                guard !data.isEmpty else { break }
                log = log.map { $0 + String(decoding: data, as: UTF8.self) }
                guard log?.contains("ready to accept") == true else { continue }
                log = nil
                sink.yield(nil)
            }
            sink.yield(log)
            sink.finish()
        }
        for await complaint in starts { return complaint }
        return nil
    }

    private static var unprivileged: [String] {
        getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
    }

    /// A new database.
    ///
    /// - Returns: how to connect to it.
    public func database() async throws -> String {
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
        try await sql("CREATE DATABASE \(name)", in: connection("postgres"))
        return connection(name)
    }

    private static let turns = Turns(8)

    /// Hands out a new database of the shared server. Tests run all at once: more than so many would hold more connections than
    /// the server takes, and more files than what starts programs can bear.
    public static func withDatabase(_ body: (_ connection: String) async throws -> Void) async throws {
        try await turns.take { try await body(shared.value.database()) }
    }

    /// How to connect to a database over TCP, as a URI with the password.
    ///
    /// - Parameter hosts: others than the server's own, for example `"127.0.0.1:1,127.0.0.1:5432"`.
    public func connection(_ database: String, hosts: String? = nil, password: String? = nil) -> String {
        let secret = (password ?? self.password).replacing(" ", with: "%20")
        return "postgresql://gridtide:\(secret)@\(hosts ?? "127.0.0.1:\(port)")/\(database)"
    }

    /// Runs statements with the server's own client, beside what is tested.
    ///
    /// - Returns: what it prints, without headings.
    @discardableResult
    public func sql(_ statements: String, in connection: String) async throws -> String {
        try await Self.output(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", connection, "-c", statements])
    }

    public func stop() async throws {
        let server = process.withLock { server in
            defer { server = nil }
            return server
        }
        // A line does what the end of the input does, whoever else holds it open.
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        try input.fileHandleForWriting.close()
        try await onThread { server?.waitUntilExit() }
    }

    deinit { try? input.fileHandleForWriting.close() }

    private static func output(_ command: [String]) async throws -> String {
        try await onThread {
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command
            process.currentDirectoryURL = URL(filePath: "/tmp")
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failure(description: "\(command[0]): \(complaint)") }
            return text.trimmingCharacters(in: .newlines)
        }
    }
}
