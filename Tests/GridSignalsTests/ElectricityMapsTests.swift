import EnergyModel
import EnergyTestSupport
import Foundation
import GridSignals
import HTTPFetcher
import Testing

@Suite struct ElectricityMapsTests {
    static func row(_ hour: String, _ value: String, estimated: Bool = false, type: String = "lifecycle") -> String {
        #"{"zone":"DE","carbonIntensity":\#(value),"datetime":"\#(hour)","updatedAt":"2024-01-01T02:50:00.000Z","#
            + #""createdAt":"2024-01-01T00:00:00.000Z","emissionFactorType":"\#(type)","isEstimated":\#(estimated),"#
            + #""estimationMethod":null}"#
    }
    static let history =
        #"{"zone":"DE","history":["# + row("2024-01-01T00:00:00.000Z", "300") + ","
        + row("2024-01-01T01:00:00.000Z", "310", estimated: true) + "," + row("2024-01-01T02:00:00.000Z", "null") + "]}"
    static let forecast = """
        {"zone":"DE","updatedAt":"2024-01-01T02:55:00.000Z","forecast":[
         {"carbonIntensity":250,"datetime":"2024-01-01T01:00:00.000Z"},
         {"carbonIntensity":260,"datetime":"2024-01-01T02:00:00.000Z"},
         {"carbonIntensity":270,"datetime":"2024-01-01T03:00:00.000Z"}]}
        """

    static func span() throws -> Interval { try Replay.interval("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z") }
    static func now() throws -> Timestamp { try Replay.instant("2024-01-01T02:30:00Z") }

    @Test func `history and forecast are joined, estimates are marked`() async throws {
        let server = try ReplayServer { request in
            .json(request.path.hasSuffix("history") ? Self.history : Self.forecast)
        }
        let fetched = try await Replay.fetch(
            try ElectricityMaps(zone: "de", key: "geheim", endpoint: server.url), try Self.span(), now: try Self.now())
        #expect(fetched.values == [300, 310, 260, 270])
        #expect(fetched.sorted.map(\.isEstimated) == [false, true, true, true])
        #expect(fetched.issued == (try Replay.instant("2024-01-01T02:55:00Z")))
        #expect(server.requests.allSatisfy { $0.headers["auth-token"] == "geheim" && !$0.target.contains("geheim") })
        #expect(server.requests.first?.query == ["zone": "DE", "emissionFactorType": "lifecycle"])
    }

    @Test func `a plan without forecasts gives history, and is not asked for more for a day`() async throws {
        let server = try ReplayServer { request in
            request.path.hasSuffix("/history") ? .json(Self.history) : .answer(401, "")
        }
        let source = try ElectricityMaps(zone: "DE", key: "geheim", endpoint: server.url)
        let now = try Self.now()
        let fetcher = try AsyncHTTPFetcher(wallClock: FixedWallClock(now))
        for hour in 0..<24 {
            let later = now.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour)
            let ahead = Interval(start: later, milliseconds: .millisecondsPerDay)
            #expect(try await source.fetch(ahead, now: later, from: fetcher).points.count == 2)
        }
        #expect(server.requests.filter { $0.path.hasSuffix("forecast") }.count == 1)
        let past = try Replay.interval("2023-12-01T00:00:00Z", "2023-12-09T00:00:00Z")
        let error = await #expect(throws: EnergyError.self) {
            try await source.fetch(past, now: now, from: fetcher)
        }
        #expect(error?.code == .outOfRange)
        await fetcher.close()
    }

    @Test func `a wrong key is told`() async throws {
        let server = try ReplayServer { _ in .answer(401, #"{"error":"Invalid auth-token geheim"}"#) }
        let error = await #expect(throws: EnergyError.self) {
            try await Replay.fetch(
                try ElectricityMaps(zone: "DE", key: "geheim", endpoint: server.url), try Self.span(),
                now: try Self.now())
        }
        #expect(error?.code == .denied)
        #expect(error?.message.contains("geheim") == false)
    }

    @Test func `another kind of emissions than asked for is refused`() async throws {
        let server = try ReplayServer { _ in
            .json(#"{"history":["# + Self.row("2024-01-01T00:00:00Z", "300", type: "direct") + "]}")
        }
        let error = await #expect(throws: EnergyError.self) {
            try await Replay.fetch(
                try ElectricityMaps(zone: "DE", key: "k", endpoint: server.url), try Self.span(), now: try Self.now())
        }
        #expect(error?.code == .invalidInput)
    }
}
