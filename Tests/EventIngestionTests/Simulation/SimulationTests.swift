import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Insights
import Synchronization
import Testing

@testable import EventIngestion

/// Devices, the ingestor and the insight service in one world of virtual time, with every kind of fault: frames lost,
/// doubled, late and in disorder, connections broken, disks slow and failing, and the ingestor's machine stopped.
///
/// What is promised: acknowledged = stored once = counted once, and each session in order. A seed does the same again in
/// one process; set `SWIFT_DETERMINISTIC_HASHING=1` to have it in another. `SIMULATION_SEEDS` says how many, and
/// `SIMULATION_FIRST_SEED` where to begin.
@Suite(.serialized) struct SimulationTests {
    static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["SIMULATION_FIRST_SEED"].flatMap { UInt64($0) } ?? 0
        return first..<(first + (environment["SIMULATION_SEEDS"].flatMap { UInt64($0) } ?? 40))
    }()

    @Test(arguments: seeds)
    func `what is acknowledged is stored once and counted once, whatever fails`(seed: UInt64) async throws {
        try await SimulatedSystem(seed: seed).run()
    }

    @Test(arguments: UInt64(0)..<4)
    func `a seed does the same again`(seed: UInt64) async throws {
        let (first, second) = (SimulatedSystem(seed: seed), SimulatedSystem(seed: seed))
        try await first.run()
        try await second.run()
        #expect(first.network.trace == second.network.trace)
    }
}

/// One world.
struct SimulatedSystem: Sendable {
    private static let homeCount: UInt64 = 4

    let seed: UInt64
    let network: SimulatedTransport
    private let disk: SimulatedDisk
    private let insights = InMemoryInsightStore()
    private let crashes: [Duration]

    init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix64(seed: seed &+ 77)
        var faults = SimulatedTransport.Faults()
        faults.dropChance = [0, 0.02, 0.1].randomElement(using: &random) ?? 0
        faults.duplicateChance = [0, 0.05].randomElement(using: &random) ?? 0
        faults.isReordering = Bool.random(using: &random)
        faults.breakChance = [0, 0.005].randomElement(using: &random) ?? 0
        faults.end = .seconds(30)
        network = SimulatedTransport(seed: seed, faults: faults)
        var diskFaults = SimulatedDisk.Faults()
        diskFaults.failureChance = [0, 0.05, 0.3].randomElement(using: &random) ?? 0
        diskFaults.delay = Bool.random(using: &random) ? 100...4_000 : 100...150_000
        diskFaults.end = .seconds(30)
        disk = SimulatedDisk(network, seed: seed, faults: diskFaults)
        crashes = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            .milliseconds(Int64.random(in: 5...1_500, using: &random))
        }
    }

    func run() async throws {
        try await network.run {
            let homes = try await makeHomes()
            let reader = try await network.makeClient(limits: ClientLimits())
            let projection = Task(executorPreference: network.taskExecutor) { try await project(from: reader) }
            let machine = Task(executorPreference: network.taskExecutor) { try await runMachine() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, home) in homes.enumerated() {
                    group.addTask { try await home.run(seed: seed &+ UInt64(number)) }
                }
                try await group.waitForAll()
            }
            try await check(homes)
            projection.cancel()
            machine.cancel()
            for home in homes { await home.client.close() }
            await reader.close()
        }
    }

    private func makeHomes() async throws -> [SimulatedHome] {
        var homes: [SimulatedHome] = []
        for number in 0..<Self.homeCount {
            let client = try await network.makeClient(limits: ClientLimits())
            homes.append(SimulatedHome(client, network, number: number, seed: seed))
        }
        return homes
    }

    /// The ingestor, and after each crash its successor.
    private func runMachine() async throws {
        for (number, life) in (crashes + [.seconds(80_000)]).enumerated() {
            var methods = MethodTable()
            let publisher = LatePublisher()
            let guidance = KnownGuidance(
                tokens: (1...3).map { .sample(EventSamples.id($0 + 100), venueID: EventSamples.id($0)) },
                venues: Set((1...3).map { EventSamples.id($0) }))
            let ingestor = EventIngestor(
                store: disk, tokens: guidance, venues: guidance, publisher: publisher,
                clock: SimulatedWallClock(network), stopwatch: SimulatedClock(network),
                executor: network.taskExecutor)
            ingestor.register(in: &methods)
            let server = try await network.startServer(methods, epoch: UInt64(number) + 1, limits: ServerLimits())
            publisher.publisher.withLock { $0 = server.publisher }
            let run = Task(executorPreference: network.taskExecutor) { await ingestor.run() }
            await network.sleep(life)
            disk.crash()
            await server.stop()
            run.cancel()
            await run.value
            await network.sleep(.milliseconds(300))
        }
    }

    private func project(from client: any ClientUnderTest) async throws {
        let projector = InsightProjector(store: insights, signals: NoSignals(), venues: NoVenues())
        try await projector.run(
            following: LogFollower(
                client: client, subscriber: client, clock: SimulatedClock(network), reader: "insights",
                backoff: Backoff(seed: seed)))
    }

    // MARK: What must hold

    private func check(_ homes: [SimulatedHome]) async throws {
        let acknowledged = homes.flatMap(\.batches).flatMap(\.events)
        let heads = try await disk.heads()
        var stored: [Event] = []
        for head in heads {
            let records = try await logRecords(disk, head.partition)
            let expected = (0..<head.sequence).map { $0 + 1 }
            #expect(records.map(\.sequence) == expected, "no gap")
            stored += records.flatMap(\.events)
        }
        #expect(stored.count == acknowledged.count, "stored once")
        #expect(Set(stored.map(\.id)) == Set(acknowledged.map(\.id)), "stored at all")
        var trackers: [UUID: SessionTracker] = [:]
        for event in stored {
            guard let session = event.session else { continue }
            guard case .accepted = trackers[session.id, default: SessionTracker()].apply(event) else {
                Issue.record("\(event) is out of order")
                continue
            }
        }
        let counted = trackers.values.compactMap(\.progress)
        #expect(counted.filter { !$0.isEnded }.isEmpty, "every session has its end")
        try await waitForInsights(heads)
        let energy = try await countedEnergy()
        #expect(energy == counted.reduce(0) { $0 + $1.energyMilliwattHours }, "counted once")
    }

    /// The faults end, so it catches up: if not, the world says that it is stuck.
    private func waitForInsights(_ heads: [LogHead]) async throws {
        let expected = heads.filter { $0.sequence > 0 }
        while try await insights.positions().map(\.sequence) != expected.map(\.sequence) {
            await network.sleep(.milliseconds(500))
        }
    }

    private func countedEnergy() async throws -> Int64 {
        guard
            let range = Interval(
                start: EventSamples.now.advanced(byMilliseconds: -10 * .millisecondsPerDay).floored(
                    toMilliseconds: .millisecondsPerDay),
                end: EventSamples.now.floored(toMilliseconds: .millisecondsPerDay)
                    .advanced(byMilliseconds: .millisecondsPerDay))
        else { return 0 }
        var energy: Int64 = 0
        for number in UInt64(1)...3 {
            let totals = try await insights.totals(
                of: InsightScope(venueID: EventSamples.id(number), deviceID: nil, direction: .imported),
                over: PeriodGrid(CalendarPeriods(.daily, timeZone: .gmt), touching: range), from: 0, limit: 1_000)
            energy += totals.entries.reduce(0) { $0 + $1.tally.amount.energy.milliwattHours }
        }
        return energy
    }
}

/// A server's publisher, which is there only when the server is, which needs the methods first.
private final class LatePublisher: Publisher {
    let publisher = Mutex<(any Publisher)?>(nil)

    func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) {
        try publisher.withLock { $0 }?.publish(topic, body)
    }
}
