import EnergyModel
import EnergyTestSupport
import Foundation
import KeyFiles
import SodiumAuthentication
import Synchronization
import Testing

@testable import ServiceRuntime

/// Who may read what a process answers over HTTP.
@Suite struct HTTPLoginTests {
    private static let password = "correct horse battery"

    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/logins" }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws { try PrivateFile.write(text, to: path) }

    private func basic(_ text: String) -> String { "Basic \(Data(text.utf8).base64EncodedString())" }

    private func logins(_ now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) throws -> HTTPLogins {
        try write("# scrapers\nprometheus:\(try PasswordHash.make(Self.password))\n")
        return try HTTPLogins(path: path, now: now)
    }

    @Test func `only the right name and password are welcome`() throws {
        let logins = try logins()
        #expect(logins.check(basic("prometheus:\(Self.password)")) == .welcome)
        #expect(logins.check("basic " + basic("prometheus:\(Self.password)").dropFirst(6)) == .welcome)
        for header in [
            nil, "", "Basic", "Basic !!!", "Bearer \(Self.password)", basic("prometheus"), basic("prometheus:"),
            basic("prometheus:\(Self.password) "), basic("Prometheus:\(Self.password)"), basic(":\(Self.password)"),
        ] {
            #expect(logins.check(header) == .unknown, "\(header ?? "nil")")
        }
        #expect(logins.failureCount == 4)
    }

    @Test func `attempts are few, come back with time, and never keep out who was known before`() throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let logins = try logins { start + passed.withLock { $0 } }
        let right = basic("prometheus:\(Self.password)")
        #expect(logins.check(right) == .welcome)
        for number in 0..<HTTPLogins.attemptsMax {
            #expect(logins.check(basic("prometheus:guess number \(number)")) == .unknown)
        }
        #expect(logins.check(basic("prometheus:one more")) == .tooMany(HTTPLogins.secondsPerAttempt))
        #expect(logins.check(basic("nobody:one more")) == .tooMany(HTTPLogins.secondsPerAttempt))
        #expect(logins.check(right) == .welcome)
        passed.withLock { $0 = .seconds(HTTPLogins.secondsPerAttempt) }
        #expect(logins.check(basic("prometheus:one more")) == .unknown)
        #expect(logins.check(basic("prometheus:one more")) == .tooMany(HTTPLogins.secondsPerAttempt))
    }

    @Test(arguments: [
        ("", "1 to 100 logins"), ("prometheus", ":1: must be NAME:HASH"), ("a:secret", "with a hash of argon2id"),
        ("a:$2y$05$abcdefghijklmnopqrstuv", "with a hash of argon2id"), ("A b:HASH", "must be NAME:HASH"),
        ("a:HASH\na:HASH", ":2: a is there twice"),
        ("a:$argon2id$v=19$m=4294967295,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$aGFzaA", "with a hash of argon2id"),
    ])
    func `a file that is wrong is refused, with its line`(text: String, part: String) throws {
        try write(text.replacing("HASH", with: try PasswordHash.make(Self.password)))
        let path = path
        let error = #expect(throws: StartError.self) { try HTTPLogins(path: path) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test func `a file that others may read is refused`() throws {
        _ = try logins()
        chmod(path, 0o640)
        let path = path
        let error = #expect(throws: StartError.self) { try HTTPLogins(path: path) }
        #expect(error?.description.contains("chmod 600") == true)
        #expect(throws: StartError.self) { try HTTPLogins(path: path + "x") }
    }

    @Test func `passwords that are too short or too long are not hashed`() {
        for password in ["", "short", String(repeating: "x", count: PasswordHash.bytesMax + 1)] {
            #expect(throws: EnergyError.self) { try PasswordHash.make(password) }
        }
    }

    @Test func `with logins, only whether the process lives is told to everybody`() async throws {
        let operations = SocketEndpoint.ipc("\(folder.path)/h")
        let logins = try logins()
        let server = try OperationsServer(
            address: operations, metrics: PrometheusRegistry(), health: HealthRegistry(services: []),
            clock: ContinuousClock(), logins: logins)
        let running = Task { try await server.run() }
        #expect(try await http(operations, "/healthz").hasSuffix("\r\n\r\nalive\n"))
        for path in ["/metrics", "/readyz", "/nothing"] {
            let answer = try await http(operations, path)
            #expect(answer.hasPrefix("HTTP/1.1 401 "))
            #expect(answer.contains("\r\nWWW-Authenticate: Basic realm="))
            #expect(answer.hasSuffix("\r\n\r\nthis needs a login\n"))
        }
        let connection = try await HTTPConnection.open(operations)
        let header = basic("prometheus:\(Self.password)")
        try await connection.send("GET /metrics HTTP/1.1\r\nAUTHORIZATION:  \(header)\r\n\r\n")
        #expect(try await connection.answer().contains("\ngridtide_http_logins_failed_total 0\n"))
        let twice = try await HTTPConnection.open(operations)
        try await twice.send("GET /metrics HTTP/1.1\r\nAuthorization: \(header)\r\nAuthorization: \(header)\r\n\r\n")
        #expect(try await twice.answer().hasPrefix("HTTP/1.1 401 "))
        running.cancel()
        _ = await running.result
    }
}
