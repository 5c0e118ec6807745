import EnergyModel
import EnergyStore
import EnergyTestSupport
import GridSignals
import HTTPFetcher
import Testing

/// Energy-Charts, aWATTar and Energinet: day-ahead prices as JSON, without a key.
@Suite struct DayAheadPriceTests {
    private static func energyCharts(_ body: String, status: Int = 200) async throws -> FetchedSignals {
        let server = try ReplayServer { _ in
            status == 200 ? .json(body) : .answer(status, headers: ["Content-Type": "application/json"], body)
        }
        let source = try EnergyChartsPrice(zone: "DE-LU", endpoint: server.url)
        let fetched = try await PriceReplay.fetch(source, "2025-09-30T21:00:00Z", "2025-10-02T00:00:00Z")
        let query = try #require(server.requests.first).query
        #expect(query == ["bzn": "DE-LU", "start": "1759266000", "end": "1759363200"])
        return fetched
    }

    @Test func `Energy-Charts turns from hours to quarter-hours, with nulls as gaps`() async throws {
        let fetched = try await Self.energyCharts(
            """
            {"license_info":"CC BY 4.0","unix_seconds":[1759262400,1759266000,1759269600,1759270500,1759271400,1759272300],
             "price":[101.5,-0.02,null,88.123456,0,89.66999999999999],"unit":"EUR / MWh","deprecated":false}
            """)
        #expect(fetched.micros == [101_500, -20, 88_123, 0, 89_670])
        #expect(fetched.minutes == [60, 60, 15, 15, 15])
    }

    @Test(arguments: [
        #"{"unix_seconds":[1,2],"price":[1],"unit":"EUR / MWh"}"#,
        #"{"unix_seconds":[1759266000],"price":[1],"unit":"GBP / MWh"}"#,
        #"{"unix_seconds":[9223372036854775807,0],"price":[1,2],"unit":"EUR/MWh"}"#,
        #"{"unix_seconds":[1759266000,1759269600],"price":[1e30,2],"unit":"EUR/MWh"}"#,
        #"{"unix_seconds":[1759266000],"price":["1"],"unit":"EUR/MWh"}"#, #"{"price":[1],"unit":"EUR/MWh"}"#,
    ])
    func `Energy-Charts in another form than documented is refused`(body: String) async throws {
        let error = await #expect(throws: EnergyError.self) { try await Self.energyCharts(body) }
        #expect(error?.code == .invalidInput)
    }

    @Test func `Energy-Charts says 404 for a time without prices`() async throws {
        let error = await #expect(throws: EnergyError.self) {
            try await Self.energyCharts(#"{"detail":"Not Found"}"#, status: 404)
        }
        #expect(error?.code == .notFound)
        let empty = await #expect(throws: EnergyError.self) {
            try await Self.energyCharts(#"{"unix_seconds":[],"price":[],"unit":"EUR / MWh"}"#)
        }
        #expect(empty?.message.contains("energy-charts-price:DE-LU has no prices for this time") == true)
    }

    @Test func `aWATTar says when each price begins and ends`() async throws {
        let server = try ReplayServer { _ in
            .json(
                """
                {"object":"list","data":[
                {"start_timestamp":1759266000000,"end_timestamp":1759269600000,"marketprice":42.09,"unit":"Eur/MWh"},
                {"start_timestamp":1759269600000,"end_timestamp":1759270500000,"marketprice":-5.12,"unit":"Eur/MWh"},
                {"start_timestamp":1759270500000,"end_timestamp":1759271400000,"marketprice":null,"unit":"Eur/MWh"},
                {"start_timestamp":1759270500000,"end_timestamp":1759270500000,"marketprice":1,"unit":"Eur/MWh"}],
                "url":"/at/v1/marketdata"}
                """)
        }
        let source = Awattar(.austria, endpoint: server.url)
        let fetched = try await PriceReplay.fetch(source, "2025-09-30T21:00:00Z", "2025-10-02T00:00:00Z")
        #expect(fetched.micros == [42_090, -5_120])
        #expect(fetched.minutes == [60, 15])
        #expect(source.name == "awattar:at")
        let query = try #require(server.requests.first).query
        #expect(query == ["start": "1759266000000", "end": "1759363200000"])
    }

    @Test(arguments: [
        #"{"data":[{"start_timestamp":-9223372036854775808,"end_timestamp":9223372036854775807,"marketprice":1,"unit":"Eur/MWh"}]}"#,
        #"{"data":[{"start_timestamp":1759266000000,"end_timestamp":1759269600000,"marketprice":1,"unit":"Eur/kWh"}]}"#,
        #"{"data":{}}"#,
    ])
    func `aWATTar in another form than documented is refused`(body: String) async throws {
        let server = try ReplayServer { _ in .json(body) }
        let error = try await PriceReplay.failure(
            Awattar(.germany, endpoint: server.url), "2025-09-30T21:00:00Z", "2025-10-02T00:00:00Z")
        #expect(error.code == .invalidInput)
    }

    private static let danish = """
        {"total":5,"sort":"TimeUTC","dataset":"DayAheadPrices","records":[
        {"TimeUTC":"2025-10-26T00:45:00","TimeDK":"2025-10-26T02:45:00","PriceArea":"DK1","DayAheadPriceEUR":10.5,"DayAheadPriceDKK":78.413998},
        {"TimeUTC":"2025-10-26T01:00:00","TimeDK":"2025-10-26T02:00:00","PriceArea":"DK1","DayAheadPriceEUR":-3,"DayAheadPriceDKK":null},
        {"TimeUTC":"2025-10-26T01:00:00","TimeDK":"2025-10-26T02:00:00","PriceArea":"SE3","DayAheadPriceEUR":7,"DayAheadPriceDKK":52},
        {"TimeUTC":"2025-10-26T01:15:00","TimeDK":"2025-10-26T02:15:00","PriceArea":"DK1","DayAheadPriceEUR":0.01,"DayAheadPriceDKK":0.074680}]}
        """

    @Test func `Energinet is read by UTC, through the hour that Danish clocks repeat`() async throws {
        let server = try ReplayServer { _ in .json(Self.danish) }
        let source = try EnerginetPrice(area: "dk1", endpoint: server.url)
        let fetched = try await PriceReplay.fetch(source, "2025-10-26T00:00:00Z", "2025-10-27T00:00:00Z")
        #expect(fetched.micros == [78_414, 75])
        #expect(fetched.begins == ["2025-10-26T00:45:00Z", "2025-10-26T01:15:00Z"])
        #expect(fetched.minutes == [15, 15])
        #expect(source.currency == "DKK")
        let query = try #require(server.requests.first).query
        #expect(query["timezone"] == "utc")
        #expect(query["start"] == "2025-10-26T00:00")
        #expect(query["filter"] == #"{"PriceArea":["DK1"]}"#)
        #expect(query["limit"] == "0")
    }

    @Test func `Energinet has euros where kroner are not there yet`() async throws {
        let server = try ReplayServer { _ in .json(Self.danish) }
        let source = try EnerginetPrice(area: "DK1", currency: .euros, endpoint: server.url)
        let fetched = try await PriceReplay.fetch(source, "2025-10-26T00:00:00Z", "2025-10-27T00:00:00Z")
        #expect(fetched.micros == [10_500, -3_000, 10])
        #expect(source.currency == "EUR")
    }

    @Test func `an area that Energinet has nothing of is not found`() async throws {
        let server = try ReplayServer { _ in .json(#"{"total":0,"dataset":"DayAheadPrices","records":[]}"#) }
        let error = try await PriceReplay.failure(
            try EnerginetPrice(area: "DK9", endpoint: server.url), "2025-10-26T00:00:00Z", "2025-10-27T00:00:00Z")
        #expect(error.code == .notFound)
    }

    @Test func `tomorrow's prices come with a later question, and today's stay`() async throws {
        let midnight: Int64 = 1_759_269_600_000
        func rows(_ hours: Range<Int64>) -> String {
            let rows = hours.map { hour in
                let start = midnight + hour * .millisecondsPerHour
                return
                    #"{"start_timestamp":\#(start),"end_timestamp":\#(start + 3_600_000),"marketprice":\#(hour),"unit":"Eur/MWh"}"#
            }
            return #"{"object":"list","data":[\#(rows.joined(separator: ","))]}"#
        }
        let body = Box(rows(0..<24))
        let server = try ReplayServer { _ in .json(body.value) }
        let hand = ManualClock()
        let noon = Timestamp(unixMilliseconds: midnight + 12 * .millisecondsPerHour)
        let clock = ManualWallClock(start: noon, clock: hand)
        let fetcher = try AsyncHTTPFetcher(wallClock: clock)
        let provider = PolledProvider(Awattar(.germany, endpoint: server.url), http: fetcher, wallClock: clock, seed: 1)
        let window = Interval(start: Timestamp(unixMilliseconds: midnight), milliseconds: 2 * .millisecondsPerDay)
        await provider.poll()
        #expect(try await provider.signals(region: "DE", in: window, now: clock.now).series.points.count == 24)
        // From noon on the answer has the next day only.
        body.set(rows(12..<48))
        hand.advance(by: .seconds(2 * 3600))
        await provider.poll()
        let report = try await provider.signals(region: "DE", in: window, now: clock.now)
        let expected: [Double] = (0..<48).map { Double($0 * 1_000) }
        #expect(report.series.points.map(\.value) == expected)
        #expect(report.currency == "EUR")
        #expect(report.newestMeasured == clock.now)
        await fetcher.close()
    }
}
