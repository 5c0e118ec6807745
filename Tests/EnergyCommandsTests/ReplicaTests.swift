import ArgumentParser
import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

/// A service that runs more than once.
struct ReplicaTests {
    /// All that is at `127.0.0.2` is the other's.
    private let home = FakeHome(isTerminal: true)
    private let other = FakeHome()

    static let two =
        "guidance=tcp://127.0.0.1:7400,tcp://127.0.0.1:7401,tcp://127.0.0.2:7400,tcp://127.0.0.2:7401"
    static let named = "guidance=tcp://gt.example:7400,tcp://gt.example:7401"
    private static let starting = HealthCheckReply(status: .notServing, reason: "is starting")

    private func context(of endpoints: String) throws -> CommandContext {
        var context = CommandContext(
            endpoints: try Endpoints(parsing: endpoints), output: home.output, style: .plain, wallClock: FixedClock(),
            clock: home.clock, timeout: .seconds(1)
        ) { [home, other] (service, endpoint) throws(CommandFailure) in
            endpoint.requestAddresses == ["tcp://127.0.0.2:7400"] ? other[service] : home[service]
        }
        context.found = { endpoint in endpoint.placed { _ in ["127.0.0.1", "127.0.0.2"] } }
        return context
    }

    private func health(_ arguments: [String] = [], of endpoints: String) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["health"] + arguments)
        try await #require(command as? HealthCommand).perform(in: context(of: endpoints))
    }

    @Test(arguments: [two, named])
    func `a service serves while one of its replicas does, and which does not is told`(endpoints: String) async throws {
        home.change { $0.health[.guidance] = Self.starting }
        try await health(of: endpoints)
        #expect(home.output.text.contains("guidance-publisher  SERVING"))
        #expect(home.output.text.contains("tcp://127.0.0.1:7400 does not serve: is starting"))
        home[.guidance].isDown = true
        try await health(of: endpoints)
        #expect(home.output.text.contains("tcp://127.0.0.1:7400 does not answer"))
    }

    @Test func `a replica that is gone is told, though the one that is asked first serves`() async throws {
        other[.guidance].isDown = true
        try await health(of: Self.two)
        #expect(home.output.text.contains("guidance-publisher  SERVING"))
        #expect(home.output.text.contains("tcp://127.0.0.2:7400 does not answer"))
        try await health(["--json"], of: Self.two)
        #expect(home.output.text.contains(#""reason" : "tcp://127.0.0.2:7400 does not answer""#))
    }

    @Test func `a service of which no replica serves does not, and is away only if all are`() async throws {
        other.change { $0.health[.guidance] = Self.starting }
        home[.guidance].isDown = true
        let starting = await #expect(throws: CommandFailure.self) { try await health(of: Self.two) }
        #expect(starting?.exit == .failure)
        #expect(home.output.text.contains("guidance-publisher  NOT SERVING"))
        other[.guidance].isDown = true
        await #expect(throws: CommandFailure.self) { try await health(of: Self.two) }
        #expect(home.output.text.contains("guidance-publisher  UNREACHABLE"))
    }

    @Test func `replicas are asked, too, while health is watched`() async throws {
        home.change { $0.health[.guidance] = Self.starting }
        let task = Task { try await health(["--watch"], of: Self.two) }
        let line = await home.output.line(containing: "tcp://127.0.0.1:7400 does not serve: is starting")
        #expect(line.contains("guidance-publisher  SERVING"))
        task.cancel()
    }

    @Test func `each place of a host's name is looked at by itself`() async throws {
        var context = try self.context(of: Self.named)
        context.addressState = { _, address, _ in address.hasPrefix("tcp://127.0.0.1:") ? .nobody : .open }
        let result = await ServiceExamination(context: context, service: .guidance, hasKeys: true, clockOffset: 0)
            .examine()
        #expect(result.isAnswering)
        let addresses = result.findings.filter { ["requests", "publications"].contains($0.check) }
        #expect(
            addresses.map { "\($0.level) \($0.found)" } == [
                "failure tcp://127.0.0.1:7400: nobody listens there",
                "failure tcp://127.0.0.1:7401: nobody listens there",
                "ok tcp://127.0.0.2:7400 answers, and the keys fit",
                "ok tcp://127.0.0.2:7401 answers, and the keys fit",
            ])
    }

    @Test func `a host's name is a replica at each of its places, and stays where it has one or none`() throws {
        let endpoint = try Endpoints(
            parsing:
                "guidance=tcp://gt.example:1,tcp://gt.example:2,tcp://alone:3,tcp://alone:4,tcp://lost:5,tcp://lost:6,"
                + "tcp://127.0.0.9:7,tcp://127.0.0.9:8,ipc:///r,ipc:///p")[.guidance]
        let places = ["gt.example": ["127.0.0.1", "[::1]"], "alone": ["10.0.0.1"]]
        let placed = endpoint.placed { places[$0] ?? [] }
        #expect(
            placed.requestAddresses == [
                "tcp://127.0.0.1:1", "tcp://[::1]:1", "tcp://alone:3", "tcp://lost:5", "tcp://127.0.0.9:7", "ipc:///r",
            ])
        #expect(
            placed.publishAddresses == [
                "tcp://127.0.0.1:2", "tcp://[::1]:2", "tcp://alone:4", "tcp://lost:6", "tcp://127.0.0.9:8", "ipc:///p",
            ])
        #expect(endpoint.isListed && !ServiceKind.guidance.defaultEndpoint.isListed)
    }
}
