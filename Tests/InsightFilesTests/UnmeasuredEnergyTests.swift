import EnergyModel
import Foundation
import InsightFiles
import Testing

/// Heating and cooling report run time only: their energy is unknown in every format, and never 0.
struct UnmeasuredEnergyTests {
    private let subject = Files.subject(.daily, grouping: .device, splits: true)
    private let record: InsightRecord

    init() {
        let amount = InsightAmount(
            energy: .zero, runtimeMilliseconds: 7_200_000, weightedRuntimeMilliseconds: 3_600_000)
        record = InsightRecord(
            interval: Files.records(subject)[0].interval, deviceID: "heatpump-1", deviceKind: .hvac, total: amount,
            worth: InsightWorth(
                costs: [Money(micros: 0, currency: "EUR")],
                carbon: [CarbonMass(milligrams: 0, kind: .averageDirect, energy: .zero)]),
            byCleanliness: [.cleaner: amount], byTariff: [.offPeak: amount], byBand: [.good: amount])
    }

    @Test func `a table has empty cells`() throws {
        var file = InsightCSV(subject)
        let lines = file.text(of: [record]).split(separator: "\r\n")
        let (header, row) = (
            lines[0].split(separator: ","), lines[1].split(separator: ",", omittingEmptySubsequences: false)
        )
        for (caption, cell) in zip(header, row) where caption.hasSuffix("(kWh)") || caption.contains("cost") {
            #expect(cell.isEmpty, "\(caption)")
        }
        let place = try #require(header.firstIndex(of: "weighted run time (h)"))
        #expect(row[place] == "1")
    }

    @Test func `only Green Button has no place for it, and says so`() {
        #expect(!InsightESPI(subject).takes(record))
        let others: [any InsightFile] = [InsightCSV(subject), InsightInfluxLines(subject), InsightOpenMetrics(subject)]
        #expect(others.allSatisfy { $0.takes(record) })
    }

    @Test func `line protocol and OpenMetrics have no energy, cost or carbon`() {
        var (lines, metrics) = (InsightInfluxLines(subject), InsightOpenMetrics(subject))
        let points = lines.text(of: [record])
        #expect(points.contains("weighted_runtime_s=3600") && points.contains("cleanliness_cleaner_s=7200"))
        #expect(!points.contains("kwh") && !points.contains("cost_") && !points.contains("carbon_"))
        let samples = metrics.text(of: [record])
        #expect(samples.contains("gridtide_weighted_runtime_seconds{"))
        #expect(!samples.contains("watthours") && !samples.contains("cost") && !samples.contains("carbon"))
    }

    @Test func `Green Button has no reading`() {
        var file = InsightESPI(subject)
        #expect(!file.text(of: [record]).contains("IntervalReading"))
    }

    @Test func `a session's cells are empty`() throws {
        let session = SessionInsight(
            key: SessionKey(venueID: subject.venue.id, sessionID: UUID()), deviceID: "heatpump-1", deviceKind: .hvac,
            direction: .imported, began: Files.time("2026-10-25T00:30:00Z"), last: Files.time("2026-10-25T02:30:00Z"),
            isOver: true, wasFollowingGuidance: true, amount: record.total, worth: record.worth)
        let table = SessionCSV(subject.venue)
        let header = table.start().split(separator: ",").map { $0.trimmingCharacters(in: .newlines) }
        let row = table.row(session).split(separator: ",", omittingEmptySubsequences: false)
        for (caption, cell) in zip(header, row) where caption.hasSuffix("(kWh)") || caption == "cost" {
            #expect(cell.trimmingCharacters(in: .newlines).isEmpty, "\(caption)")
        }
    }
}
