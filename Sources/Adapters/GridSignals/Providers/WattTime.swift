public import EnergyModel
internal import Foundation

/// WattTime v3: marginal or average emissions of most of the world's grids, five minutes, forecast up to 72 h ahead.
///
/// With the user's own account; the free plan has `CAISO_NORTH` only. The data are WattTime's.
///
/// - Source: docs.watttime.org, WattTime/watttime-python-client; signals.md 1.1.
public struct WattTime: GridSource {
    public enum Signal: String, Hashable, Sendable, CaseIterable {
        case marginal = "co2_moer"
        case average = "co2_aoer"
    }

    public static let endpoint = "https://api.watttime.org"
    static let gramsPerPound = 0.45359237

    private let region: String
    private let signal: Signal
    private let session: Session
    private let endpoint: String
    /// Its terms of use keep the data to the customer.
    public let isRepublishable = false
    public let stepMilliseconds = 5 * Int64.millisecondsPerMinute
    /// 3,000 requests in 5 min are allowed; history is given for about 32 days a call.
    public let polling = Polling(
        every: 5 * .millisecondsPerMinute, pause: 1_000, back: 35 * .millisecondsPerDay,
        ahead: 2 * .millisecondsPerDay, span: 30 * .millisecondsPerDay)

    /// - Throws: ``EnergyError`` `.invalidInput` for a region of another form, or an account without name or password.
    public init(
        region: String, signal: Signal = .marginal, user: String, password: String, endpoint: String = endpoint
    ) throws(EnergyError) {
        guard region.wholeMatch(of: /[A-Za-z0-9_]{1,40}/) != nil else {
            throw EnergyError(.invalidInput, "a region of WattTime is like CAISO_NORTH, not \(region.prefix(40))")
        }
        if user.isEmpty || password.isEmpty {
            throw EnergyError(.invalidInput, "WattTime needs the name and the password of an account")
        }
        self.region = region.uppercased()
        self.signal = signal
        self.endpoint = endpoint
        session = Session(user: user, password: password, endpoint: endpoint)
    }

    public var name: String { "watttime:\(region)" }
    public var kind: SignalKind { signal == .marginal ? .marginal : .averageDirect }

    public func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        var (points, issued): ([SignalPoint], Timestamp?) = ([], nil)
        var refusal: EnergyError?
        // A plan may have one of the two: what it has is worth having.
        if let past = Interval(start: interval.start, end: min(interval.end, now)) {
            let query = [("start", past.start.secondText), ("end", past.end.secondText)]
            do throws(EnergyError) { points = try await ask("historical", query, now, http).points } catch {
                guard error.code == .denied else { throw error }
                refusal = error
            }
        }
        if interval.end > now {
            do throws(EnergyError) {
                let forecast = try await ask("forecast", [("horizon_hours", "48")], now, http)
                points += forecast.points.filter { $0.interval.end > now }
                issued = forecast.issued
            } catch {
                guard error.code == .denied, refusal == nil else { throw error }
                refusal = error
            }
        }
        if points.isEmpty, let refusal { throw refusal }
        return FetchedSignals(points: points, issued: issued)
    }

    private func ask(
        _ what: String, _ query: [(String, String)], _ now: Timestamp, _ http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        var request = HTTPRequest(
            "\(endpoint)/v3/\(what)",
            query: [("region", region), ("signal_type", signal.rawValue)] + query.map { (name: $0.0, value: $0.1) })
        let body = try SourceJSON.decode(Body.self, try await session.send(&request, now, http))
        guard body.meta.units == "lbs_co2_per_mwh" else {
            throw EnergyError(
                .invalidInput, "the unit \"\((body.meta.units ?? "").prefix(30))\" is not lbs_co2_per_mwh")
        }
        let step = (body.meta.step ?? 300) * 1000
        guard 1...Int64.millisecondsPerDay ~= step else {
            throw EnergyError(.invalidInput, "a step of \(step) ms makes no sense")
        }
        var points: [SignalPoint] = []
        // A recorded forecast is a list inside the list.
        for row in body.data.flatMap({ $0.forecast ?? [$0] }) {
            guard let value = row.value, let time = row.time else { continue }
            points.append(
                SignalPoint(
                    interval: Interval(start: try Timestamp(label: time), milliseconds: step),
                    value: max(0, value * Self.gramsPerPound), isEstimated: what == "forecast" || row.isImputed == true)
            )
        }
        return FetchedSignals(
            points: points, issued: Timestamp(optionalLabel: body.meta.generated ?? body.data.first?.generated))
    }

    private struct Body: Decodable {
        let data: [Row]
        let meta: Meta
    }
    private struct Row: Decodable {
        let time, generated: String?
        let value: Double?
        let isImputed: Bool?
        let forecast: [Row]?

        private enum CodingKeys: String, CodingKey {
            case value, forecast
            case time = "point_time"
            case generated = "generated_at"
            case isImputed = "imputed_data_used"
        }
    }
    private struct Meta: Decodable {
        let units: String?
        let step: Int64?
        let generated: String?

        private enum CodingKeys: String, CodingKey {
            case units
            case step = "data_point_period_seconds"
            case generated = "generated_at"
        }
    }

    /// The account's token, which is good for 30 minutes.
    private actor Session {
        private static let tokenMilliseconds = 25 * Int64.millisecondsPerMinute

        private let login: HTTPRequest
        private var token: (text: String, since: Timestamp)?

        init(user: String, password: String, endpoint: String) {
            let account = Data("\(user):\(password)".utf8).base64EncodedString()
            login = HTTPRequest("\(endpoint)/login", headers: [.init("Authorization", "Basic \(account)")])
        }

        /// Sends with a token; with a new one, once, if that is refused: it may have ended before its time.
        func send(
            _ request: inout HTTPRequest, _ now: Timestamp, _ http: any HTTPFetching
        ) async throws(EnergyError) -> HTTPResponse {
            let (first, isNew) = try await current(now, http)
            request.headers = [.init("Authorization", "Bearer \(first)")]
            do throws(EnergyError) { return try await http.send(request) } catch {
                guard error.code == .denied, !isNew else { throw error }
                token = nil
            }
            request.headers = [.init("Authorization", "Bearer \(try await current(now, http).text)")]
            return try await http.send(request)
        }

        private func current(
            _ now: Timestamp, _ http: any HTTPFetching
        ) async throws(EnergyError) -> (text: String, isNew: Bool) {
            if let token, 0..<Self.tokenMilliseconds ~= now.milliseconds(since: token.since) {
                return (token.text, false)
            }
            let text = try SourceJSON.decode(Token.self, try await http.send(login)).token
            // It goes into a header: nothing but what a token is made of.
            guard !text.isEmpty, text.utf8.allSatisfy({ 33...126 ~= $0 }) else {
                throw EnergyError(.invalidInput, "the token of the answer is none")
            }
            token = (text, now)
            return (text, true)
        }

        private struct Token: Decodable { let token: String }
    }
}
