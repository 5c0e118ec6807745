import EnergyTestSupport
import Foundation
import Testing

/// What keeps a service from starting is told with its place, what is wrong and what is allowed.
@Suite(.timeLimit(.minutes(2))) struct StartRefusalTests {
    private let folder: String

    init() throws { folder = try Machine.temporaryFolder() }

    /// Starts a guidance-publisher that should not start.
    private func refusal(_ yaml: String, file: (name: String, text: String)? = nil) async throws -> (
        status: ExitStatus, lines: [String]
    ) {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let file { try file.text.write(toFile: "\(folder)/\(file.name)", atomically: true, encoding: .utf8) }
        let text = yaml.replacing("FOLDER", with: folder)
        try text.write(toFile: "\(folder)/c.yaml", atomically: true, encoding: .utf8)
        let child = try await ChildProcess.start(
            ProcessSpawner.Command(
                executable: "\(Machine.executables)/guidance-publisher",
                arguments: [
                    "--config", "\(folder)/c.yaml", "--state-directory", "\(folder)/state",
                    "--requests-address", "ipc://\(folder)/r", "--publications-address", "ipc://\(folder)/p",
                    "--http-address", "tcp://127.0.0.1:\(Ports.next())",
                ], environment: ["HOME": folder]))
        let status = try await child.end()
        await child.error.end()
        return (status, child.error.all.map { $0.replacing(folder, with: "FOLDER") })
    }

    @Test func `a signal file that is missing`() async throws {
        let (status, lines) = try await refusal("files:\n  - path: FOLDER/a.csv\n    region: CISO\n    label: start\n")
        #expect(status == .code(78))
        #expect(lines.last?.hasPrefix("FOLDER/c.yaml:2:11: files[0].path: FOLDER/a.csv: there is no such file") == true)
    }

    @Test func `a signal file without the column`() async throws {
        let (status, lines) = try await refusal(
            "files:\n  - path: FOLDER/a.csv\n    region: CISO\n    label: start\n    value-column: co2\n",
            file: ("a.csv", "utc_time,g\n2026-11-20T00:00Z,1\n"))
        #expect(status == .code(78))
        #expect(lines.last?.contains("line 1: there is no column \"co2\"; there are: utc_time, g; allowed:") == true)
    }

    @Test func `a region without a source`() async throws {
        let (status, lines) = try await refusal("venues:\n  - { name: A, region: NOPE, time-zone: Europe/Berlin }\n")
        #expect(status == .code(78))
        #expect(
            lines.last?.hasPrefix("FOLDER/c.yaml:2:24: venues[0].region: 'NOPE' has no source; allowed: AT, BE, ")
                == true,
            "\(lines)")
    }

    @Test(arguments: [
        ("nobody", "must name a price source of the guidance-publisher: push:meter (EUR), "),
        ("push:meter", "must name a source with prices in USD; this one has them in EUR"),
    ])
    func `a rate plan whose price source is not there, or in another currency`(
        source: String, reason: String
    ) async throws {
        let (status, lines) = try await refusal(
            "rate-plans:\n  - { price-source: \"\(source)\", id: x, name: X, currency: USD, time-zone: UTC }\n"
                + "sources:\n  - { region: home, provider: push, name: meter, kind: price, currency: EUR }\n")
        #expect(status == .code(78))
        let expected = "FOLDER/c.yaml:2:21: rate-plans[0].price-source: '\(source)' \(reason)"
        #expect(lines.last?.hasPrefix(expected) == true, "\(lines)")
    }

    @Test(arguments: [
        (
            "venues:\n  - { name: A, region: CISO, time-zone: UTC }\n  - { name: A, region: PJM, time-zone: UTC }\n",
            "FOLDER/c.yaml:3:13: venues[1].name: 'A' is also that of venues[0] (FOLDER/c.yaml:2:13)"
        ),
        (
            "rate-plans:\n"
                + ["2", "3"].map { _ in
                    "  - { id: x, name: X, currency: EUR, time-zone: UTC, zones: [{ price: 0.1, peak: offPeak }] }\n"
                }.joined() + "venues: []\n",
            "FOLDER/c.yaml:3:11: rate-plans[1].id: 'x' is also that of rate-plans[0] (FOLDER/c.yaml:2:11)"
        ),
    ])
    func `a name or id that stands twice, with both places`(yaml: String, expected: String) async throws {
        let (status, lines) = try await refusal(yaml)
        #expect(status == .code(78))
        #expect(lines.last?.hasPrefix(expected) == true, "\(lines)")
    }

    @Test func `a log in JSON stays JSON`() async throws {
        let (status, lines) = try await refusal(
            "files:\n  - path: FOLDER/a.csv\n    regio: CISO\n    label: start\nlog: { format: json }\n")
        #expect(status == .code(78))
        let reasons = try lines.map { line in
            try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["reason"] as? String ?? ""
        }
        #expect(reasons.first?.contains("did you mean 'region'?") == true)
        #expect(reasons.last?.contains("files[0].region: is missing") == true)
    }

    @Test func `a damaged database, with the file and what to do`() async throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/state", withIntermediateDirectories: true)
        let (status, lines) = try await refusal(
            "", file: ("state/guidance.sqlite", String(repeating: "garbage ", count: 1_000)))
        #expect(status == .code(69))
        #expect(lines.last?.contains("FOLDER/state/guidance.sqlite is not an SQLite database") == true)
    }
}
