public import EnergyModel
internal import Foundation

/// A European country's carbon intensity by Energy-Charts (Fraunhofer ISE), with a forecast of the rest of the day.
///
/// Quarter-hours or hours, lifecycle emissions. No key, no published limit; CC BY 4.0 for most countries.
///
/// - Source: api.energy-charts.info; signals.md 1.5.
public struct EnergyChartsCO2: GridSource {
    public static let endpoint = "https://api.energy-charts.info"

    private let country: String
    private let endpoint: String
    public let kind = SignalKind.averageLifecycle
    public let stepMilliseconds = 15 * Int64.millisecondsPerMinute
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 10_000, back: 35 * .millisecondsPerDay, ahead: .millisecondsPerDay,
        span: 7 * .millisecondsPerDay, overlap: 6 * .millisecondsPerHour)

    /// - Parameter country: two letters, for example `de`.
    /// - Throws: ``EnergyError`` `.invalidInput` for another form.
    public init(country: String, endpoint: String = endpoint) throws(EnergyError) {
        guard country.wholeMatch(of: /[A-Za-z]{2,3}/) != nil else {
            throw EnergyError(.invalidInput, "a country of Energy-Charts is like de, not \(country.prefix(20))")
        }
        self.country = country.lowercased()
        self.endpoint = endpoint
    }

    public var name: String { "energy-charts-co2:\(country)" }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let request = HTTPRequest(
            "\(endpoint)/co2eq",
            query: [("country", country), ("start", interval.start.minuteText), ("end", interval.end.minuteText)])
        let body = try SourceJSON.decode(Body.self, try await http.send(request))
        let (times, measured, forecast) = (body.seconds, body.measured ?? [], body.forecast ?? [])
        var points: [SignalPoint] = []
        for index in times.indices {
            let actual = index < measured.count ? measured[index] : nil
            guard let value = actual ?? (index < forecast.count ? forecast[index] : nil),
                let span = UnixSteps.interval(times, index, stepMax: .millisecondsPerHour)
            else { continue }
            points.append(SignalPoint(interval: span, value: value, isEstimated: actual == nil))
        }
        return FetchedSignals(points: points)
    }

    private struct Body: Decodable {
        let seconds: [Int64]
        let measured, forecast: [Double?]?

        private enum CodingKeys: String, CodingKey {
            case seconds = "unix_seconds"
            case measured = "co2eq"
            case forecast = "co2eq_forecast"
        }
    }
}

/// Times as a list of seconds: each value holds until the next one's time.
enum UnixSteps {
    /// - Parameter stepMax: a longer distance is a gap, and the value holds for as long as its neighbour's.
    /// - Returns: `nil` for times that do not grow, or cannot be.
    static func interval(_ seconds: [Int64], _ index: Int, stepMax: Int64) -> Interval? {
        // 1970 to 2200.
        guard 0...7_258_118_400 ~= seconds[index] else { return nil }
        func distance(_ first: Int, _ second: Int) -> Int64? {
            guard seconds.indices.contains(first), seconds.indices.contains(second),
                0...7_258_118_400 ~= seconds[first], 0...7_258_118_400 ~= seconds[second]
            else { return nil }
            let milliseconds = (seconds[second] - seconds[first]) * 1000
            return 1...stepMax ~= milliseconds ? milliseconds : nil
        }
        guard let step = distance(index, index + 1) ?? distance(index - 1, index) else { return nil }
        return Interval(start: Timestamp(unixMilliseconds: seconds[index] * 1000), milliseconds: step)
    }
}

extension EnergyChartsCO2: AutomaticSource {
    /// Ireland has no day-ahead prices there.
    public static let regions = EnergyChartsPrice.regions + ["IE"]

    /// Zones of a country share its mix.
    public init(region: String) throws(EnergyError) { try self.init(country: String(region.prefix(2))) }
}
