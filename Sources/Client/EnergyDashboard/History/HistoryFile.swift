internal import EnergyModel
internal import Foundation
internal import InsightFiles

/// History as CSV: a row for each period and device, numbers with a decimal point, times with their offset.
///
/// - Source: RFC 4180
enum HistoryFile {
    static let head = [
        "start", "end", "device", "energy_kwh", "run_time_h", "cost", "currency", "priced_kwh", "co2_kg",
    ]

    static func bytes(_ records: [InsightRecord], in zone: TimeZone) -> [UInt8] {
        let rows = [head] + records.map { row($0, in: zone) }
        return Array(rows.map(CSVText.line).joined().utf8)
    }

    private static func row(_ record: InsightRecord, in zone: TimeZone) -> [String] {
        // Amounts of several currencies have no sum.
        let cost = record.worth.costs.count == 1 ? record.worth.costs[0] : nil
        let carbon = record.worth.carbon.count == 1 ? record.worth.carbon[0] : nil
        return [
            record.interval.start.iso8601(in: zone), record.interval.end.iso8601(in: zone), record.deviceID ?? "",
            decimal(record.total.energy.milliwattHours), hours(record.total.runtimeMilliseconds),
            cost.map { decimal($0.micros) } ?? "", cost?.currency ?? "",
            cost == nil ? "" : decimal(record.worth.pricedEnergy.milliwattHours),
            carbon.map { decimal($0.milligrams) } ?? "",
        ]
    }

    /// Millionths, exactly.
    private static func decimal(_ millionths: Int64) -> String {
        let digits = String(millionths.magnitude % 1_000_000)
        let fraction = String(repeating: "0", count: 6 - digits.count) + digits
        return "\(millionths < 0 ? "-" : "")\(millionths.magnitude / 1_000_000).\(fraction)"
    }

    private static func hours(_ milliseconds: Int64) -> String {
        let tenThousandths = milliseconds / 360
        let digits = String(tenThousandths % 10_000)
        return "\(tenThousandths / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
