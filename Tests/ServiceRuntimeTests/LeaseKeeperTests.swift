import EnergyModel
import EnergyStore
import EnergyTestSupport
import Testing

@testable import ServiceRuntime

/// When a process is the one that serves, and when it no longer is.
struct LeaseKeeperTests {
    private static let away = Result<Bool, EnergyError>.failure(EnergyError(.unavailable, "away"))
    private let clock = ManualClock()

    private func keeper(_ answers: [Result<Bool, EnergyError>]) -> LeaseKeeper<ManualClock> {
        LeaseKeeper(lease: ScriptedLease(answers), clock: clock)
    }

    /// Lets a second pass, as often as it is waited for.
    private func pass(seconds: Int) async {
        for _ in 0..<seconds {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
    }

    @Test func `it is asked for until it can be had, also while the store is away`() async throws {
        let keeper = keeper([.success(false), Self.away, .success(false), .success(true)])
        async let taken = keeper.take()
        await pass(seconds: 3)
        #expect(try await taken.offset == .seconds(3))
    }

    @Test func `one that took long to get is renewed before it is counted on`() async throws {
        let slow = ScriptedLease([.success(true), .success(true)]) { [clock] in clock.advance(by: .seconds(3)) }
        #expect(try await LeaseKeeper(lease: slow, clock: clock).take().offset == .seconds(3))

        let late = ScriptedLease([.success(true), .success(false), .success(true), .success(true)]) { [clock] in
            clock.advance(by: .seconds(3))
        }
        async let taken = LeaseKeeper(lease: late, clock: clock).take()
        await pass(seconds: 1)
        #expect(try await taken.offset == .seconds(10))
    }

    @Test func `what cannot become better is no reason to wait`() async throws {
        let keeper = keeper([.failure(EnergyError(.dataLoss, "damaged"))])
        await #expect(throws: EnergyError.self) { _ = try await keeper.take() }
    }

    @Test func `it is given up when another has it`() async throws {
        let keeper = keeper([.success(true), .success(true), .success(false)])
        let kept = Task { [clock] in try await keeper.keep(since: clock.now) }
        await pass(seconds: 3)
        await #expect(throws: StartError.self) { try await kept.value }
    }

    @Test func `a store that is away for less than a lease is waited for, for longer it is given up`() async throws {
        let away = Self.away
        let keeper = keeper([away, away, away, .success(true), away, away, away, away])
        let kept = Task { [clock] in try await keeper.keep(since: clock.now) }
        // The first three within four seconds from when it was taken; then four of them.
        await pass(seconds: 8)
        await #expect(throws: StartError.self) { try await kept.value }
    }

    @Test func `it ends with its task`() async throws {
        let keeper = keeper([])
        let task = Task { [clock] in try await keeper.keep(since: clock.now) }
        await pass(seconds: 9)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
