public import EnergyModel
internal import Foundation

/// Denmark's carbon intensity by Energinet: the prognosis `CO2EmisProg`, five minutes, to the end of the next day.
///
/// Average direct emissions of the power used, imports included. No key; every value is a prognosis, the past too.
///
/// - Source: api.energidataservice.dk; signals.md 1.5.
public struct EnerginetCO2: GridSource {
    public static let endpoint = "https://api.energidataservice.dk"

    private let area: String
    private let endpoint: String
    public let kind = SignalKind.averageDirect
    public let stepMilliseconds = 5 * Int64.millisecondsPerMinute
    /// The service asks for no more requests than there are updates.
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 10_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 10 * .millisecondsPerDay)

    /// - Parameter area: `DK1` (west of the Great Belt) or `DK2`.
    /// - Throws: ``EnergyError`` `.invalidInput` for another.
    public init(area: String, endpoint: String = endpoint) throws(EnergyError) {
        guard ["DK1", "DK2"].contains(area.uppercased()) else {
            throw EnergyError(.invalidInput, "Energinet's areas are DK1 and DK2, not \(area.prefix(20))")
        }
        self.area = area.uppercased()
        self.endpoint = endpoint
    }

    public var name: String { "energinet-co2:\(area)" }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let request = HTTPRequest(
            "\(endpoint)/dataset/CO2EmisProg",
            query: [
                // Without a zone of its own the service takes Danish time: we ask for UTC, and read Minutes5UTC.
                ("start", String(interval.start.minuteText.dropLast())),
                ("end", String(interval.end.minuteText.dropLast())), ("timezone", "utc"),
                ("filter", #"{"PriceArea":["\#(area)"]}"#), ("sort", "Minutes5UTC"), ("limit", "0"),
            ])
        let rows = try SourceJSON.decode(Body.self, try await http.send(request)).records
        var points: [SignalPoint] = []
        for row in rows where row.area == area {
            guard let value = row.emission else { continue }
            let start = try Timestamp(label: row.time)
            points.append(
                SignalPoint(
                    interval: Interval(start: start, milliseconds: stepMilliseconds), value: value, isEstimated: true))
        }
        return FetchedSignals(points: points)
    }

    private struct Body: Decodable { let records: [Row] }
    private struct Row: Decodable {
        let time, area: String
        let emission: Double?

        private enum CodingKeys: String, CodingKey {
            case time = "Minutes5UTC"
            case area = "PriceArea"
            case emission = "CO2Emission"
        }
    }
}

extension EnerginetCO2: AutomaticSource {
    public static let regions = ["DK1", "DK2"]

    public init(region: String) throws(EnergyError) { try self.init(area: region) }
}
