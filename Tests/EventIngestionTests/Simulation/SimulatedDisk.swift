import EnergyModel
import EnergyStore
import EnergyTestSupport
import Synchronization

/// A disk that is slow, fails, and may stop in the middle of anything: as the seed says.
///
/// What a transaction appended is there, whole, or not at all, also when the machine stopped; whether it is then is known
/// only to who was told so before.
final class SimulatedDisk: ForwardingEventLogStore {
    struct Faults: Sendable {
        var failureChance = 0.0
        var delay: ClosedRange<Int64> = 100...4_000
        /// Nothing fails from then on.
        var end: Duration = .seconds(1_000_000)
    }
    private struct State {
        var random: SplitMix64
        /// One for each start of the machine.
        var machine = 0
    }

    let inner: any EventLogStore = InMemoryEventLogStore(id: EventSamples.id(900))
    private let network: SimulatedTransport
    private let clock: SimulatedClock
    private let start: SimulatedClock.Instant
    private let faults: Faults
    private let state: Mutex<State>

    init(_ network: SimulatedTransport, seed: UInt64, faults: Faults) {
        self.network = network
        self.faults = faults
        clock = SimulatedClock(network)
        start = clock.now
        state = Mutex(State(random: SplitMix64(seed: seed)))
    }

    /// Whoever writes now will not learn what became of it.
    func crash() { state.withLock { $0.machine += 1 } }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        let machine = state.withLock(\.machine)
        try await pass(machine)
        if hasFault() { throw EnergyError(.unavailable, "the disk fails", retryAfterMilliseconds: 50) }
        let value = try await inner.write(body)
        // It is on disk, and nobody knows yet.
        try await pass(machine)
        return value
    }

    private func pass(_ machine: Int) async throws(EnergyError) {
        let delay = state.withLock { Int64.random(in: faults.delay, using: &$0.random) }
        await network.sleep(.microseconds(delay))
        guard state.withLock(\.machine) == machine else { throw EnergyError(.unavailable, "the machine stopped") }
    }

    private func hasFault() -> Bool {
        let chance = state.withLock { Double.random(in: 0..<1, using: &$0.random) }
        return chance < faults.failureChance && start.duration(to: clock.now) < faults.end
    }
}
