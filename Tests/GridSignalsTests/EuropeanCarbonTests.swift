import EnergyModel
import GridSignals
import Testing

/// Energy-Charts and Energinet.
@Suite struct EuropeanCarbonTests {
    @Test func `nulls of Energy-Charts are gaps, or filled by its forecast`() async throws {
        let server = try ReplayServer { _ in
            .json(
                """
                {"unix_seconds":[1704067200,1704068100,1704069000,1704069900,1704080000],
                 "co2eq":[410.5,null,null,null],"co2eq_forecast":[400,405.5,null,390,380],"deprecated":false}
                """)
        }
        let source = try EnergyChartsCO2(country: "DE", endpoint: server.url)
        let fetched = try await Replay.fetch(
            source, try Replay.interval("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"),
            now: try Replay.instant("2024-01-01T00:20:00Z"))
        let query = try #require(server.requests.first).query
        #expect(query == ["country": "de", "start": "2024-01-01T00:00Z", "end": "2024-01-02T00:00Z"])
        // The last time stands alone: how long it holds is not known.
        #expect(fetched.values == [410.5, 405.5, 390])
        #expect(fetched.sorted.map(\.isEstimated) == [false, true, true])
        #expect(fetched.sorted.allSatisfy { $0.interval.milliseconds == 900_000 })
    }

    @Test func `times that do not grow, or are not of this world, give nothing`() async throws {
        let server = try ReplayServer { _ in
            .json(
                """
                {"unix_seconds":[1704068100,1704067200,9223372036854775807,-9223372036854775808],
                 "co2eq":[1,2,3,4],"co2eq_forecast":null}
                """)
        }
        let fetched = try await Replay.fetch(
            try EnergyChartsCO2(country: "de", endpoint: server.url),
            try Replay.interval("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"),
            now: try Replay.instant("2024-01-01T00:20:00Z"))
        #expect(fetched.values.isEmpty)
    }

    @Test func `Energinet is asked in UTC for one area`() async throws {
        let server = try ReplayServer { _ in
            .json(
                """
                {"total":3,"dataset":"CO2EmisProg","records":[
                 {"Minutes5UTC":"2024-03-30T23:55:00","Minutes5DK":"2024-03-31T00:55:00","PriceArea":"DK1","CO2Emission":88.0},
                 {"Minutes5UTC":"2024-03-31T01:00:00","Minutes5DK":"2024-03-31T03:00:00","PriceArea":"DK1","CO2Emission":null},
                 {"Minutes5UTC":"2024-03-31T01:00:00","Minutes5DK":"2024-03-31T03:00:00","PriceArea":"DK2","CO2Emission":70}]}
                """)
        }
        let fetched = try await Replay.fetch(
            try EnerginetCO2(area: "dk1", endpoint: server.url),
            try Replay.interval("2024-03-30T00:00:00Z", "2024-04-01T00:00:00Z"),
            now: try Replay.instant("2024-03-30T00:20:00Z"))
        let query = try #require(server.requests.first).query
        #expect(query["timezone"] == "utc")
        #expect(query["start"] == "2024-03-30T00:00")
        #expect(query["filter"] == #"{"PriceArea":["DK1"]}"#)
        #expect(fetched.values == [88])
        #expect(fetched.starts == ["2024-03-30T23:55:00Z"])
        #expect(throws: EnergyError.self) { try EnerginetCO2(area: "SE3") }
    }
}
