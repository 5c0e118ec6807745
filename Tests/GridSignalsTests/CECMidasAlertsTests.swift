import EnergyModel
import EnergyTestSupport
import GridSignals
import HTTPFetcher
import Synchronization
import Testing

/// California's alerts as events of a region: declared, lengthened, withdrawn; kept while MIDAS does not answer.
@Suite struct CECMidasAlertsTests {
    /// What a test's MIDAS says: the hours of an alert, or a failure.
    final class Midas: Sendable {
        private let state = Mutex<(hours: [Int], reply: ReplayServer.Reply?)>(([], nil))

        func say(_ hours: [Int]) { state.withLock { $0 = (hours, nil) } }
        func fail(_ reply: ReplayServer.Reply) { state.withLock { $0.reply = reply } }

        var reply: ReplayServer.Reply {
            let (hours, reply) = state.withLock { $0 }
            let rows = (0..<24).map { hour in
                let time = hour < 10 ? "0\(hour)" : "\(hour)"
                return CECMidasTests.row(
                    "2026-09-06 \(time):00:00", "2026-09-06 \(time):59:59", hours.contains(hour) ? "1" : "0",
                    unit: "Event")
            }
            return reply ?? .json(CECMidasTests.body(rows.joined(separator: ",")))
        }
    }

    /// At noon, UTC.
    struct Parts {
        let midas = Midas()
        let changes = Box(0)
        let server: ReplayServer
        let fetcher: AsyncHTTPFetcher
        let clock = ManualClock()
        let wallClock: ManualWallClock
        let alerts: CECMidasAlerts

        init() throws {
            let (midas, changes) = (midas, changes)
            server = try ReplayServer { _ in midas.reply }
            wallClock = ManualWallClock(start: try Replay.instant("2026-09-06T12:00:00Z"), clock: clock)
            fetcher = try AsyncHTTPFetcher(wallClock: wallClock)
            alerts = try CECMidasAlerts(
                region: "CISO", http: fetcher, wallClock: wallClock, clock: clock, endpoint: server.url,
                onChange: { changes.update { $0 += 1 } })
        }

        func events() async throws(EnergyError) -> [DemandResponseEvent] { try await alerts.events(now: wallClock.now) }

        /// Lets time pass, and asks if it is time.
        func advance(minutes: Int) async {
            clock.advance(by: .seconds(minutes * 60))
            await alerts.poll()
        }
    }

    private func run(_ test: (Parts) async throws -> Void) async throws {
        let parts = try Parts()
        try await test(parts)
        await parts.fetcher.close()
    }

    @Test func `an alert is an event of its region, until it goes away`() async throws {
        try await run { parts in
            // The first answer is waited for.
            #expect(try await parts.events().isEmpty)
            parts.midas.say([10, 11, 23])
            await parts.advance(minutes: 5)
            #expect(try await parts.events().isEmpty, "it is not asked that often")
            await parts.advance(minutes: 5)
            let event = try #require(try await parts.events().first)
            #expect(try await parts.events().count == 1, "what is over is no event")
            #expect(event.scope == .region("CISO") && event.kind == .reduce)
            #expect(event.interval == (try Replay.interval("2026-09-06T23:00:00Z", "2026-09-07T00:00:00Z")))
            #expect(event.source == "cec-midas:USCA-FLEX-ALRT-0000@CISO")
            #expect(event.source == parts.alerts.name)
            #expect(event.violations.isEmpty && event.reason == "x")
            #expect(parts.changes.value == 1)
            // With another end it is the same event; of another start it is another.
            parts.midas.say([20, 23])
            await parts.advance(minutes: 10)
            #expect(try await parts.events().map(\.id).contains(event.id))
            #expect(try await parts.events().count == 2)
            parts.midas.say([])
            await parts.advance(minutes: 10)
            #expect(try await parts.events().isEmpty)
            await parts.advance(minutes: 10)
            #expect(parts.changes.value == 3, "said again is no change")
        }
    }

    @Test func `what was said stands while MIDAS does not answer, and is not known after two hours`() async throws {
        try await run { parts in
            parts.midas.say([18])
            let said = try await parts.events()
            #expect(said.count == 1)
            parts.midas.fail(.answer(503, headers: ["Retry-After": "1800"], ""))
            await parts.advance(minutes: 10)
            #expect(try await parts.events() == said)
            let asked = parts.server.requests.count
            await parts.advance(minutes: 20)
            #expect(parts.server.requests.count == asked, "it was told to wait for half an hour")
            await parts.advance(minutes: 100)
            let error = await #expect(throws: EnergyError.self) { try await parts.events() }
            #expect(error?.code == .unavailable)
            parts.midas.say([18])
            await parts.advance(minutes: 60)
            #expect(try await parts.events() == said)
            #expect(parts.changes.value == 1)
        }
    }

    @Test(arguments: [
        (ReplayServer.Reply.answer(404, ""), EnergyError.Code.notFound), (.json("[1"), .unavailable),
        (.half("{\"a\":1}"), .unavailable),
        (
            .json(CECMidasTests.body(CECMidasTests.row("2026-09-06 1", "2026-09-06 2", "1", unit: "Event"))),
            .invalidInput
        ),
    ])
    func `without a first answer it is said why`(reply: ReplayServer.Reply, code: EnergyError.Code) async throws {
        try await run { parts in
            parts.midas.fail(reply)
            let error = await #expect(throws: EnergyError.self) { try await parts.events() }
            #expect(error?.code == code, "\(String(describing: error))")
        }
    }

    @Test func `it asks whenever it is time, until it is cancelled`() async throws {
        try await run { parts in
            var arrivals = parts.server.arrivals.makeAsyncIterator()
            let task = Task { [alerts = parts.alerts] in await alerts.run() }
            for _ in 0..<3 {
                _ = await arrivals.next()
                await parts.clock.waitForSleepers()
                parts.clock.advance(by: .seconds(600))
            }
            task.cancel()
            await task.value
            #expect(parts.server.requests.count >= 3)
        }
    }

    @Test(arguments: [("USCA-FLEX", "CISO"), ("USCA-FLEX-ALRT-0000", "C I")])
    func `another form of RIN or region is refused`(rin: String, region: String) {
        #expect(throws: EnergyError.self) {
            try CECMidasAlerts(
                rin, region: region, http: FakeHTTP { _ in PolledProviderTests.ok }, wallClock: FixedWallClock())
        }
    }
}
