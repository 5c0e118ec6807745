import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

struct SignalsCommandTests {
    private let home = FakeHome {
        $0.sources = [
            RegionSource(
                region: "DE",
                status: SignalSourceStatus(
                    name: "watttime:DE", kind: .marginal,
                    lastError: "api.watttime.org answered 403: its key is missing",
                    nextAttempt: Samples.now.advanced(byMilliseconds: 3_600_000), clockSkewMilliseconds: -120_000)),
            RegionSource(
                region: "DE",
                status: SignalSourceStatus(
                    name: "energy-charts-co2:de", kind: .averageLifecycle, isInUse: true,
                    newestValue: Samples.now.advanced(byMilliseconds: -900_000),
                    lastSuccess: Samples.now.advanced(byMilliseconds: -60_000)), isAutomatic: true),
        ]
    }
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String) throws -> String {
        let path = folder.path("push.json")
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func `sources are listed with their age, and what is wrong with them`() async throws {
        try await run(home, "signals")
        let text = home.output.text
        #expect(home.output.lines[1].contains("watttime:DE"))
        #expect(home.output.lines[2].contains("in use, automatic") && !home.output.lines[1].contains("automatic"))
        #expect(home.output.lines[2].contains("15 min ago"))
        #expect(text.contains("answered 403"))
        #expect(text.contains("its clock is 2 min behind ours"))
    }

    @Test func `sources are listed as JSON`() async throws {
        try await run(home, "signals", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any]
        let sources = try #require(object?["sources"] as? [[String: Any]])
        #expect(sources.map { $0["in_use"] as? Bool } == [false, true])
        #expect(sources.map { $0["automatic"] as? Bool } == [false, true])
        #expect(sources[1]["kind"] as? String == "average_lifecycle")
    }

    @Test func `sources are tested: what they say, and what to do`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "signals", "test", "--region", "DE")
        }
        #expect(failure?.exit == .failure && failure?.message.isEmpty == true)
        let text = home.output.lines.joined(separator: " ")
        #expect(text.contains("DE, watttime:DE: No value of the last 31 days. api.watttime.org answered 403"))
        #expect(text.contains("Put the right key into the settings"))
        #expect(text.contains("energy-charts-co2:de: 231 g/kWh, from 15 min ago. It knows 1 d ahead."))
    }

    @Test func `one source is tested, as JSON`() async throws {
        try await run(home, "signals", "test", "--region", "DE", "--source", "energy-charts-co2:de", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: Any]
        let tests = try #require(object?["tests"] as? [[String: Any]])
        #expect(tests.count == 1 && tests[0]["asked"] as? Bool == true)
        #expect((tests[0]["newest"] as? [String: Any])?["carbon_g_per_kwh"] as? Double == 231)
    }

    @Test func `a region without a source is told with those there are`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "signals", "test", "--region", "X")
        }
        #expect(failure?.exit == .refused && failure?.message.contains("There are: DE.") == true)
    }

    @Test func `a list of values is pushed`() async throws {
        let path = try file(
            """
            {"kind":"price","currency":"EUR","values":[
             {"start":"2026-07-01T00:00:00Z","end":"2026-07-01T01:00:00Z","price_micros_per_kwh":-250000},
             {"start":"2026-07-01T01:00:00Z","end":"2026-07-01T02:00:00Z","price_micros_per_kwh":1,"estimated":true}]}
            """)
        try await run(home, "signals", "push", path, "--region", "DE", "--source", "market")
        #expect(home.output.lines == ["push:market took 2 values."])
        let push = try #require(home.now.pushes.first)
        guard case .values(let values) = push.content else {
            Issue.record("values were pushed, not an event")
            return
        }
        #expect(values.points.map(\.value) == [-250_000, 1])
        #expect(values.points.map(\.isEstimated) == [false, true])
        #expect(values.currency == "EUR")
    }

    @Test func `an OpenADR event is pushed as it is`() async throws {
        let text = #"{"programID":"p","intervals":[{"id":0,"payloads":[]}]}"#
        try await run(home, "signals", "push", try file(text), "--region", "DE")
        #expect(home.now.pushes.first?.content == .openADREvent(Array(text.utf8)))
    }

    @Test(arguments: [
        ("{}", "lacks kind"), ("[1", "JSON"),
        (#"{"kind":"averageDirect","values":[{"start":1,"end":2}]}"#, "values.[0]"),
        (
            #"{"kind":"averageDirect","values":[{"start":"2026-07-01T00:00:00Z","end":"2026-07-01T01:00:00Z"}]}"#,
            "values[0] lacks carbon_g_per_kwh"
        ),
        (
            #"{"kind":"price","values":[{"start":"2026-07-01T01:00:00Z","end":"2026-07-01T01:00:00Z"}]}"#,
            "values[0]: the end must be after the start"
        ),
    ])
    func `a file with a mistake is refused, with its place`(text: String, words: String) async throws {
        let path = try file(text)
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(home, "signals", "push", path, "--region", "DE")
        }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }
}
