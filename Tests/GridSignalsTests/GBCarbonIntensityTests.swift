import EnergyModel
import GridSignals
import Testing

@Suite struct GBCarbonIntensityTests {
    static let national = """
        {"data":[
          {"from":"2024-01-12T05:30Z","to":"2024-01-12T06:00Z","intensity":{"forecast":290,"actual":286,"index":"very high"}},
          {"from":"2024-01-12T06:00Z","to":"2024-01-12T06:30Z","intensity":{"forecast":293,"actual":null,"index":"very high"}},
          {"from":"2024-01-12T06:30Z","to":"2024-01-12T07:00Z","intensity":{"forecast":null,"actual":null,"index":null}},
          {"from":"2024-01-12T07:00Z","to":"2024-01-12T07:30Z","intensity":{"forecast":304,"actual":null,"index":"very high"}}]}
        """

    @Test func `times without seconds are read, nulls are gaps, what was measured counts`() async throws {
        let server = try ReplayServer { _ in .json(Self.national) }
        let source = try GBCarbonIntensity(.national, endpoint: server.url)
        let fetched = try await Replay.fetch(
            source, try Replay.interval("2024-01-12T05:30:00Z", "2024-01-14T06:00:00Z"),
            now: try Replay.instant("2024-01-12T06:10:00Z"))
        #expect(server.requests.first?.target == "/intensity/2024-01-12T05:30Z/2024-01-14T06:00Z")
        #expect(fetched.values == [286, 293, 304])
        #expect(fetched.sorted.map(\.isEstimated) == [false, true, true])
        #expect(fetched.starts == ["2024-01-12T05:30:00Z", "2024-01-12T06:00:00Z", "2024-01-12T07:00:00Z"])
        #expect(fetched.sorted.allSatisfy { $0.interval.milliseconds == 1_800_000 })
    }

    @Test func `a region is asked by number or postcode`() async throws {
        let server = try ReplayServer { _ in
            .json(
                """
                {"data":{"regionid":13,"dnoregion":"UKPN London","shortname":"London","data":[
                  {"from":"2024-01-12T06:00Z","to":"2024-01-12T06:30Z","intensity":{"forecast":200,"index":"high"},
                   "generationmix":[{"fuel":"gas","perc":43.6}]}]}}
                """)
        }
        for (area, path) in [
            (GBCarbonIntensity.Area.region(13), "regionid/13"), (.postcode("sw1a"), "postcode/SW1A"),
        ] {
            let fetched = try await Replay.fetch(
                try GBCarbonIntensity(area, endpoint: server.url),
                try Replay.interval("2024-01-12T06:00:00Z", "2024-01-12T07:00:00Z"),
                now: try Replay.instant("2024-01-12T06:00:00Z"))
            #expect(fetched.values == [200])
            #expect(
                server.requests.last?.target == "/regional/intensity/2024-01-12T06:00Z/2024-01-12T07:00Z/\(path)")
        }
        #expect(throws: EnergyError.self) { try GBCarbonIntensity(.region(0)) }
        #expect(throws: EnergyError.self) { try GBCarbonIntensity(.postcode("SW1A 1AA/../x")) }
    }

    @Test(arguments: ["", "{", #"{"data":[{"from":"2024"#, "<html></html>", "null"])
    func `half a document is unavailable`(body: String) async throws {
        let server = try ReplayServer { _ in .json(body) }
        let source = try GBCarbonIntensity(.national, endpoint: server.url)
        let error = await #expect(throws: EnergyError.self) {
            try await Replay.fetch(
                source, try Replay.interval("2024-01-12T06:00:00Z", "2024-01-12T07:00:00Z"),
                now: try Replay.instant("2024-01-12T06:00:00Z"))
        }
        #expect(error?.code == (body == "null" ? .invalidInput : .unavailable), "\(error?.message ?? "")")
    }

    @Test(.enabled(if: Replay.hasSamples, "needs ../shared/data/api-samples"))
    func `real bodies are read`() async throws {
        let server = try ReplayServer { request in
            (try? Replay.sample(
                request.path.contains("2024-01-11")
                    ? "gb-carbon-intensity/national_pt24h_2024-01-12T0601Z_first8.json"
                    : "gb-carbon-intensity/national_fw48h_2024-01-12T0601Z_first8.json")).map { .json($0) }
                ?? .answer(500, "")
        }
        let source = try GBCarbonIntensity(.national, endpoint: server.url)
        let now = try Replay.instant("2024-01-12T06:01:00Z")
        let ahead = try await Replay.fetch(
            source, try Replay.interval("2024-01-12T06:00:00Z", "2024-01-14T06:00:00Z"), now: now)
        #expect(ahead.values.prefix(4) == [293, 301, 304, 306])
        let past = try await Replay.fetch(
            source, try Replay.interval("2024-01-11T06:00:00Z", "2024-01-12T05:30:00Z"), now: now)
        #expect(past.values.prefix(4) == [271, 277, 282, 283])
        #expect(past.sorted.allSatisfy { !$0.isEstimated })
    }
}
