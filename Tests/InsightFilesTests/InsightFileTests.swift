import EnergyModel
import EnergyTestSupport
import Foundation
import InsightFiles
import Testing

@Suite(
    .enabled("no .venv with prometheus_client for Python: `make test` makes one") {
        try await FilesOracle.isInstalled()
    })
struct `Others read what is exported` {
    @Test(arguments: [
        ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25),
        ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23),
        ("Australia/Lord_Howe", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z", 25),
        ("Asia/Kathmandu", "2026-03-28T18:15:00Z", "2026-03-29T18:15:00Z", 24),
    ])
    func `a table's times are those of the periods, with the offset`(
        zone: String, start: String, end: String, hours: Int
    ) async throws {
        let subject = Files.subject(zone: try #require(TimeZone(identifier: zone)), range: (start, end))
        let records = Files.records(subject)
        #expect(records.count == hours)
        var file = InsightCSV(subject)
        let rows: [[String: String]] = try await FilesOracle.read(file.text(of: records), as: "csv")
        #expect(rows.count == hours)
        #expect(Set(rows.map { $0["start"] }).count == hours)
        let stamps = rows.flatMap { [$0["start"], $0["end"]] }.compactMap(\.self).joined(separator: ",")
        let times: [Int64] = try await FilesOracle.read(path: stamps, as: "stamps")
        #expect(times == records.flatMap { [$0.interval.start, $0.interval.end].map(\.unixMilliseconds) })
        for (row, record) in zip(rows, records) {
            #expect(row["energy (kWh)"].flatMap { Decimal(string: $0) } == decimal(record.total.energy))
        }
    }

    @Test func `a table has what was asked for, in units that its headers name`() async throws {
        let subject = Files.subject(.daily, device: "car-1", splits: true)
        var file = InsightCSV(subject)
        let records = Files.records(subject)
        let rows: [[String: String]] = try await FilesOracle.read(file.text(of: records), as: "csv")
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(row["start"] == "2026-10-25T00:00:00+02:00")
        #expect(row["end"] == "2026-10-26T00:00:00+01:00")
        #expect(row["device"] == "car-1")
        #expect(row["energy (kWh)"] == "1.234567")
        #expect(row["run time (h)"] == "0.5")
        #expect(row["cost"] == "0.308641")
        #expect(row["currency"] == "EUR")
        #expect(row["carbon (g)"] == "411.522")
        #expect(row["carbon kind"] == "average_direct")
        #expect(row["cleaner (kWh)"] == "0.411522")
        #expect(row["avoid (kWh)"] == "0.823045")
        #expect(row["off-peak run time (h)"] == "0.1666667")
        #expect(row["less clean (kWh)"] == "0")
    }

    @Test func `what is not known is an empty cell, and two currencies are never added`() async throws {
        let subject = Files.subject(.daily)
        var (unknown, mixed) = (Files.records(subject)[0], Files.records(subject)[0])
        unknown.worth = .none
        mixed.worth =
            Files.worth(1_000_000, micros: 250_000, milligrams: 9)
            + InsightWorth(
                costs: [Money(micros: 500_000, currency: "USD")], pricedEnergy: Energy(milliwattHours: 100),
                carbon: [CarbonMass(milligrams: 7_000, kind: .marginal, energy: Energy(milliwattHours: 2_000_000))])
        var file = InsightCSV(subject)
        let rows: [[String: String]] = try await FilesOracle.read(file.text(of: [unknown, mixed]), as: "csv")
        #expect(rows[0]["cost"] == "")
        #expect(rows[0]["carbon (g)"] == "")
        #expect(rows[1]["cost"] == "0.25")
        #expect(rows[1]["other costs"] == "0.5 USD")
        #expect(rows[1]["carbon kind"] == "marginal")
        #expect(rows[1]["other carbon"] == "0.009 g average_direct of 1 kWh")
    }

    @Test(arguments: ["=1+1", "+cmd|'/C calc'!A0", "-2", "@SUM(A1)", "\tx", "a,b\"c\nd", "\"\u{301},=", "Wärme; Pumpe"])
    func `a name is a name in every format`(name: String) async throws {
        let subject = Files.subject(.daily, name: name)
        let records = Files.records(subject)
        var table = InsightCSV(subject)
        let rows: [[String: String]] = try await FilesOracle.read(table.text(of: records), as: "csv")
        let cell = try #require(rows.first?["venue"])
        #expect(cell == name || cell == "'" + name)
        #expect(!["=", "+", "-", "@", "\t"].contains(cell.prefix(1)))
        struct Sample: Decodable { let labels: [String: String] }
        var metrics = InsightOpenMetrics(subject)
        let samples: [Sample] = try await FilesOracle.read(metrics.text(of: records), as: "openmetrics")
        #expect(samples.allSatisfy { $0.labels["venue"] == name })
        var espi = InsightESPI(subject)
        let feed: ESPIFile = try await FilesOracle.read(espi.text(of: records), as: "espi")
        #expect(feed.blocks.count == 1)
        struct Point: Decodable { let tags: [String: String] }
        var lines = InsightInfluxLines(subject)
        let points: [Point] = try await FilesOracle.read(lines.text(of: records), as: "influx")
        let printable = String(
            String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? "_" : $0 }))
        #expect(points.map { $0.tags["venue"] } == [printable])
    }

    @Test func `OpenMetrics has each set of labels in one piece, at the periods' ends`() async throws {
        struct Sample: Decodable {
            let name, type, unit: String
            let labels: [String: String]
            let value, time: Double
        }
        let subject = Files.subject(grouping: .device, splits: true)
        let records = ["car-1", "car-2"].flatMap { Files.records(subject, device: $0) }
        var file = InsightOpenMetrics(subject)
        let samples: [Sample] = try await FilesOracle.read(file.text(of: records), as: "openmetrics")
        let energy = samples.filter { $0.name == "gridtide_energy_watthours" && $0.labels["device"] == "car-2" }
        #expect(energy.map(\.time) == records.suffix(25).map { Double($0.interval.end.unixMilliseconds) / 1000 })
        for (sample, record) in zip(energy, records.suffix(25)) {
            #expect(abs(sample.value - Double(record.total.energy.milliwattHours) / 1000) < 1e-6)
        }
        #expect(samples.allSatisfy { $0.type == "gauge" })
        #expect(samples.contains { $0.name == "gridtide_cost" && $0.labels["currency"] == "EUR" })
        #expect(samples.contains { $0.name == "gridtide_carbon_grams" && $0.labels["kind"] == "average_direct" })
        let parts = samples.filter { $0.name == "gridtide_tariff_energy_watthours" && $0.time == energy[0].time }
        #expect(Set(parts.compactMap { $0.labels["class"] }) == ["off_peak", "on_peak"])
    }

    @Test func `InfluxDB lines have one point for each period, at its start`() async throws {
        struct Point: Decodable {
            let measurement: String
            let tags: [String: String]
            let fields: [String: Double]
            let time: Int64
        }
        let subject = Files.subject(device: "car 1", splits: true)
        let records = Files.records(subject)
        var file = InsightInfluxLines(subject)
        let points: [Point] = try await FilesOracle.read(file.text(of: records), as: "influx")
        #expect(points.map(\.time) == records.map { $0.interval.start.unixMilliseconds * 1_000_000 })
        #expect(points.allSatisfy { $0.tags["device"] == "car 1" && $0.measurement == "gridtide_insight" })
        for (point, record) in zip(points, records) {
            #expect(point.fields["energy_kwh"] == Double(record.total.energy.milliwattHours) / 1e6)
            let parts = (point.fields["tariff_off_peak_kwh"] ?? 0) + (point.fields["tariff_on_peak_kwh"] ?? 0)
            #expect(abs(parts - (point.fields["energy_kwh"] ?? 0)) < 1e-9)
        }
    }

    private func decimal(_ energy: Energy) -> Decimal { Decimal(energy.milliwattHours) / 1_000_000 }
}
