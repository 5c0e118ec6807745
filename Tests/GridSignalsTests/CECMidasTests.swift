import EnergyModel
import EnergyTestSupport
import GridSignals
import HTTPFetcher
import Testing

@Suite struct CECMidasTests {
    static func body(_ rows: String) -> String {
        #"{"RateID":"X","SystemTime_UTC":"2026-06-23T03:34:50.858999Z","ValueInformation":["# + rows + "]}"
    }
    static func row(_ start: String, _ end: String, _ value: String, unit: String, key: String = "Value") -> String {
        let (first, last) = (start.split(separator: " "), end.split(separator: " "))
        return """
            {"ValueName":"x","DateStart":"\(first[0])","DateEnd":"\(last[0])","DayStart":8,"DayEnd":"Monday",
             "TimeStart":"\(first[1])","TimeEnd":"\(last[1])","\(key)":\(value),"Unit":"\(unit)"}
            """
    }

    @Test func `inclusive ends become exclusive, whatever the version's spelling`() async throws {
        let server = try ReplayServer { _ in
            .json(
                Self.body(
                    [
                        Self.row("2026-06-22 07:00:00", "2026-06-22 07:04:59", "643.19", unit: "g/kWh CO2"),
                        Self.row("2026-06-22 07:05:00", "2026-06-22 07:09:59", "0.5", unit: "kg/kWh CO2", key: "value"),
                        Self.row("2026-06-22 23:55", "2026-06-22 23:59", "600", unit: "g/kWh CO2"),
                        Self.row("2026-06-23 00:00:00", "2026-06-23 00:04:59", "null", unit: "g/kWh CO2"),
                    ].joined(separator: ",")))
        }
        let source = try CECMidas(rin: "USCA-SGIP-MOER-PGE", .emissions, endpoint: server.url)
        #expect(source.kind == .marginal)
        let fetched = try await Replay.fetch(
            source, try Replay.interval("2026-06-22T05:00:00Z", "2026-06-24T07:10:00Z"),
            now: try Replay.instant("2026-06-22T07:06:00Z"))
        #expect(fetched.values == [643.19, 500, 600])
        #expect(fetched.sorted.allSatisfy { $0.interval.milliseconds == 300_000 })
        #expect(fetched.sorted.map(\.isEstimated) == [false, true, true])
        #expect(fetched.issued == (try Replay.instant("2026-06-23T03:34:50Z")))
        #expect(server.requests.first?.target == "/ValueData?ID=USCA-SGIP-MOER-PGE&QueryType=alldata")
    }

    @Test func `the past is asked of the archive, a retired RIN is not found`() async throws {
        let server = try ReplayServer { request in
            request.path.hasSuffix("OLD1") ? .answer(404, "") : .json(Self.body(""))
        }
        let past = try Replay.interval("2026-06-01T00:00:00Z", "2026-06-10T00:00:00Z")
        let now = try Replay.instant("2026-06-22T07:06:00Z")
        _ = try await Replay.fetch(
            try CECMidas(rin: "USCA-SGIP-MOER-PGE", .emissions, endpoint: server.url), past, now: now)
        #expect(
            server.requests.first?.target
                == "/HistoricalData/USCA-SGIP-MOER-PGE?startdate=2026-06-01&enddate=2026-06-10")
        let error = await #expect(throws: EnergyError.self) {
            try await Replay.fetch(
                try CECMidas(rin: "USCA-SGIP-MOER-OLD1", .emissions, endpoint: server.url), past, now: now)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `rates are prices in millionths, and are not mixed with emissions`() async throws {
        let server = try ReplayServer { _ in
            .json(Self.body(Self.row("2023-05-01 07:00:00", "2023-05-01 07:59:59", "0.1006", unit: "$/kWh")))
        }
        let day = try Replay.interval("2023-05-01T00:00:00Z", "2023-05-02T00:00:00Z")
        let rates = try CECMidas(rin: "USCA-TSTS-TTOU-TEST", .rates, endpoint: server.url)
        #expect(rates.kind == .price)
        #expect(rates.currency == "USD")
        let fetched = try await Replay.fetch(rates, day, now: day.start)
        #expect(fetched.values == [100_600])
        #expect(fetched.sorted.first?.interval.milliseconds == .millisecondsPerHour)
        let wrong = try CECMidas(rin: "USCA-TSTS-TTOU-TEST", .emissions, endpoint: server.url)
        let error = await #expect(throws: EnergyError.self) { try await Replay.fetch(wrong, day, now: day.start) }
        #expect(error?.code == .invalidInput)
    }

    @Test func `a Flex Alert is the hours that are marked, in one piece`() async throws {
        let hours = (0..<24).map { hour in
            let (time, isActive) = (hour < 10 ? "0\(hour)" : "\(hour)", [1, 2, 3, 23].contains(hour))
            return Self.row(
                "2026-09-06 \(time):00:00", "2026-09-06 \(time):59:59", isActive ? "1" : "0", unit: "Event")
        }
        let next = Self.row("2026-09-07 00:00", "2026-09-07 00:59", "1.0", unit: "Event", key: "value")
        let active = try ReplayServer { _ in .json(Self.body(([next] + hours).joined(separator: ","))) }
        let none = try ReplayServer { _ in
            .json(Self.body(Self.row("2026-03-19 03:11", "2026-03-19 03:11", "0.0", unit: "Event")))
        }
        let fetcher = try AsyncHTTPFetcher(wallClock: FixedWallClock())
        #expect(
            try await CECMidas.alerts(from: fetcher, endpoint: active.url).map(\.interval) == [
                try Replay.interval("2026-09-06T01:00:00Z", "2026-09-06T04:00:00Z"),
                try Replay.interval("2026-09-06T23:00:00Z", "2026-09-07T01:00:00Z"),
            ])
        #expect(active.requests.first?.target == "/ValueData?ID=USCA-FLEX-ALRT-0000&QueryType=realtime")
        #expect(try await CECMidas.alerts(from: fetcher, endpoint: none.url).isEmpty)
        await fetcher.close()
    }

    @Test(arguments: [
        ("2026-09-06 00:00", "2026-09-06 00:59", "g/kWh CO2"), ("2026-09-06 00:00", "2026-09-20 00:59", "Event"),
        ("soon", "2026-09-06 00:59", "Event"),
    ])
    func `what is no alert is refused`(start: String, end: String, unit: String) async throws {
        let http = FakeHTTP { _ in
            HTTPResponse(status: 200, body: Array(Self.body(Self.row(start + " x", end, "1", unit: unit)).utf8))
        }
        let error = await #expect(throws: EnergyError.self) { try await CECMidas.alerts(from: http) }
        #expect(error?.code == .invalidInput)
    }

    @Test(.enabled(if: Replay.hasSamples, "needs ../shared/data/api-samples"))
    func `documented bodies are read`() async throws {
        let server = try ReplayServer { request in
            let name = request.query["ID"] ?? ""
            let file =
                name == CECMidas.flexAlert ? "v2_flex_alert" : name.contains("MOER") ? "v2_moer" : "v2_rate_info"
            return (try? Replay.sample("cec-midas/\(file).json")).map { .json($0) } ?? .answer(500, "")
        }
        let now = try Replay.instant("2026-06-22T07:03:00Z")
        let ahead = Interval(start: now, milliseconds: .millisecondsPerDay)
        let moer = try CECMidas(rin: "USCA-SGIP-MOER-PGE", .emissions, endpoint: server.url)
        #expect(try await Replay.fetch(moer, ahead, now: now).values == [643.19])
        let rates = try CECMidas(rin: "USCA-TSTS-TTOU-TEST", .rates, endpoint: server.url)
        #expect(try await !Replay.fetch(rates, ahead, now: now).values.isEmpty)
        let fetcher = try AsyncHTTPFetcher(wallClock: FixedWallClock(now))
        #expect(try await CECMidas.alerts(from: fetcher, endpoint: server.url).isEmpty)
        await fetcher.close()
    }
}
