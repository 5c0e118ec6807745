import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

struct DoctorTests {
    private let home = FakeHome { state in
        state.version = SoftwareVersion.current
        for service in ServiceKind.allCases {
            state.health[service] = HealthCheckReply(status: .serving, time: Samples.now)
        }
        state.sources = [RegionSource(region: "DE", status: Self.grid)]
    }

    private static let grid = SignalSourceStatus(
        name: "grid:de", kind: .averageDirect, isInUse: true,
        newestValue: Samples.now.advanced(byMilliseconds: .millisecondsPerHour))

    /// Addresses are told, so that no file of this machine counts.
    private let nowhere = ["--endpoints", "guidance=tcp://127.0.0.1:1,tcp://127.0.0.1:2"]

    /// - Returns: those that are not ok, as `level subject check`.
    private func troubles(
        _ context: CommandContext? = nil, fails: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let command = try await RootCommand.asyncParseAsRoot(["doctor", "--json"] + nowhere)
        let doctor = try #require(command as? DoctorCommand)
        let before = home.output.lines.count
        do throws(CommandFailure) {
            try await doctor.perform(in: context ?? home.context())
            #expect(!fails, sourceLocation: sourceLocation)
        } catch {
            #expect(fails && error.exit == .failure && error.message.isEmpty, sourceLocation: sourceLocation)
        }
        let text = home.output.lines[before...].joined(separator: "\n")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let findings = try #require(document["findings"] as? [[String: String]])
        #expect(document["failures"] as? Int == findings.count { $0["level"] == "failure" })
        return findings.filter { $0["level"] != "ok" }.map {
            #expect($0["level"] == "skipped" || $0["remedy"] != "" || $0["check"] == "publications")
            return "\($0["level"] ?? "") \($0["subject"] ?? "") \($0["check"] ?? "")"
        }
    }

    @Test func `where all is well nothing is to be mended, and each check is told`() async throws {
        #expect(try await troubles(fails: false) == [])
        try await run(home, "doctor", "--endpoints", nowhere[1])
        #expect(home.output.lines.last?.hasPrefix("All is well: ") == true)
        for text in [
            "guidance-publisher", "agrees with this machine's", SoftwareVersion.current, "grid:de is in use",
            "has guidance for", "may read guidance, events, insights, schedules",
        ] { #expect(home.output.text.contains(text), "\(text)") }
    }

    @Test func `a service that is away fails, and what hangs on it is not guessed`() async throws {
        home[.guidance].isDown = true
        #expect(
            try await troubles(fails: true) == [
                "failure guidance-publisher health", "skipped sources sources", "skipped venues venues",
            ])
    }

    @Test(arguments: [
        (HealthCheckReply(status: .notServing, reason: "stores no events: the disk is full"), "failure", "Make room"),
        (.init(status: .notServing, reason: "file system is read-only"), "failure", "must be writable"),
        (.init(status: .serving, reason: "the event log is damaged"), "warning", "energyctl log restore"),
        (.init(status: .serving, reason: "grid:de does not answer"), "warning", "journalctl"),
    ])
    func `what health says of a store comes with what to do`(
        health: HealthCheckReply, level: String, remedy: String
    ) async throws {
        home.change { $0.health[.events] = health }
        #expect(try await troubles(fails: level == "failure") == ["\(level) event-ingestor health"])
        #expect(home.output.text.contains(remedy) && home.output.text.contains(health.reason))
    }

    @Test(
        arguments: [
            (1_900, []), (-1_900, []), (3_000, ["warning scheduler clock"]),
            (-3_000, ["warning scheduler clock"]), (301_000, ["failure scheduler clock"]),
        ] as [(Int64, [String])])
    func `a clock that is apart is a warning, and a failure where events would be refused`(
        milliseconds: Int64, expected: [String]
    ) async throws {
        home.change {
            $0.health[.schedule] = .init(
                status: .serving, time: Samples.now.advanced(byMilliseconds: milliseconds))
        }
        #expect(try await troubles(fails: milliseconds > 300_000) == expected)
    }

    @Test func `a clock's difference is rounded, not cut`() async throws {
        home.change {
            $0.health[.schedule] = .init(status: .serving, time: Samples.now.advanced(byMilliseconds: -7_199_900))
        }
        _ = try await troubles(fails: true)
        #expect(home.output.text.contains("is 2 h behind this machine's"))
    }

    @Test func `that this client's clock is moved is told once, not for each service`() async throws {
        let offset: Int64 = -7_200_000
        home.change { state in
            for service in ServiceKind.allCases {
                state.health[service] = .init(status: .serving, time: Samples.now.advanced(byMilliseconds: -offset))
            }
        }
        for service in ServiceKind.allCases {
            let examination = ServiceExamination(
                context: home.context(), service: service, hasKeys: false, clockOffset: offset)
            let clock = await examination.examine().findings.first { $0.check == "clock" }
            #expect(clock?.level == .skipped && clock?.found.contains("GRIDTIDE_CLOCK_OFFSET") == true)
        }
    }

    @Test func `another service at an address is named`() async throws {
        home.change { $0.methods[.guidance] = [Methods.submitEvents.name] }
        #expect(
            try await troubles(fails: true) == [
                "failure guidance-publisher requests", "skipped sources sources", "skipped venues venues",
            ])
        #expect(home.output.text.contains("event-ingestor answers there"))
    }

    @Test func `what each service stores is told, and what a key may not know is not`() async throws {
        try home.submit([Samples.load(.active)])
        #expect(try await troubles(fails: false) == [])
        for text in ["keeps 1 record of the log", "has 1 rate plan", "has counted the log", "has 1 device"] {
            #expect(home.output.text.contains(text), "\(text)")
        }
    }

    @Test func `another version is a warning`() async throws {
        home.change { $0.version = "0.0.9" }
        #expect(try await troubles(fails: false) == ServiceKind.allCases.map { "warning \($0.executable) version" })
    }

    @Test func `sources that fail are warnings, a region without one is a failure`() async throws {
        var broken = Self.grid
        broken.lastError = "HTTP 503"
        home.change { $0.sources = [RegionSource(region: "DE", status: broken)] }
        #expect(try await troubles(fails: false) == ["warning sources DE"])
        broken.isInUse = false
        home.change { $0.sources = [RegionSource(region: "DE", status: broken)] }
        #expect(try await troubles(fails: true) == ["warning sources DE", "failure sources DE"])
    }

    @Test func `a venue without guidance fails, one without a rate plan is warned of`() async throws {
        home.change { state in
            state.guidance = nil
            state.venues = [Samples.cabin]
        }
        #expect(Samples.cabin.ratePlanID == nil)
        let name = Samples.cabin.name
        #expect(try await troubles(fails: true) == ["failure venues \(name)", "warning venues \(name)"])
        home.change { $0.venues = [] }
        #expect(try await troubles(fails: false) == ["warning venues venues"])
    }

    @Test func `that there is no guidance for now is told once, not for each venue`() async throws {
        home.change { state in
            state.guidanceFailure = EnergyError(.unavailable, "the database is away")
            state.venues = [Samples.home, Samples.cabin]
        }
        #expect(try await troubles(fails: true) == ["failure venues venues", "warning venues \(Samples.cabin.name)"])
        #expect(home.output.text.contains("no guidance for 2 venues: guidance-publisher: the database is away"))
        #expect(!home.output.text.contains("energyctl signals"))
        home.change { $0.venues = [Samples.home] }
        #expect(try await troubles(fails: true) == ["failure venues \(Samples.home.name)"])
    }

    @Test func `a permission that the key lacks is named`() async throws {
        home.change { $0.denied = [Methods.listRatePlans.name] }
        #expect(try await troubles(fails: false) == ["warning permissions reading"])
        #expect(home.output.text.contains("lacks: guidance"))
    }

    @Test func `a limited key that gets no publications is no trouble`() async throws {
        var context = home.context()
        context.addressState = { _, _, use in use == .requests ? .open : .notAdmitted }
        #expect(try await troubles(context, fails: false) == [])
        context.addressState = { _, _, _ in .notAdmitted }
        #expect(try await troubles(context, fails: true).contains("failure event-ingestor requests"))
    }

    @Test(arguments: [nil, 80, 50] as [Int?], [false, true])
    func `it fits the terminal, and colours nothing elsewhere`(width: Int?, hasColor: Bool) async throws {
        home.change { $0.health[.events] = .init(status: .notServing, reason: "the disk is full. Make room") }
        var context = home.context(Style(hasColor: hasColor, hasUnicode: true, width: width))
        context.addressState = { service, _, _ in service == .schedule ? .otherKey : .open }
        let command = try await RootCommand.asyncParseAsRoot(["doctor"] + nowhere)
        await #expect(throws: CommandFailure.self) {
            try await (try #require(command as? DoctorCommand)).perform(in: context)
        }
        for line in home.output.lines {
            let bare = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
            #expect(TerminalText.width(bare) <= width ?? .max, "\(bare)")
            #expect(hasColor || bare == line)
        }
        #expect(home.output.text.contains("\u{1B}[") == hasColor)
    }
}

struct DashboardExaminationTests {
    @Test(arguments: [("HTTP/1.1 200 OK\r\n\r\nalive\n", Finding.Level.ok), ("SSH-2.0\r\n", .warning), ("", .warning)])
    func `the dashboard is there, or another program is in its place`(words: String, level: Finding.Level) async throws
    {
        let listener = try PlainListener(saying: words)
        defer { listener.close() }
        #expect(await DashboardExamination(healthPort: listener.port, milliseconds: 200).finding().level == level)
    }

    @Test func `that it does not run here is no fault`() async {
        let port = UInt16(Ports.next())
        #expect(await DashboardExamination(healthPort: port, milliseconds: 200).finding().level == .skipped)
    }
}

struct ConfigurationExaminationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID())").path

    private func findings(_ environment: [String: String]) throws -> [Finding] {
        var options = try GlobalOptions.parse([])
        options.json = false
        return ConfigurationExamination(
            options: options, environment: environment, keyFolder: nil, now: Samples.now
        ).findings(try? ClientFile(options, environment))
    }

    private func write(_ text: String, mode: Int) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = "\(folder)/client.yaml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test func `nothing said is this machine`() throws {
        let found = try findings([:])
        #expect(found.allSatisfy { $0.level == .ok })
        #expect(found.map(\.check) == ["client file", "endpoints"])
    }

    @Test func `a file that others may change is warned of, with the command that mends it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try write("endpoints: { events: ['ipc:///e', 'ipc:///p'] }", mode: 0o666)
        let found = try findings(["GRIDTIDE_CLIENT": path])
        #expect(found.first?.level == .warning)
        #expect(found.first?.found.contains("chmod go-w \(path)") == true)
        let mended = try write("endpoints: { events: ['ipc:///e', 'ipc:///p'] }", mode: 0o600)
        #expect(try findings(["GRIDTIDE_CLIENT": mended]).allSatisfy { $0.level == .ok })
    }

    @Test(arguments: [
        ("GRIDTIDE_CLIENT", "/nonexistent/client.yaml", "client file"), ("GRIDTIDE_ENDPOINTS", "here", "endpoints"),
        ("GRIDTIDE_CLOCK_OFFSET", "soon", "clock offset"),
    ])
    func `what cannot be used is a failure that names where it was said`(
        variable: String, value: String, check: String
    ) throws {
        let failed = try findings([variable: value]).filter { $0.level == .failure }
        #expect(failed.map(\.check) == [check])
        #expect(failed.first.map { "\($0.found)\($0.remedy)".contains(variable) || $0.found.contains(value) } == true)
        #expect(failed.first?.remedy.isEmpty == false)
    }

    @Test func `a moved clock is warned of`() throws {
        #expect(try findings(["GRIDTIDE_CLOCK_OFFSET": "-365d"]).map(\.level) == [.ok, .ok, .warning])
    }
}
