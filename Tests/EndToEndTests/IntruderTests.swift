import EnergyModel
import EnergyTestSupport
import Foundation
import ServiceEndpoints
import Testing
import ZeroMQ
import ZeroMQTransport

extension EndToEnd {
    /// Whoever may not come in, by libzmq from C and from Python: our own client would not even try.
    struct Intruders {
        enum Language: String, CaseIterable, Sendable {
            case c, python

            static var installed: [Language] { allCases.filter { $0 == .c || PythonScript.isInstalled } }
        }

        /// What each case of `Tests/Intruders` must come to, with a key that is limited to one venue.
        private static let cases: [(name: String, end: String)] = [
            ("known-key", "status 0"),
            ("no-key", "refused: no common handshake"),
            ("wrong-key", "refused: not admitted"),
            ("other-server", "refused: no common handshake"),
            // A bundle that was stolen opens its own venue only, by request and by every prefix.
            ("other-venue", "status 7"),
            ("subscribe-all", "refused: not admitted"),
            ("subscribe-prefix", "refused: not admitted"),
            ("follow-all", "status 7"),
            ("follow-prefix", "status 7"),
            // Who names itself is not heard; a name such as ROUTER makes is as good as none.
            ("own-name", "unanswered"),
            ("name-like-routers", "status 0"),
            ("takeover", "status 0"),
            ("replay", "refused: no common handshake"),
            // What is no frame is not answered, and keeps nobody from asking; what is no message is refused.
            ("garbage", "status 0"), ("nested", "status 3"), ("too-large", "status 8"),
        ]

        private static let folder = "\(Machine.package)/Tests/Intruders"

        @Test(.timeLimit(.minutes(2)), arguments: Language.installed)
        func `strangers, thieves and impostors are refused, logged and counted`(language: Language) async throws {
            if language == .python { try PythonScript.requireInterpreter() }
            try await Installation.with(.keys, services: [.guidance]) { installation in
                let command = try await command(language, installation)
                let (home, other) = (
                    try await Household.move(into: installation),
                    try await Household.move(into: installation, name: "Cabin")
                )
                let arguments = try await self.arguments(home, other, installation)
                for (name, end) in Self.cases {
                    let child = try await start(command + [name] + arguments, installation)
                    _ = try await child.end()
                    await child.output.end()
                    #expect(child.output.text == end, "\(name): \(child.error.text)")
                }
                // Its file goes with its key.
                let file = try String(contentsOfFile: "\(installation.keyFolder)/charger.yaml", encoding: .utf8)
                try await revoke(command, arguments, installation)
                try await checkTraces(installation, of: file)
            }
        }

        /// A connection that stays open over the revocation, and a new one after it.
        private func revoke(_ command: [String], _ arguments: [String], _ installation: Installation) async throws {
            let child = try await start(command + ["until-revoked"] + arguments, installation)
            _ = try await child.output.line(containing: "status 0")
            _ = try await installation.json("keys", "revoke", "charger", "--keys", installation.keyFolder)
            _ = try await child.end()
            await child.output.end()
            #expect(child.output.all == ["status 0", "status 16", "status 16"])
            let late = try await start(command + ["known-key"] + arguments, installation)
            _ = try await late.end()
            await late.output.end()
            #expect(late.output.text == "refused: not admitted")
        }

        /// Each kind is logged for its source once a minute, however often it came, and counted every time.
        private func checkTraces(_ installation: Installation, of file: String) async throws {
            let metrics = try await metrics(installation)
            // The answer came after the last line was written; stopped, the service has written all.
            _ = try await installation.stop(.guidance)
            let log = try installation.process(.guidance).error
            await log.end()
            for text in [
                "connection refused: its key is not known", "connection refused: no handshake with this service's key",
                "may call, but not subscribe", "requests refused: not allowed", "the client chose its routing id",
                "the key is no longer admitted", "requests refused: too large, too many",
                "messages refused: they are none of this contract",
            ] {
                #expect(1...2 ~= log.all.count { $0.contains(text) }, "\(text)\n\(log.text)")
            }
            let secret = file.split(separator: "\n").first { $0.contains("secret:") }?.split(separator: "\"")
                .dropFirst()
                .first
            #expect(!log.text.contains(try #require(secret)))
            for (name, least) in [
                ("gridtide_connections_refused_total", 4), ("gridtide_handshakes_failed_total", 3),
                ("gridtide_frames_malformed_total", 3), ("gridtide_requests_total{status=\"permissionDenied\"}", 3),
                ("gridtide_requests_total{status=\"unauthenticated\"}", 1),
            ] {
                let line = try #require(metrics.first { $0.hasPrefix(name + " ") }, "\(name)")
                #expect(Int(line.dropFirst(name.count + 1)) ?? 0 >= least, "\(line)")
            }
        }

        private func metrics(_ installation: Installation) async throws -> [String] {
            let port = try #require(try installation.address(.guidance).http.split(separator: ":").last)
            let script = """
                exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' >&3; exec cat <&3
                """
            let child = try await start(["/bin/bash", "-c", script], installation)
            _ = try await child.end()
            await child.output.end()
            return child.output.all
        }

        private func command(_ language: Language, _ installation: Installation) async throws -> [String] {
            guard language == .c else { return [PythonScript.interpreter, "\(Self.folder)/intruder.py"] }
            let program = "\(installation.folder)/intruder"
            let compiler = try await start(
                ["/usr/bin/cc", "-O1", "-o", program, "\(Self.folder)/intruder.c", "-lzmq"], installation)
            let status = try await compiler.end()
            await compiler.error.end()
            try #require(status == .code(0), "\(compiler.error.text)")
            return [program]
        }

        private func arguments(
            _ home: Household, _ other: Household, _ installation: Installation
        ) async throws -> [String] {
            let answer = try await installation.json(
                "keys", "client", "charger", "--allow", "guidance,events", "--venue", home.venue.id.uuidString,
                "--keys",
                installation.keyFolder)
            let file = try ClientFile(path: try #require(answer["client_file"] as? String))
            let (security, others) = (
                try #require(file.keys?.security(for: .guidance)), try #require(file.keys?.security(for: .events))
            )
            // The services read the list again within a second.
            var result: CommandResult
            repeat {
                result = try await installation.energyctl(["venues"], client: "\(installation.keyFolder)/charger.yaml")
            } while result.status != .code(0)
            let address = try installation.address(.guidance)
            return [
                "requests=\(address.requests)", "publications=\(address.publications)",
                "server=\(try #require(security.serverKeys().first).text)",
                "other=\(try #require(others.serverKeys().first).text)",
                "secret=\(security.keys.secretKey.text)", "venue=\(other.venue.id.uuidString.lowercased())",
            ]
        }

        private func start(_ command: [String], _ installation: Installation) async throws -> ChildProcess {
            let child = try await ChildProcess.start(
                .init(
                    executable: command[0], arguments: Array(command.dropFirst()),
                    environment: Installation.environment(installation.folder)))
            installation.adopt(child)
            return child
        }
    }
}
