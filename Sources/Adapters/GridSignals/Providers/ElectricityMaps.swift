public import EnergyModel
internal import Foundation

/// Electricity Maps v3: average emissions of most of the world's zones, hours.
///
/// With the user's own key; the free plan has the last 24 h of one zone for non-commercial use, forecasts and a longer
/// past are paid. What is estimated at first is replaced later. The data are Electricity Maps'.
///
/// - Source: docs.electricitymaps.com, jpbede/aioelectricitymaps; signals.md 1.3.
public struct ElectricityMaps: GridSource {
    public static let endpoint = "https://api.electricitymaps.com/v3"
    /// A plan without forecasts is not asked for them each hour.
    static let deniedPause = Int64.millisecondsPerDay

    private let zone: String
    private let key: String
    private let endpoint: String
    private let forecasts = Forecasts()
    public let kind: SignalKind
    /// Its terms of use keep the data to the customer.
    public let isRepublishable = false
    public let stepMilliseconds = Int64.millisecondsPerHour
    /// The free plan allows 50 requests an hour; past-range answers ten days.
    public let polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 5_000, back: 35 * .millisecondsPerDay,
        ahead: 3 * .millisecondsPerDay, span: 9 * .millisecondsPerDay, overlap: .millisecondsPerDay)

    /// - Throws: ``EnergyError`` `.invalidInput` for a zone of another form, an empty key, or a kind it does not have.
    public init(
        zone: String, key: String, kind: SignalKind = .averageLifecycle, endpoint: String = endpoint
    ) throws(EnergyError) {
        guard zone.wholeMatch(of: /[A-Za-z0-9-]{2,20}/) != nil else {
            throw EnergyError(.invalidInput, "a zone of Electricity Maps is like US-CAL-CISO, not \(zone.prefix(40))")
        }
        guard kind == .averageDirect || kind == .averageLifecycle else {
            throw EnergyError(
                .invalidInput, "Electricity Maps gives averageLifecycle or averageDirect, not \(kind.rawValue)")
        }
        if key.isEmpty || !key.utf8.allSatisfy({ 33...126 ~= $0 }) {
            throw EnergyError(.invalidInput, "Electricity Maps needs a key")
        }
        self.zone = zone.uppercased()
        self.key = key
        self.kind = kind
        self.endpoint = endpoint
    }

    public var name: String { "electricity-maps:\(zone)" }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        if interval.end <= now { return FetchedSignals(points: try await past(interval, http)) }
        let recent = try SourceJSON.decode(History.self, try await http.send(request("history")))
        var points = try self.points(recent.history)
        var issued = recent.history.compactMap { Timestamp(optionalLabel: $0.updatedAt) }.max()
        if await forecasts.isAllowed(now) {
            do throws(EnergyError) {
                let answer = try SourceJSON.decode(Forecast.self, try await http.send(request("forecast")))
                let measured = points.map(\.interval.end).max() ?? now
                points += try self.points(answer.forecast, isForecast: true).filter { $0.interval.start >= measured }
                issued = Timestamp(optionalLabel: answer.updatedAt) ?? issued
            } catch {
                guard error.code == .denied || error.code == .notFound else { throw error }
                await forecasts.deny(until: now.advanced(byMilliseconds: Self.deniedPause))
            }
        }
        return FetchedSignals(points: points, issued: issued)
    }

    private func past(_ interval: Interval, _ http: any HTTPFetching) async throws(EnergyError) -> [SignalPoint] {
        let query = [("start", interval.start.secondText), ("end", interval.end.secondText)]
        do throws(EnergyError) {
            return try points(
                try SourceJSON.decode(Past.self, try await http.send(request("past-range", query))).data)
        } catch {
            // A plan without it: the last day, which each poll brings, has to do.
            if error.code == .denied { throw EnergyError(.outOfRange, error.message) }
            throw error
        }
    }

    private func request(_ what: String, _ query: [(String, String)] = []) -> HTTPRequest {
        let type = kind == .averageDirect ? "direct" : "lifecycle"
        return HTTPRequest(
            "\(endpoint)/carbon-intensity/\(what)",
            query: [("zone", zone), ("emissionFactorType", type)] + query.map { (name: $0.0, value: $0.1) },
            headers: [.init("auth-token", key)])
    }

    private func points(_ rows: [Row], isForecast: Bool = false) throws(EnergyError) -> [SignalPoint] {
        var points: [SignalPoint] = []
        for row in rows {
            if let type = row.emissionFactorType, type != (kind == .averageDirect ? "direct" : "lifecycle") {
                throw EnergyError(
                    .invalidInput, "the answer is of \(type.prefix(20)) emissions, \(kind.rawValue) was asked for")
            }
            guard let value = row.carbonIntensity else { continue }
            points.append(
                SignalPoint(
                    interval: Interval(start: try Timestamp(label: row.datetime), milliseconds: stepMilliseconds),
                    value: value, isEstimated: isForecast || row.isEstimated == true))
        }
        return points
    }

    private struct History: Decodable { let history: [Row] }
    private struct Past: Decodable { let data: [Row] }
    private struct Forecast: Decodable {
        let updatedAt: String?
        let forecast: [Row]
    }
    private struct Row: Decodable {
        let datetime: String
        let carbonIntensity: Double?
        let updatedAt, emissionFactorType: String?
        let isEstimated: Bool?
    }

    private actor Forecasts {
        private var denied: Timestamp?

        func isAllowed(_ now: Timestamp) -> Bool { denied.map { now >= $0 } ?? true }
        func deny(until instant: Timestamp) { denied = instant }
    }
}
