internal import EnergyModel
internal import Foundation

/// How use went at a glance: a line for the whole, or for each part.
struct UseSparklines {
    let records: [InsightRecord]
    let query: InsightQuery
    let venue: Venue
    let style: Style

    private static let nameMax = 16
    private static let cellsMin = 8

    private struct Course {
        let name: String
        let values: [Double]
        let most: String
    }

    func lines() -> [String] {
        let courses = Dictionary(grouping: records, by: \.part).sorted { $0.key < $1.key }.compactMap(course)
        let nameWidth = courses.map { TerminalText.width($0.name) }.max() ?? 0
        return courses.map { line($0, nameWidth) }
    }

    /// - Returns: `nil` where there is nothing to compare.
    private func course(_ part: String, _ records: [InsightRecord]) -> Course? {
        // Energy where it is known: run time of others beside it would be another measure.
        let measures = records.contains { $0.measuresEnergy }
        func amount(_ record: InsightRecord) -> Double {
            Double(measures ? record.total.energy.milliwattHours : record.total.runtimeMilliseconds)
        }
        let filled = InsightPeriods.filled(records, for: query, in: venue.timeZone)
        guard filled.count > 1, let most = filled.max(by: { amount($0) < amount($1) }), amount(most) > 0 else {
            return nil
        }
        let text =
            measures
            ? "\(Quantities.kilowattHours(most.total.energy)) kWh"
            : "\(Quantities.runtime(milliseconds: most.total.runtimeMilliseconds)) h"
        let labels = InsightTable(records: [], granularity: query.granularity, venue: venue, style: style)
        let name = TerminalText.cut(TerminalText.safe(part), to: Self.nameMax, ellipsis: style.ellipsis)
        return Course(
            name: name.isEmpty ? measures ? "kWh" : "run time" : name, values: filled.map { amount($0) / amount(most) },
            most: "  most: \(text), \(labels.label(most.interval, isAlone: true))")
    }

    /// Where the words leave no room they go, not the line.
    private func line(_ course: Course, _ nameWidth: Int) -> String {
        let name = course.name + String(repeating: " ", count: nameWidth - TerminalText.width(course.name) + 2)
        let room = style.width.map { $0 - nameWidth - 2 } ?? .max
        let left = room - TerminalText.width(course.most)
        let hasWords = left >= min(Self.cellsMin, course.values.count)
        let values = Sparkline(values: course.values).values(in: hasWords ? left : room)
        // Neighbours that share a cell have a lower peak.
        let top = values.max() ?? 1
        return name + style.sparkline(values.map { $0 / top }) + (hasWords ? course.most : "")
    }
}
