import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GridSignals
import GuidancePublishing
import SQLiteStore
import Synchronization
import Testing

@testable import guidance_publisher

/// What a guidance-publisher's settings make, on a database that outlives it.
@Suite struct SourceRestartTests {
    /// Great Britain's half hours of the time that is asked for, all of one value; and one hour's Flex Alert.
    private final class Web: HTTPFetching {
        private let state = Mutex<(value: Int, asked: [String])>((200, []))

        var asked: [String] { state.withLock { $0.asked } }
        func say(_ value: Int) { state.withLock { $0.value = value } }

        func send(_ request: HTTPRequest) async throws(EnergyError) -> HTTPResponse {
            let value = state.withLock { state in
                state.asked.append(request.url)
                return state.value
            }
            let body = request.url.contains("/ValueData") ? Self.alert : try Self.halfHours(request.url, value)
            return HTTPResponse(status: 200, body: Array(body.utf8))
        }

        private static let alert = """
            {"ValueInformation":[{"ValueName":"Active Flex Alert","DateStart":"2024-01-12","DateEnd":"2024-01-12",
            "TimeStart":"20:00:00","TimeEnd":"20:59:59","Value":1,"Unit":"Event"}]}
            """

        private static func halfHours(_ url: String, _ value: Int) throws(EnergyError) -> String {
            let edges = url.split(separator: "/").suffix(2)
            var times: [Timestamp] = []
            for edge in edges { times.append(try SourceRestartTests.time(edge)) }
            let rows = stride(from: times[0].unixMilliseconds, to: times[1].unixMilliseconds, by: 1_800_000).map {
                time in
                let span = [time, time + 1_800_000].map { Timestamp(unixMilliseconds: $0).description }
                return
                    #"{"from":"\#(span[0])","to":"\#(span[1])","intensity":{"forecast":\#(value),"actual":\#(value)}}"#
            }
            return #"{"data":[\#(rows.joined(separator: ","))]}"#
        }
    }

    private static func sources() throws -> [SourceSettings.Source] {
        [
            SourceSettings.Source(region: "GB", origin: .web(try GBCarbonIntensity(.national, endpoint: "https://gb"))),
            SourceSettings.Source(
                region: "CISO", origin: .alerts(rin: CECMidas.flexAlert, endpoint: "https://midas")),
        ]
    }

    /// - Parameter text: without seconds.
    private static func time(_ text: some StringProtocol) throws(EnergyError) -> Timestamp {
        guard let date = try? Date(text.dropLast() + ":00Z", strategy: .iso8601) else {
            throw EnergyError(.invalidInput, "no time: \(text)")
        }
        return Timestamp(date)
    }

    private let folder: TemporaryFolder
    private let web = Web()
    private let connections = Box(0)

    init() throws { folder = try TemporaryFolder() }

    /// From start to end of a process.
    private func run(
        at now: Timestamp, _ test: (GuidanceConfiguration, SQLiteGuidanceStore) async throws -> Void
    ) async throws {
        let store = try SQLiteGuidanceStore(path: folder.path("guidance.sqlite"))
        let clock = ManualClock()
        var configuration = GuidanceConfiguration()
        let (polled, _, alerts) = try configuration.add(
            Self.sources(), store: store, wallClock: ManualWallClock(start: now, clock: clock),
            connect: { [web, connections] in
                connections.update { $0 += 1 }
                return web
            }, onChange: {})
        // The newest, then the weeks before in parts, with a pause between them.
        for _ in 0..<5 {
            for provider in polled { await provider.poll() }
            clock.advance(by: .seconds(60))
        }
        for source in alerts { await source.poll() }
        try await test(configuration, store)
        try store.close()
    }

    @Test func `what sources said is there after a restart, and what they correct is a revision`() async throws {
        let start = try Self.time("2024-01-12T06:00Z")
        let passed = Interval(start: start.advanced(byMilliseconds: -.millisecondsPerHour), milliseconds: 1_800_000)
        let old = Interval(start: start.advanced(byMilliseconds: -20 * .millisecondsPerDay), milliseconds: 1_800_000)
        let ahead = Interval(start: start.advanced(byMilliseconds: .millisecondsPerHour), milliseconds: 1_800_000)
        func values(_ configuration: GuidanceConfiguration, _ now: Timestamp) async throws -> [Double] {
            let provider = try #require(configuration.providers["GB"]?.first)
            var values: [Double] = []
            for interval in [old, passed, ahead] {
                values += try await provider.signals(region: "GB", in: interval, now: now).series.points.map(\.value)
            }
            return values
        }
        try await run(at: start) { configuration, _ in
            let said = try await values(configuration, start)
            #expect(said == [200, 200, 200])
        }
        let asked = web.asked.count
        web.say(250)
        let later = start.advanced(byMilliseconds: 3 * .millisecondsPerHour)
        try await run(at: later) { configuration, store in
            // A day before it was last asked may be corrected; the weeks before are known.
            let said = try await values(configuration, later)
            #expect(said == [200, 250, 250])
            let requests = web.asked.dropFirst(asked)
            #expect(requests.filter { $0.hasPrefix("https://gb") }.count == 1)
            #expect(requests.first == "https://gb/intensity/2024-01-11T06:00Z/2024-01-14T09:00Z")
            let name = "web:gb-carbon-intensity:national averageDirect"
            let known = try await store.signals(.carbon, region: name, in: ahead, revision: .whenItHappened)
            #expect(known.map(\.value) == [200])
            let newest = try await store.signals(.carbon, region: name, in: ahead, revision: .newest)
            #expect(newest.map(\.value) == [250])
        }
        #expect(connections.value == 2, "one for all sources of a process")
    }

    @Test func `the half hour that runs is stored whole, not from the moment of asking on`() async throws {
        let start = try Self.time("2024-01-12T06:00Z")
        let running = Interval(start: start, milliseconds: 1_800_000)
        try await run(at: start.advanced(byMilliseconds: 600_000)) { _, store in
            let name = "web:gb-carbon-intensity:national averageDirect"
            let known = try await store.signals(.carbon, region: name, in: running, revision: .newest)
            #expect(known.map(\.interval) == [running] && known.map(\.value) == [200])
        }
    }

    @Test func `alerts are events of their region, and no source of signals`() async throws {
        let now = try Self.time("2024-01-12T06:00Z")
        try await run(at: now) { configuration, _ in
            #expect(configuration.providers["CISO"] == nil)
            let source = try #require(configuration.demandResponseSources.first)
            let events = try await source.events(now: now)
            #expect(events.map(\.scope) == [.region("CISO")] && events.map(\.source) == [source.name])
        }
    }
}
