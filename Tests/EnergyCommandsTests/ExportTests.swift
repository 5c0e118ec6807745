import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// Files of `insights export` and `sessions export`.
struct ExportTests {
    private let home = FakeHome { $0.sessionInsights = [ExportTests.session] }
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(arguments)
        try await #require(command as? any EnergyCommand).perform(in: home.context())
    }

    private var written: String { String(decoding: home.output.written, as: UTF8.self) }

    private func file(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: folder.path(name)), encoding: .utf8)
    }

    static let session = SessionInsight(
        key: SessionKey(venueID: Samples.home.id, sessionID: Samples.id(50)), deviceID: "car-1",
        deviceKind: .electricVehicle, direction: .imported, began: Samples.time("2026-11-20T20:00:00Z"),
        last: Samples.time("2026-11-21T01:00:00Z"), isOver: true, wasFollowingGuidance: true,
        amount: InsightAmount(energy: Energy(milliwattHours: 12_345_678), runtimeMilliseconds: 7_200_000),
        worth: .none)

    @Test(arguments: ["csv", "json", "ndjson", "espi", "influx", "openmetrics"])
    func `each format goes to standard output, and the same to a file`(format: String) async throws {
        try await run("insights", "export", "--format", format, "--last", "7d")
        #expect(!home.output.written.isEmpty)
        let path = folder.path("insights")
        try await run("insights", "export", "--format", format, "--last", "7d", "--output", path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(home.output.written))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["insights"])
        #expect(home.output.notes == ["2 periods", "2 periods"])
    }

    @Test func `the question is that of insights`() async throws {
        try await run(
            "insights", "export", "--granularity", "hourly", "--by", "tariff", "--by", "rating", "--per", "device",
            "--device", "car-1", "--direction", "exported", "--last", "7d")
        let query = try #require(home.now.queries.last)
        #expect(query.granularity == .hourly && query.grouping == .device && query.deviceID == "car-1")
        #expect(query.byTariff && query.byBand && !query.byCleanliness && query.direction == .exported)
        #expect(query.exactRange)
    }

    @Test func `JSON is one document with the records of insights --json`() async throws {
        try await run("insights", "export", "--format", "json", "--last", "7d", "--by", "tariff")
        let exported = try JSONSerialization.jsonObject(with: Data(home.output.written)) as? [String: Any]
        try await run("insights", "--json", "--last", "7d", "--by", "tariff")
        let shown = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any]
        for key in ["records", "venue_id", "granularity", "direction", "start", "end", "applied"] {
            #expect((exported?[key] as? NSObject) == (shown?[key] as? NSObject), "\(key)")
        }
    }

    @Test func `a file that is there is not replaced`() async throws {
        let path = folder.path("insights.csv")
        try Data("mine".utf8).write(to: URL(filePath: path))
        await #expect(throws: CommandFailure.usage("There is a file \(path) already; name another.")) {
            try await run("insights", "export", "--output", path)
        }
        #expect(try file("insights.csv") == "mine")
    }

    @Test func `nothing is there before a file is complete, not even under another name`() throws {
        let path = folder.path("half.csv")
        let file = try CompleteFile(path: path)
        try file.write(Array("half".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        try file.finish()
        #expect(try self.file("half.csv") == "half")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o644)
    }

    @Test func `a device that does not exist makes no file`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run("insights", "export", "--device", "car-x", "--output", folder.path("x.csv"))
        }
        #expect(failure?.exit == .refused && failure?.message.contains("Known are: car-1.") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(arguments: ["csv", "openmetrics"])
    func `an export that fails leaves nothing behind`(format: String) async throws {
        home[.insights].isDown = true
        await #expect(throws: CommandFailure.self) {
            try await run("insights", "export", "--format", format, "--output", folder.path("insights"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `years of quarters of an hour go through files, not memory`() async throws {
        let quarter: Int64 = 900_000
        let start = Samples.time("2026-11-14T23:00:00Z")
        home.change { state in
            state.records = (0..<600).map { index in
                InsightRecord(
                    interval: Interval(start: start.advanced(byMilliseconds: index * quarter), milliseconds: quarter),
                    total: InsightAmount(energy: Energy(milliwattHours: index + 1), runtimeMilliseconds: quarter))
            }
        }
        try await run(
            "insights", "export", "--granularity", "quarterHourly", "--format", "openmetrics", "--last", "7d")
        let lines = written.split(separator: "\n")
        #expect(lines.last == "# EOF")
        #expect(lines.count { $0.hasPrefix("gridtide_energy_watthours{") } == 600)
        // All of a family before the next one.
        let names = lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != "{" } }
        #expect(zip(names, names.dropFirst()).count { $0 != $1 } == Set(names).count - 1)
    }

    @Test func `sessions are exported as a table and as JSON`() async throws {
        try await run("sessions", "export", "--last", "7d")
        let rows = written.split(separator: "\r\n")
        #expect(rows.count == 2)
        #expect(
            rows[1].hasPrefix(
                "\(Samples.id(50).text),2026-11-20T21:00:00+01:00,2026-11-21T02:00:00+01:00,Home,car-1,electric_vehicle,imported,12.345678,2,"
            ))
        let path = folder.path("sessions.json")
        try await run("sessions", "export", "--format", "json", "--output", path, "--json")
        let document = try JSONSerialization.jsonObject(with: Data(try file("sessions.json").utf8)) as? [String: [Any]]
        #expect(document?["sessions"]?.count == 1)
        #expect(home.output.text.contains("\"count\" : 1"))
    }
}
