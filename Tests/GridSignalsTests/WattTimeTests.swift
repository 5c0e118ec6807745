import EnergyModel
import EnergyTestSupport
import Foundation
import GridSignals
import HTTPFetcher
import Synchronization
import Testing

@Suite struct WattTimeTests {
    static func body(_ rows: [(String, String)], units: String = "lbs_co2_per_mwh") -> String {
        let data = rows.map { #"{"point_time":"\#($0.0)","value":\#($0.1),"imputed_data_used":false}"# }
        return #"{"data":["# + data.joined(separator: ",")
            + #"],"meta":{"data_point_period_seconds":300,"region":"CAISO_NORTH","warnings":[],"signal_type":"co2_moer","#
            + #""model":{"date":"2023-03-01"},"units":"\#(units)","generated_at":"2024-01-01T00:05:00+00:00"}}"#
    }
    static let past = body([("2023-12-31T23:55:00+00:00", "1000"), ("2024-01-01T00:00:00+00:00", "null")])
    static let ahead = body([("2024-01-01T00:05:00+00:00", "870"), ("2024-01-01T00:10:00+00:00", "0.0")])

    static func span() throws -> Interval { try Replay.interval("2023-12-31T22:00:00Z", "2024-01-02T00:00:00Z") }
    static func now() throws -> Timestamp { try Replay.instant("2024-01-01T00:07:00Z") }

    static func source(_ server: ReplayServer) throws -> WattTime {
        try WattTime(region: "caiso_north", user: "me", password: "geheim", endpoint: server.url)
    }

    @Test func `logs in, and gives history and forecast in grams`() async throws {
        let server = try ReplayServer { request in
            switch request.path {
            case "/login": .json(#"{"token":"t1"}"#)
            case "/v3/historical": .json(Self.past)
            default: .json(Self.ahead)
            }
        }
        let fetched = try await Replay.fetch(try Self.source(server), try Self.span(), now: try Self.now())
        #expect(server.requests.map(\.path) == ["/login", "/v3/historical", "/v3/forecast"])
        #expect(server.requests[0].headers["authorization"] == "Basic " + Data("me:geheim".utf8).base64EncodedString())
        #expect(server.requests[1].headers["authorization"] == "Bearer t1")
        #expect(server.requests[1].query["region"] == "CAISO_NORTH")
        #expect(server.requests[1].query["start"] == "2023-12-31T22:00:00Z")
        #expect(fetched.values == [1000 * 0.45359237, 870 * 0.45359237, 0])
        #expect(fetched.sorted.map(\.isEstimated) == [false, true, true])
        #expect(fetched.issued == (try Replay.instant("2024-01-01T00:05:00Z")))
    }

    @Test func `one token serves for 25 minutes, 401 renews it once`() async throws {
        let logins = Mutex(0)
        let good = Mutex("t1")
        let server = try ReplayServer { request in
            if request.path == "/login" {
                let number = logins.withLock { count in
                    count += 1
                    return count
                }
                return .json(#"{"token":"t\#(number)"}"#)
            }
            guard request.headers["authorization"] == "Bearer " + good.withLock({ $0 }) else { return .answer(401, "") }
            return .json(request.path == "/v3/historical" ? Self.past : Self.ahead)
        }
        let source = try Self.source(server)
        let now = try Self.now()
        let fetcher = try AsyncHTTPFetcher(wallClock: FixedWallClock(now))
        func fetch(minutes: Int64) async throws {
            let later = now.advanced(byMilliseconds: minutes * .millisecondsPerMinute)
            _ = try await source.fetch(try Self.span(), now: later, from: fetcher)
        }
        try await fetch(minutes: 0)
        try await fetch(minutes: 24)
        #expect(logins.withLock { $0 } == 1)
        good.withLock { $0 = "t2" }
        try await fetch(minutes: 24)
        #expect(logins.withLock { $0 } == 2)
        good.withLock { $0 = "t3" }
        try await fetch(minutes: 55)
        #expect(logins.withLock { $0 } == 3)
        // A token that is refused at once is not renewed for ever.
        good.withLock { $0 = "none" }
        let error = await #expect(throws: EnergyError.self) { try await fetch(minutes: 55) }
        #expect(error?.code == .denied)
        #expect(error?.message.contains("geheim") == false)
        #expect(logins.withLock { $0 } <= 5)
        await fetcher.close()
    }

    @Test func `a plan with only one of the two gives that`() async throws {
        let server = try ReplayServer { request in
            switch request.path {
            case "/login": .json(#"{"token":"t1"}"#)
            case "/v3/historical": .answer(403, #"{"error":"Invalid query parameters"}"#)
            default: .json(Self.ahead)
            }
        }
        let fetched = try await Replay.fetch(try Self.source(server), try Self.span(), now: try Self.now())
        #expect(fetched.points.count == 2)
    }

    @Test func `percentiles are not taken for emissions`() async throws {
        let server = try ReplayServer { request in
            request.path == "/login" ? .json(#"{"token":"t1"}"#) : .json(Self.body([], units: "percentile"))
        }
        let error = await #expect(throws: EnergyError.self) {
            try await Replay.fetch(try Self.source(server), try Self.span(), now: try Self.now())
        }
        #expect(error?.code == .invalidInput)
    }

    @Test(.enabled(if: Replay.hasSamples, "needs ../shared/data/api-samples"))
    func `documented bodies are read`() async throws {
        let server = try ReplayServer { request in
            let name = request.path == "/v3/historical" ? "historical" : "forecasted"
            return request.path == "/login"
                ? .json(#"{"token":"t1"}"#)
                : (try? Replay.sample("watttime-v3/\(name)_emissions_response.json")).map { .json($0) }
                    ?? .answer(500, "")
        }
        let fetched = try await Replay.fetch(
            try Self.source(server), try Replay.interval("2022-07-15T00:00:00Z", "2022-07-16T00:00:00Z"),
            now: try Replay.instant("2022-07-15T00:07:00Z"))
        #expect(fetched.points.count == 4)
        #expect(fetched.sorted.allSatisfy { $0.isEstimated })
    }
}
