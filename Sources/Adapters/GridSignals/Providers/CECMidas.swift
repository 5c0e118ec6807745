public import EnergyModel
internal import Foundation

/// California's MIDAS by the Energy Commission: marginal emissions, rates and Flex Alerts, each by its rate
/// identification number (RIN). No key since version 2.0; all times are UTC.
///
/// Emissions are `USCA-SGIP-MOER-` and the region (`PGE`, `SCE`, `SDGE`...): 5 min, g/kWh. Rates are in USD. The Flex
/// Alert, `USCA-FLEX-ALRT-0000`, is no signal but an event: ``CECMidasAlerts`` follows it.
///
/// - Source: grid-coordination/midas-api-specs, python-midas; signals.md 1.2.
public struct CECMidas: GridSource {
    public enum Content: String, Hashable, Sendable { case emissions, rates }

    public static let endpoint = "https://midasapi.energy.ca.gov/api"
    public static let flexAlert = "USCA-FLEX-ALRT-0000"

    private let rin: String
    private let content: Content
    private let endpoint: String
    public let polling: Polling

    /// - Parameter rin: four groups, as printed on Californian bills.
    /// - Throws: ``EnergyError`` `.invalidInput` for another form.
    public init(rin: String, _ content: Content, endpoint: String = endpoint) throws(EnergyError) {
        try Self.check(rin: rin)
        self.rin = rin
        self.content = content
        self.endpoint = endpoint
        // No limit is published. HistoricalData answers at most six months.
        polling = Polling(
            every: content == .emissions ? 5 * .millisecondsPerMinute : .millisecondsPerHour, pause: 5_000,
            back: content == .emissions ? 35 * .millisecondsPerDay : 0, ahead: 2 * .millisecondsPerDay,
            span: 10 * .millisecondsPerDay)
    }

    public var name: String { "cec-midas:\(rin)" }
    public var kind: SignalKind { content == .emissions ? .marginal : .price }
    public var currency: String? { content == .rates ? "USD" : nil }
    public var stepMilliseconds: Int64 { content == .emissions ? 5 * .millisecondsPerMinute : .millisecondsPerHour }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let document = try SourceJSON.decode(MidasDocument.self, try await http.send(request(interval, now)))
        var points: [SignalPoint] = []
        for row in document.values {
            guard let value = try row.value(of: content), let span = try row.interval(step: stepMilliseconds) else {
                continue
            }
            points.append(
                SignalPoint(interval: span, value: value, isEstimated: content == .emissions && span.end > now))
        }
        return FetchedSignals(points: points, issued: Timestamp(optionalLabel: document.systemTime))
    }

    private func request(_ interval: Interval, _ now: Timestamp) -> HTTPRequest {
        guard interval.end <= now else {
            return HTTPRequest("\(endpoint)/ValueData", query: [("ID", rin), ("QueryType", "alldata")])
        }
        return HTTPRequest(
            "\(endpoint)/HistoricalData/\(rin)",
            query: [("startdate", interval.start.dayText), ("enddate", interval.end.dayText)])
    }

    /// When an alert asks to use less, today and in the next two days. MIDAS says each hour whether it is one of an
    /// alert (1) or not (0); hours that follow each other are one alert.
    ///
    /// - Parameter rin: of a signal whose unit is `Event`.
    /// - Returns: sorted, each at most ``DemandResponseEvent/millisecondsMax`` long.
    /// - Throws: ``EnergyError`` `.invalidInput` for a RIN of another form, or of emissions or rates.
    public static func alerts(
        _ rin: String = flexAlert, from http: any HTTPFetching, endpoint: String = endpoint
    ) async throws(EnergyError) -> [(interval: Interval, name: String)] {
        try check(rin: rin)
        let request = HTTPRequest("\(endpoint)/ValueData", query: [("ID", rin), ("QueryType", "realtime")])
        var hours: [(interval: Interval, name: String)] = []
        for row in try SourceJSON.decode(MidasDocument.self, try await http.send(request)).values {
            guard row.unit?.lowercased() == "event" else {
                throw EnergyError(.invalidInput, "the unit \"\((row.unit ?? "").prefix(20))\" is not that of alerts")
            }
            guard let value = row.amount, value > 0, let interval = try row.interval(step: nil) else { continue }
            hours.append((interval, row.valueName ?? ""))
        }
        return try joined(hours.sorted { $0.interval.start < $1.interval.start })
    }

    private static func joined(
        _ hours: [(interval: Interval, name: String)]
    ) throws(EnergyError) -> [(interval: Interval, name: String)] {
        var alerts: [(interval: Interval, name: String)] = []
        for hour in hours {
            guard hour.interval.milliseconds <= DemandResponseEvent.millisecondsMax else {
                throw EnergyError(.invalidInput, "an alert from \(hour.interval) is longer than seven days")
            }
            if let last = alerts.last?.interval, last.end >= hour.interval.start,
                let whole = Interval(start: last.start, end: max(last.end, hour.interval.end)),
                whole.milliseconds <= DemandResponseEvent.millisecondsMax
            {
                alerts[alerts.count - 1].interval = whole
            } else {
                alerts.append(hour)
            }
        }
        return alerts
    }

    /// - Throws: ``EnergyError`` `.invalidInput` unless it has the form of a RIN.
    public static func check(rin: String) throws(EnergyError) {
        guard rin.wholeMatch(of: /[A-Z]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9_]{2,16}/) != nil else {
            throw EnergyError(.invalidInput, "a RIN is like USCA-SGIP-MOER-PGE, not \(rin.prefix(40))")
        }
    }
}

/// What MIDAS says of one RIN, in the spelling of version 1 or 2.
private struct MidasDocument: Decodable {
    let systemTime: String?
    let values: [Row]

    private enum CodingKeys: String, CodingKey {
        case systemTime = "SystemTime_UTC"
        case values = "ValueInformation"
    }

    struct Row: Decodable {
        let dateStart, dateEnd, timeStart, timeEnd: String
        let valueName, unit: String?
        let amount: Double?

        private enum CodingKeys: String, CodingKey {
            case valueName = "ValueName"
            case dateStart = "DateStart"
            case dateEnd = "DateEnd"
            case timeStart = "TimeStart"
            case timeEnd = "TimeEnd"
            case unit = "Unit"
            case value = "value"
            case newValue = "Value"
        }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: CodingKeys.self)
            dateStart = try object.decode(String.self, forKey: .dateStart)
            dateEnd = try object.decode(String.self, forKey: .dateEnd)
            timeStart = try object.decode(String.self, forKey: .timeStart)
            timeEnd = try object.decode(String.self, forKey: .timeEnd)
            valueName = try object.decodeIfPresent(String.self, forKey: .valueName)
            unit = try object.decodeIfPresent(String.self, forKey: .unit)
            amount =
                try object.decodeIfPresent(Double.self, forKey: .newValue)
                ?? object.decodeIfPresent(Double.self, forKey: .value)
        }

        /// Ends are inclusive, to the second (`07:59:59`) or, without seconds, the minute.
        ///
        /// - Parameter step: at which ends are rounded up; `nil` leaves them.
        /// - Returns: `nil` for an interval of no length, as that of no alert.
        func interval(step: Int64?) throws(EnergyError) -> Interval? {
            let start = try Timestamp(label: "\(dateStart.prefix(10))T\(timeStart)Z")
            var end = try Timestamp(label: "\(dateEnd.prefix(10))T\(timeEnd)Z")
            if timeEnd == timeStart && dateEnd == dateStart { return nil }
            if timeEnd.hasSuffix(":59") || timeEnd.wholeMatch(of: /\d\d:\d[49]/) != nil {
                end = end.advanced(byMilliseconds: timeEnd.count > 5 ? 1_000 : .millisecondsPerMinute)
            }
            return Interval(start: start, end: end)
        }

        func value(of content: CECMidas.Content) throws(EnergyError) -> Double? {
            guard let amount else { return nil }
            switch (content, unit?.lowercased() ?? "") {
            case (.emissions, let unit) where unit.hasPrefix("g/kwh"): return amount
            case (.emissions, let unit) where unit.hasPrefix("kg/kwh"): return amount * 1000
            case (.rates, "$/kwh"): return (amount * 1_000_000).rounded()
            default:
                throw EnergyError(
                    .invalidInput, "the unit \"\((unit ?? "").prefix(20))\" is not one of \(content.rawValue)")
            }
        }
    }
}
