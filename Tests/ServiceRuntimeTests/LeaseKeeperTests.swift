import EnergyModel
import EnergyStore
import EnergyTestSupport
import Testing

@testable import ServiceRuntime

/// When a process is the one that serves, and when it no longer is.
struct LeaseKeeperTests {
    private static let away = Result<Bool, EnergyError>.failure(EnergyError(.unavailable, "away"))
    private let clock = ManualClock()
    private let changes = Journal()

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
        let kept = keep([.success(true), .success(true), .success(false)])
        await pass(seconds: 3)
        await #expect(throws: StartError.overtaken) { try await kept.value }
        #expect(changes.all == [])
    }

    @Test func `a store that is away for less than a lease is waited for, and nothing is told`() async throws {
        let kept = keep([Self.away, Self.away, Self.away, .success(true), Self.away, .success(false)])
        await pass(seconds: 6)
        await #expect(throws: StartError.overtaken) { try await kept.value }
        #expect(changes.all == [])
    }

    @Test func `where it has ended it goes on when nobody has taken it meanwhile`() async throws {
        // The fourth is four seconds after it was taken, the sixth renews it.
        let away = Array(repeating: Self.away, count: 5)
        let kept = keep(away + [.success(true)] + away + [.success(false)])
        await pass(seconds: 12)
        await #expect(throws: StartError.overtakenWhileAway) { try await kept.value }
        #expect(changes.all == ["ended", "renewed", "ended"])
    }

    @Test func `who hung for longer than it lasts looks whose it is`() async throws {
        let kept = keep([.success(true), .success(false)])
        await pass(seconds: 1)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(20))
        await #expect(throws: StartError.overtakenWhileAway) { try await kept.value }
    }

    @Test func `it ends with its task`() async throws {
        let task = keep([])
        await pass(seconds: 9)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Keeps one that answers like this, from now on.
    private func keep(_ answers: [Result<Bool, EnergyError>]) -> Task<Void, any Error> {
        let (keeper, clock, changes) = (keeper(answers), clock, changes)
        return Task { try await keeper.keep(since: clock.now) { changes.add($0 ? "renewed" : "ended") } }
    }
}
