import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// Commands with `--watch`.
struct StandingCommandTests {
    private let home = FakeHome(isTerminal: true)

    /// A screen of 80 columns.
    private static func screen(height: Int?) -> Style {
        var style = Style(hasColor: false, hasUnicode: true, width: 80)
        style.height = height
        return style
    }

    private func start(_ arguments: [String], height: Int? = nil) -> Task<Void, any Error> {
        Task {
            let command = try await RootCommand.asyncParseAsRoot(arguments)
            let context = home.context(Self.screen(height: height))
            try await #require(command as? any EnergyCommand).perform(in: context)
        }
    }

    private func publish(_ guidance: Guidance) async {
        let topic = Topics.guidance(venueID: Samples.home.id, action: guidance.action)
        await home[.guidance].publications.waitForSubscriber(to: topic)
        home.change { $0.guidance = guidance }
        home[.guidance].publications.publish(topic)
    }

    @Test func `guidance is shown anew when there is another, below the one before where nothing is drawn over`()
        async throws
    {
        let task = start(["guidance", "--watch"])
        _ = await home.output.line(containing: Samples.id(100).text)
        await publish(Samples.guidance(token: 101))
        _ = await home.output.line(containing: Samples.id(101).text)
        task.cancel()
        #expect(home.output.lines.count { $0.hasPrefix("Home · shift") } == 2)
        #expect(!home.output.text.contains("\u{1B}"))
    }

    @Test func `on a screen it is drawn over what was there, and cut to its height`() async throws {
        let task = start(["guidance", "--watch"], height: 10)
        let first = await home.output.line(containing: Samples.id(100).text)
        #expect(first.hasPrefix("\u{1B}[2J\u{1B}[H") && first.hasSuffix("\u{1B}[J"))
        #expect(first.split(separator: "\n", omittingEmptySubsequences: false).count == 9)
        #expect(first.contains("more lines"))
        await publish(Samples.guidance(token: 101))
        let second = await home.output.line(containing: Samples.id(101).text)
        #expect(second.hasPrefix("\u{1B}[H"), "it does not flicker")
        task.cancel()
    }

    @Test func `what looks as before is not said again`() async throws {
        let task = start(["schedule", "--watch"])
        _ = await home.output.line(containing: "Waits for the sun")
        let topic = Topics.allSchedules + "\(Samples.home.id.text)/"
        await home[.schedule].publications.waitForSubscriber(to: topic)
        home[.schedule].publications.publish(topic + "car-1/")
        home.change { $0.schedules = [] }
        home[.schedule].publications.publish(topic + "car-1/")
        _ = await home.output.line(containing: "Nothing is planned")
        task.cancel()
        #expect(home.output.lines.count { $0.contains("Waits for the sun") } == 1)
    }

    @Test func `insights follow what is counted, a line of JSON each`() async throws {
        let task = start(["insights", "--watch", "--json"])
        _ = await home.output.line(containing: "22345678")
        await home[.insights].publications.waitForSubscriber()
        home.change { $0.records.removeLast() }
        home.announce(Interval(start: Samples.now, milliseconds: 1))
        let second = await home.output.line(containing: "\"energy_mwh\":10000000")
        #expect(!second.contains("\n"))
        task.cancel()
        #expect(home.output.lines.count == 2)
    }

    @Test func `health follows a service that goes and comes back`() async throws {
        let task = start(["health", "--watch"])
        _ = await home.output.line(containing: "scheduler           SERVING")
        home[.schedule].isDown = true
        _ = await home.output.line(containing: "scheduler           UNREACHABLE")
        home[.schedule].isDown = false
        await home.clock.waitForSleepers()
        home.clock.advance(by: .seconds(5))
        _ = await home.output.line(containing: "scheduler           SERVING")
        task.cancel()
    }

    @Test func `a service that is away while it is followed is said, and followed again`() async throws {
        let task = start(["guidance", "--watch"], height: 50)
        _ = await home.output.line(containing: Samples.id(100).text)
        await home[.guidance].publications.waitForSubscriber()
        home[.guidance].isDown = true
        home[.guidance].publications.send(.joined)
        _ = await home.output.line(containing: "does not answer")
        home[.guidance].isDown = false
        home[.guidance].publications.send(.joined)
        _ = await home.output.line(containing: "Home · shift")
        task.cancel()
    }

    @Test func `what a program reads has no word of a service that is away`() async throws {
        let task = start(["guidance", "--watch", "--json"])
        _ = await home.output.line(containing: Samples.id(100).text)
        await home[.guidance].publications.waitForSubscriber()
        home[.guidance].isDown = true
        home[.guidance].publications.send(.joined)
        while home.output.notes.isEmpty { await Task.yield() }
        task.cancel()
        #expect(home.output.notes[0].contains("does not answer"))
        #expect(home.output.lines.allSatisfy { $0.hasPrefix("{") })
    }

    @Test(arguments: ["guidance", "schedule", "insights"])
    func `a file has an end: it is not watched`(command: String) async {
        let error = await #expect(throws: (any Error).self) {
            _ = try await RootCommand.asyncParseAsRoot([command, "--watch", "--csv"])
        }
        #expect(error.map { RootCommand.message(for: $0).contains("--watch or --csv") } == true)
    }
}
