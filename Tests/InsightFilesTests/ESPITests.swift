import EnergyModel
import EnergyTestSupport
import Foundation
import InsightFiles
import Testing

@Suite(
    .enabled("no .venv with prometheus_client for Python: `make test` makes one") {
        try await FilesOracle.isInstalled()
    })
struct `Green Button files` {
    @Test(arguments: [Granularity.quarterHourly, .hourly, .daily, .monthly])
    func `hold every period, to the mWh and second, by month`(granularity: Granularity) async throws {
        let range = ("2026-09-30T22:00:00Z", "2026-11-30T23:00:00Z")
        let subject = Files.subject(granularity, grouping: .device, range: range)
        let records = ["car 1", "car-2"].flatMap { Files.records(subject, device: $0) }
        var file = InsightESPI(subject)
        let feed: ESPIFile = try await FilesOracle.read(file.text(of: records), as: "espi")
        let readings = feed.blocks.flatMap(\.readings)
        #expect(
            readings
                == records.map { record in
                    ESPIFile.Reading(
                        start: Int(record.interval.start.unixMilliseconds / 1000),
                        duration: Int(record.interval.milliseconds / 1000),
                        value: Int(record.total.energy.milliwattHours),
                        cost: Int((Double(record.worth.costs[0].micros) / 10).rounded()))
                })
        #expect(feed.blocks.count == 4)
        #expect(feed.meters.count == 2)
        #expect(feed.usagePoints == 1)
        for block in feed.blocks {
            #expect(block.readings.first?.start == block.start)
            #expect(block.readings.last.map { $0.start + $0.duration } == block.start + block.duration)
            // Its meter reading leads to it and to a reading type.
            let related = try #require(feed.meters.first { $0.value.contains(block.up) }?.value)
            let type = try #require(related.compactMap { feed.readingTypes[$0] }.first)
            #expect(type.uom == 72 && type.powerOfTenMultiplier == -3 && type.flowDirection == 1)
            #expect(type.currency == 978)
            #expect(type.intervalLength == (granularity == .quarterHourly ? 900 : granularity == .hourly ? 3600 : 0))
        }
        #expect(Set(feed.ids).count == feed.ids.count)
        #expect(feed.ids.allSatisfy { $0?.wholeMatch(of: /urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil })
        var again = InsightESPI(subject)
        let other: ESPIFile = try await FilesOracle.read(again.text(of: Array(records.prefix(1))), as: "espi")
        #expect(Set(other.ids).isSubset(of: Set(feed.ids)))
    }

    @Test(
        arguments: [
            // The rules that Green Button files of the USA have: 360E2000 and B40E2000.
            ("America/Los_Angeles", -28_800, 3_600, 0x360E_2000, 0xB40E_2000),
            ("America/Phoenix", -25_200, 0, nil, nil),
            // Last Sunday of March at 2:00, of October at 3:00.
            ("Europe/Berlin", 3_600, 3_600, 0x3E0E_2000, 0xAE0E_3000),
            // First Sunday of October at 2:00, of April at 2:00, by half an hour.
            ("Australia/Lord_Howe", 37_800, 1_800, 0xA40E_2000, 0x440E_2000),
            // The Friday on or after 23 March at 2:00; the last Sunday of October at 2:00.
            ("Asia/Jerusalem", 7_200, 3_600, 0x337A_2000, 0xAE0E_2000),
            ("Asia/Kathmandu", 20_700, 0, nil, nil),
        ] as [(String, Int, Int, Int?, Int?)])
    func `say when the clocks change`(
        zone: String, standard: Int, saving: Int, start: Int?, end: Int?
    ) async throws {
        let subject = Files.subject(zone: try #require(TimeZone(identifier: zone)))
        var file = InsightESPI(subject)
        let feed: ESPIFile = try await FilesOracle.read(file.text(of: []), as: "espi")
        let times = try #require(feed.times.first)
        #expect(times.tz == standard)
        #expect(times.dst == saving)
        #expect(times.start == start.map(rule))
        #expect(times.end == end.map(rule))
    }

    private func rule(_ bits: Int) -> ESPIFile.Rule {
        ESPIFile.Rule(
            month: bits >> 28, operator: bits >> 25 & 7, day: bits >> 20 & 31, weekday: bits >> 17 & 7,
            hour: bits >> 12 & 31, seconds: bits & 4095)
    }

    /// The reader that judges our files reads those of utilities.
    @Test(.enabled("no ../shared/data/green-button") { FileManager.default.fileExists(atPath: Samples.folder.path) })
    func `are read by what reads those of utilities`() async throws {
        let hourly: ESPIFile = try await FilesOracle.read(
            path: Samples.folder.appending(path: "utilityapi_intervals_electric.xml").path, as: "espi")
        #expect(hourly.blocks.flatMap(\.readings).count == 300)
        let daily: ESPIFile = try await FilesOracle.read(
            path: Samples.folder.appending(path: "ESPIIntervalBlock.xml").path, as: "espi")
        let readings = daily.blocks.flatMap(\.readings)
        #expect(
            readings.first == ESPIFile.Reading(start: 1_357_016_400, duration: 86_400, value: 21_021, cost: 256_347))
        let points: ESPIFile = try await FilesOracle.read(
            path: Samples.folder.appending(path: "ESPIUsagePoints.xml").path, as: "espi")
        #expect(points.usagePoints > 1)
    }

    private enum Samples {
        static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data/green-button")
    }
}
