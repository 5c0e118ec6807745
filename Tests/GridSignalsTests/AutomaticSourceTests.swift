import EnergyModel
import EnergyTestSupport
import GridSignals
import Testing

/// What regions have without an entry in the settings.
@Suite struct AutomaticSourceTests {
    @Test func `every region that has a source by itself has one of carbon`() throws {
        let regions = Dictionary(grouping: try AutomaticSources.all(), by: \.region)
        #expect(Set(["AT", "DE", "DK1", "FR", "GB", "IT-North", "NO2", "SE3"]).isSubset(of: regions.keys))
        for (region, sources) in regions {
            #expect(Venue.isRegion(region))
            #expect(sources.contains { $0.source.kind.quantity == .carbon }, "\(region)")
            #expect(Set(sources.map(\.source.name)).count == sources.count, "\(region)")
        }
    }

    @Test(arguments: [
        ("DE", ["energy-charts-co2:de", "energy-charts-price:DE-LU", "awattar:de"]),
        ("DK1", ["energinet-co2:DK1", "energy-charts-co2:dk", "energinet-price:DK1", "energy-charts-price:DK1"]),
        ("GB", ["gb-carbon-intensity:national"]), ("IE", ["energy-charts-co2:ie"]),
        ("NO2", ["energy-charts-co2:no", "energy-charts-price:NO2"]),
    ])
    func `a region has its sources by their own names, the preferred first`(region: String, names: [String]) throws {
        #expect(try AutomaticSources.all().filter { $0.region == region }.map(\.source.name) == names)
    }

    @Test func `a source is asked from when it is needed until it is needed no more`() async {
        let parts = PolledProviderTests.Parts()
        let needed = NeededSources([parts.provider])
        needed.need(["another"])
        #expect(parts.http.requests.isEmpty)
        needed.need(["fake:place"])
        await parts.clock.waitForSleepers()
        let asked = parts.http.requests.count
        #expect(asked > 0)
        // Still needed: no second one asks beside the first.
        needed.need(["fake:place", "another"])
        parts.advance(minutes: 15)
        await parts.clock.waitForSleepers()
        #expect(parts.http.requests.count == asked + 1)
        needed.need([])
        parts.advance(minutes: 60)
        #expect(parts.http.requests.count == asked + 1)
        needed.need(["fake:place"])
        await parts.clock.waitForSleepers()
        #expect(parts.http.requests.count == asked + 2)
        needed.need([])
    }

    /// Takes requests, and answers none before it is let go.
    private actor SilentHTTP: HTTPFetching {
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func send(_ request: HTTPRequest) async throws(EnergyError) -> HTTPResponse {
            await withCheckedContinuation { waiting.append($0) }
            throw EnergyError(.unavailable, "did not answer in time")
        }

        func letGo() {
            for request in waiting { request.resume() }
            waiting = []
        }
    }

    @Test func `a first answer that does not come is not waited for longer than a moment`() async {
        let clock = ManualClock()
        let http = SilentHTTP()
        let provider = PolledProvider(
            FakeSource(), http: http,
            wallClock: ManualWallClock(start: PolledProviderTests.start, clock: clock), clock: clock)
        let now = PolledProviderTests.start
        let report = Task {
            try await provider.signals(
                region: "X", in: Interval(start: now, milliseconds: .millisecondsPerHour), now: now)
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: EnergyError.self) { try await report.value }
        #expect(error?.code == .unavailable && error?.message == "has said nothing yet")
        await http.letGo()
        await provider.poll()
    }
}
