import ArgumentParser
import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

struct ListCSVTests {
    private let home = FakeHome()

    private var rows: [[String]] {
        String(decoding: home.output.written, as: UTF8.self).drop { $0 == "\u{FEFF}" }.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test(arguments: [
        ["venues"], ["venues", "plans"], ["rate-plans"], ["schedule", "devices"], ["signals"], ["demand-response"],
        ["log", "readers"],
    ])
    func `every list has a row per item, and a header without any, with the keys of JSON as columns`(command: [String])
        async throws
    {
        home.change {
            $0.sources = [.init(region: "DE", status: SignalSourceStatus(name: "a", kind: .price, isInUse: true))]
        }
        let line = try await RootCommand.asyncParseAsRoot(command + ["--csv"])
        try await (try #require(line as? any EnergyCommand)).perform(in: home.context())
        #expect(home.output.lines.isEmpty)
        let columns = try #require(rows.first)
        #expect(rows.count == (["demand-response", "log"].contains(command[0]) ? 1 : 2))
        let again = try await RootCommand.asyncParseAsRoot(command + ["--json"])
        try await (try #require(again as? any EnergyCommand)).perform(in: home.context())
        let keys =
            rows.count == 1 ? [] : zip(columns, rows[1]).filter { !$1.isEmpty }.map { $0.0.split(separator: ".")[0] }
        #expect(keys.allSatisfy { home.output.text.contains("\"\($0)\" : ") }, "\(columns)")
    }

    @Test func `nothing is rounded, nested values have columns of their own, and no name is a formula`() {
        struct Inner: Codable {
            let powerMw: Int64
        }
        struct Item: Codable {
            let name: String
            let isOn: Bool
            let share: Double
            let inner: Inner
            let tags: [String]
            let nothing: Int?
        }
        let text = ListCSV.text([
            Item(
                name: "=cmd()", isOn: true, share: 0.25, inner: Inner(powerMw: 9_007_199_254_740_993),
                tags: ["a", "b"], nothing: nil),
            Item(name: "a, \"b\"", isOn: false, share: -1.5, inner: Inner(powerMw: -1), tags: [], nothing: 7),
        ])
        #expect(
            text == "\u{FEFF}name,is_on,share,inner.power_mw,tags,nothing\r\n"
                + "'=cmd(),true,0.25,9007199254740993,\"a; b\",\r\n"
                + "\"a, \"\"b\"\"\",false,-1.5,-1,,7\r\n")
        #expect(ListCSV.text([Item]()) == "\u{FEFF}name,is_on,share,inner.power_mw,tags,nothing\r\n")
    }

    @Test func `guidance has a row per hour, with local times and units`() async throws {
        try await run(home, "guidance", "--csv")
        #expect(rows.count == 25 && home.output.lines.isEmpty)
        #expect(
            rows[0].prefix(6) == [
                "start", "end", "rating", "verdict", "carbon_g_per_kwh", "price_micros_per_kwh",
            ])
        #expect(
            rows[1].prefix(6) == [
                "2026-11-21T08:00:00+01:00", "2026-11-21T09:00:00+01:00", "0", "good", "100", "243210",
            ])
    }

    @Test func `a schedule has a row per block, beside whose it is`() async throws {
        try await run(home, "schedule", "--csv")
        #expect(rows[0].prefix(4) == ["device_id", "start", "end", "power_mw"])
        #expect(
            rows.count == 4
                && rows[2].prefix(4) == [
                    "car-1", "2026-11-21T09:00:00+01:00",
                    "2026-11-21T10:00:00+01:00", "11000000",
                ])
        home.change { $0.schedules = [] }
        try await run(home, "schedule", "--csv")
        #expect(rows.count == 5, "the header again, and no words")
    }

    @Test
    func `a preview has a row per course, a rate plan one per zone, health one per service, doctor one per finding`()
        async throws
    {
        try await run(home, "schedule", "preview", "--device", "car-1", "--ready-by", "07:00", "--soc", "80", "--csv")
        #expect(rows.map { $0[0] } == ["course", "planned", "at_once", "best"])
        let plan = FakeHome()
        try await run(plan, "rate-plans", "show", "tou", "--csv")
        #expect(plan.output.written.starts(with: Array("\u{FEFF}name,price_micros_per_kwh,peak".utf8)))
        let health = FakeHome()
        try await run(health, "health", "--csv")
        let services = String(decoding: health.output.written, as: UTF8.self).split(separator: "\r\n")
        #expect(services.count == 5 && services[1].hasPrefix("guidance-publisher,"))
        let doctor = FakeHome()
        try await run(doctor, "doctor", "--endpoints", "guidance=tcp://127.0.0.1:1,tcp://127.0.0.1:2", "--csv")
        #expect(doctor.output.written.starts(with: Array("\u{FEFF}subject,check,level,found,remedy\r\n".utf8)))
        #expect([plan, health, doctor].allSatisfy { $0.output.lines.isEmpty })
    }

    @Test(arguments: [["insights"], ["sessions"]])
    func `insights and sessions are as export writes them`(command: [String]) async throws {
        let line = try await RootCommand.asyncParseAsRoot(command + ["--csv", "--last", "14d"])
        try await (try #require(line as? any EnergyCommand)).perform(in: home.context())
        let shown = home.output.written
        let export = try await RootCommand.asyncParseAsRoot(command + ["export", "--last", "14d"])
        try await (try #require(export as? any EnergyCommand)).perform(in: home.context())
        #expect(rows.count > 2 && home.output.written == shown + shown)
        #expect(rows[0].contains("energy (kWh)"))
    }

    @Test func `events have a row each, with what belongs to their kind`() async throws {
        try home.submit([
            Samples.load(.active, number: 1, at: Samples.now), Samples.stage(3), Samples.status(.pluggedIn),
        ])
        try await run(home, "events", "--csv")
        let columns = try #require(rows.first)
        #expect(columns.prefix(4) == ["id", "timestamp", "venue_id", "device.id"])
        #expect(columns.contains("vehicle_load.power_mw") && columns.contains("vehicle_status.target.scheduled_start"))
        #expect(rows.count == 4 && rows.allSatisfy { $0.count == columns.count } && home.output.lines.isEmpty)
        let error = await #expect(throws: (any Error).self) {
            _ = try await RootCommand.asyncParseAsRoot(["events", "--csv", "--follow"])
        }
        #expect(error.map { RootCommand.fullMessage(for: $0).contains("use --json") } == true)
    }

    @Test func `a trend has a row per period, with its changes as fractions`() async throws {
        try await run(home, "insights", "trend", "--granularity", "daily", "--csv")
        #expect(
            rows.first == [
                "start", "end", "device_id", "device_type", "energy_mwh", "runtime_ms", "energy_change",
                "runtime_change", "cost_change", "price_change", "carbon_intensity_change",
            ])
        #expect(rows.count > 1 && home.output.lines.isEmpty)
    }

    @Test func `activity has a row per entry, and its header where nothing happened`() async throws {
        try await run(home, "activity", "--csv")
        #expect(rows == [["time", "kind", "device_id", "device_type", "text", "id"]])
    }
}
