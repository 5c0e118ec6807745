public import EnergyModel
public import EnergyStore
internal import Foundation

/// What each grid usually is, by local month and clock hour: the mean of 2020 and 2021, embedded, so that there is
/// guidance without a network, a key or a file.
///
/// Four US balancing authorities: CISO (California), ERCO (Texas), ISNE (New England), PJM. Derived from EIA-930 hourly
/// generation (US government data, public domain). Every value is an estimate.
public struct ClimatologyProvider: SignalProvider {
    public let name = "climatology"
    public let kind: SignalKind
    public let isTimeless = true

    private struct Grid {
        let timeZone: TimeZone
        /// 12 x 24, gCO2eq/kWh.
        var values: [Double]
    }
    private let grids: [String: Grid]

    /// Other names of the same grids: those of Electricity Maps, WattTime, and what people say.
    private static let aliases = [
        "CAISO": "CISO", "CAISO_NORTH": "CISO", "US-CAL-CISO": "CISO", "US-CA": "CISO",
        "ERCOT": "ERCO", "US-TEX-ERCO": "ERCO", "US-TX": "ERCO",
        "ISONE": "ISNE", "ISO-NE": "ISNE", "US-NE-ISNE": "ISNE",
        "US-MIDA-PJM": "PJM",
    ]

    /// - Parameter kind: average direct or average lifecycle; marginal emissions are not in the table.
    /// - Throws: ``EnergyError`` `.invalidInput` for any other kind.
    public init(kind: SignalKind = .averageDirect) throws(EnergyError) {
        guard kind == .averageDirect || kind == .averageLifecycle else {
            throw EnergyError(
                .invalidInput, "climatology holds averageDirect and averageLifecycle, not \(kind.rawValue)")
        }
        self.kind = kind
        grids = try Self.read(PackageResources.climatology_csv, column: kind == .averageDirect ? 4 : 5)
    }

    /// Names of the regions it knows, without the aliases.
    public var regions: [String] { grids.keys.sorted() }

    public func signals(
        region: String, in interval: Interval, now: Timestamp
    ) async throws(EnergyError) -> SignalReport {
        guard let grid = grids[Self.aliases[region.uppercased()] ?? region.uppercased()] else {
            throw EnergyError(
                .notFound, "knows \(regions.joined(separator: ", ")), not \(region)")
        }
        var points: [SignalPoint] = []
        for span in grid.timeZone.offsetSpans(in: interval) {
            // From the start of the local hour: offsets may be half hours.
            let hour = Int64.millisecondsPerHour
            var start = span.interval.start.advanced(byMilliseconds: span.offsetMilliseconds)
                .floored(toMilliseconds: hour).advanced(byMilliseconds: -span.offsetMilliseconds)
            while start < span.interval.end {
                let local = LocalTime(start, offsetMilliseconds: span.offsetMilliseconds)
                points.append(
                    SignalPoint(
                        interval: Interval(start: start, milliseconds: hour),
                        value: grid.values[(local.month - 1) * 24 + local.hour], isEstimated: true))
                start = start.advanced(byMilliseconds: hour)
            }
        }
        return SignalReport(
            series: SignalSeries(points), stepMilliseconds: .millisecondsPerHour, newestMeasured: nil)
    }

    private static func read(_ bytes: [UInt8], column: Int) throws(EnergyError) -> [String: Grid] {
        var grids: [String: Grid] = [:]
        for row in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
            let fields = row.split(separator: ",")
            guard fields.count == 6, let timeZone = TimeZone(identifier: String(fields[1])), let month = Int(fields[2]),
                let hour = Int(fields[3]), let value = Double(fields[column]), 1...12 ~= month, 0...23 ~= hour
            else { throw EnergyError(.unavailable, "the embedded climatology cannot be read: \(row)") }
            grids[
                String(fields[0]), default: Grid(timeZone: timeZone, values: Array(repeating: 0, count: 12 * 24))
            ].values[(month - 1) * 24 + hour] = value
        }
        return grids
    }
}
