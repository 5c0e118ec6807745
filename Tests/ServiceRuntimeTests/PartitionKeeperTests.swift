import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Synchronization
import Testing

@testable import ServiceRuntime

/// How replicas divide partitions among them, without telling each other.
struct PartitionKeeperTests {
    private let board = LeaseBoard()
    private let clock = ManualClock()

    /// A replica, and what it has whenever that changes.
    private struct Replica {
        let id: UUID
        let owner = RecordingOwner()
        let keeper: PartitionKeeper<ManualClock>
        let changes: AsyncStream<Int>
        /// When what it has may be another's, and when it has attended again.
        let lapses = Journal()

        init(_ board: LeaseBoard, _ clock: ManualClock, rank: UInt64 = 0) {
            id = EventSamples.id(rank)
            let (changes, change) = AsyncStream<Int>.makeStream()
            self.changes = changes
            keeper = PartitionKeeper(
                board.leases(of: id), owner: owner, clock: clock, onChange: { change.yield($0.count) },
                onLapse: { [lapses] in lapses.add($0 ? "lapsed" : "attends") })
        }

        func look() async throws { if let shares = try await keeper.attend() { try await keeper.balance(shares) } }

        /// Looks, and returns when it has so many, as it has not had since this was waited for last.
        func look(has count: Int) async throws {
            try await look()
            for await changed in changes where changed == count { break }
        }
    }

    private func replicas(_ count: UInt64) -> [Replica] { (0..<count).map { Replica(board, clock, rank: $0) } }

    @Test func `who is alone has all, and each that comes gets a share of them`() async throws {
        let replicas = replicas(3)
        try await replicas[0].look(has: 16)
        #expect(replicas[0].owner.owned == LogPartition.all)
        try await replicas[1].look()
        #expect(replicas[1].owner.owned == [])
        try await replicas[0].look(has: 8)
        try await replicas[1].look(has: 8)
        #expect(replicas.map { board.count(of: $0.id) } == [8, 8, 0])
        #expect(replicas[1].owner.owned == LogPartition.all.subtracting(replicas[0].owner.owned))
        try await replicas[2].look()
        try await replicas[0].look(has: 6)
        try await replicas[1].look(has: 5)
        try await replicas[2].look(has: 5)
        #expect(replicas.map { board.count(of: $0.id) } == [6, 5, 5])
        for replica in replicas { await replica.keeper.leave() }
    }

    @Test func `however many there are, what they have differs by one at most`() {
        for count in 1...20 {
            let shares = (0..<count).map { PartitionShares(count: count, rank: $0).share }
            #expect(shares.reduce(0, +) == LogPartition.count && (shares.max() ?? 0) - (shares.min() ?? 0) <= 1)
        }
    }

    @Test func `what a replica had that is gone the others have`() async throws {
        let replicas = replicas(2)
        try await replicas[0].look(has: 16)
        try await replicas[1].look()
        try await replicas[0].look(has: 8)
        try await replicas[1].look(has: 8)
        board.lose(replicas[0].id)
        try await replicas[1].look()
        #expect(replicas[1].owner.owned == LogPartition.all)
        for replica in replicas { await replica.keeper.leave() }
    }

    @Test func `who is told to end leaves everything, and its work has ended before`() async throws {
        let replica = Replica(board, clock)
        let running = Task { try await replica.keeper.run() }
        await replica.keeper.waitForFirstLook()
        #expect(board.count(of: replica.id) == LogPartition.count)
        await replica.owner.waitUntil(running: LogPartition.count)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(board.count(of: replica.id) == 0)
        #expect(!board.isThere(replica.id))
        #expect(replica.owner.running == 0 && replica.owner.owned.isEmpty)
    }

    @Test func `what takes long to begin is its own meanwhile`() async throws {
        let replica = Replica(board, clock)
        replica.owner.holdBeginning()
        let running = Task { try await replica.keeper.run() }
        // Far longer than it lasts unattended.
        for _ in 0..<20 {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(500))
        }
        replica.owner.letGo()
        await replica.keeper.waitForFirstLook()
        #expect(replica.owner.owned == LogPartition.all)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test func `what calls are under way for is kept until they have ended, and it is not gone meanwhile`() async throws
    {
        let replicas = replicas(2)
        let (first, second) = (replicas[0], replicas[1])
        try await first.look(has: 16)
        first.owner.hold()
        try await second.look()
        for _ in 0..<3 {
            try await first.look()
            try await second.look()
            #expect(board.count(of: first.id) == LogPartition.count)
        }
        first.owner.letGo()
        try await first.look(has: 8)
        try await second.look(has: 8)
        #expect(board.count(of: second.id) == 8)
        for replica in replicas { await replica.keeper.leave() }
    }

    @Test func `one that cannot be begun is given back, and tried again`() async throws {
        let replica = Replica(board, clock)
        replica.owner.refuse(EnergyError(.unavailable, "away"))
        try await replica.look()
        #expect(board.count(of: replica.id) == 0)
        replica.owner.refuse(nil)
        try await replica.look()
        #expect(replica.owner.owned == LogPartition.all)
        await replica.keeper.leave()
    }

    @Test func `who is started again keeps its share of what it had, and gives back the rest`() async throws {
        let replicas = replicas(2)
        try await replicas[0].look(has: 16)
        try await replicas[1].look()
        // Killed, and back before anybody has noticed.
        let again = Replica(board, clock)
        try await again.look()
        #expect(again.owner.owned.count == 8 && board.count(of: again.id) == 8)
        try await replicas[1].look(has: 8)
        for replica in [again, replicas[1]] { await replica.keeper.leave() }
    }

    @Test func `what could not be given back is given back later`() async throws {
        let replicas = replicas(2)
        try await replicas[0].look(has: 16)
        try await replicas[1].look()
        let shares = try #require(try await replicas[0].keeper.attend())
        board.fail(EnergyError(.unavailable, "away"))
        try await replicas[0].keeper.balance(shares)
        for await changed in replicas[0].changes where changed == 8 { break }
        board.fail(nil)
        #expect(board.count(of: replicas[0].id) == LogPartition.count)
        try await replicas[0].look()
        try await replicas[1].look(has: 8)
        #expect(replicas.map { board.count(of: $0.id) } == [8, 8])
        for replica in replicas { await replica.keeper.leave() }
    }

    @Test func `a store that is away is waited for, for as long as what it has is its own`() async throws {
        let replica = Replica(board, clock)
        try await replica.look()
        for _ in 0..<3 {
            board.fail(EnergyError(.unavailable, "away"))
            clock.advance(by: .milliseconds(3_999))
            try await replica.look()
            #expect(replica.owner.owned == LogPartition.all)
            board.fail(nil)
            try await replica.look()
        }
        #expect(replica.lapses.all == [])
        await replica.keeper.leave()
    }

    @Test func `who cannot say in time that it is there leaves all to the others, and has its share when it can`()
        async throws
    {
        let replicas = replicas(2)
        let (first, second) = (replicas[0], replicas[1])
        try await first.look(has: 16)
        try await second.look()
        try await first.look(has: 8)
        try await second.look(has: 8)
        clock.advance(by: .seconds(3))
        try await second.look()
        board.fail(EnergyError(.unavailable, "away"))
        clock.advance(by: .seconds(1))
        try await first.look(has: 0)
        #expect(first.owner.owned == [] && first.owner.running == 0)
        try await first.look()
        #expect(first.lapses.all == ["lapsed"])
        board.fail(nil)
        board.lose(first.id)
        try await second.look()
        #expect(second.owner.owned == LogPartition.all)
        try await first.look()
        try await second.look(has: 8)
        try await first.look(has: 8)
        #expect(first.owner.owned == LogPartition.all.subtracting(second.owner.owned))
        #expect(first.lapses.all == ["lapsed", "attends"])
        for replica in replicas { await replica.keeper.leave() }
    }

    @Test func `who hung for longer than what it has lasts begins it anew, though nobody has taken it`() async throws {
        let replica = Replica(board, clock)
        try await replica.look(has: 16)
        clock.advance(by: .seconds(20))
        replica.owner.hold()
        try await replica.look()
        #expect(replica.lapses.all == ["lapsed", "attends"])
        replica.owner.letGo()
        for await changed in replica.changes where changed == 0 { break }
        try await replica.look(has: 16)
        #expect(replica.owner.owned == LogPartition.all)
        await replica.keeper.leave()
    }

    @Test func `who hung while it said that it is there does not take what others took for an error`() async throws {
        let replica = Replica(board, clock)
        try await replica.look(has: 16)
        board.atNextAttendance { [board, clock] in
            clock.advance(by: .seconds(20))
            board.overtake(7)
        }
        replica.owner.hold()
        try await replica.look()
        #expect(replica.lapses.all == ["lapsed", "attends"])
        replica.owner.letGo()
        for await changed in replica.changes where changed == 0 { break }
        try await replica.look()
        #expect(replica.owner.owned == LogPartition.all.subtracting([7]))
        await replica.keeper.leave()
    }

    @Test func `what it took while that ended is left too`() async throws {
        let replica = Replica(board, clock)
        let shares = try #require(try await replica.keeper.attend())
        replica.owner.holdBeginning()
        let balance = Task { try await replica.keeper.balance(shares) }
        await replica.owner.waitUntilBeginning()
        board.fail(EnergyError(.unavailable, "away"))
        clock.advance(by: .seconds(4))
        #expect(try await replica.keeper.attend() == nil)
        // Others may have attended since.
        board.fail(nil)
        replica.owner.letGo()
        try await balance.value
        for await changed in replica.changes where changed == 0 { break }
        #expect(replica.owner.owned == [] && board.count(of: replica.id) == 0)
        await replica.keeper.leave()
    }

    @Test func `who could never say that it is there has nothing, and tells that`() async throws {
        let replica = Replica(board, clock)
        board.fail(EnergyError(.unavailable, "away"))
        for _ in 0..<2 { try await replica.look() }
        #expect(replica.lapses.all == ["lapsed"])
        board.fail(nil)
        try await replica.look(has: 16)
        #expect(replica.lapses.all == ["lapsed", "attends"])
        await replica.keeper.leave()
    }

    @Test func `what cannot become better is no reason to wait`() async throws {
        let replica = Replica(board, clock)
        board.fail(EnergyError(.dataLoss, "damaged"))
        let running = Task { try await replica.keeper.run() }
        await replica.keeper.waitForFirstLook()
        await #expect(throws: StartError.self) { try await running.value }
    }

    @Test func `the process ends when one of them is another's`() async throws {
        let replica = Replica(board, clock)
        let running = Task { try await replica.keeper.run() }
        await replica.keeper.waitForFirstLook()
        board.overtake(7)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await #expect(throws: StartError.self) { try await running.value }
        #expect(board.count(of: replica.id) == 0)
    }
}

/// Who is told what it has.
private final class RecordingOwner: PartitionOwner {
    private struct State {
        var owned: Set<Int> = []
        var running = 0
        var refusal: EnergyError?
        var isHeld = false
        var isBeginningHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())
    private let (runs, run) = AsyncStream<Int>.makeStream()
    private let (beginnings, beginning) = AsyncStream<Void>.makeStream()

    var owned: Set<Int> { state.withLock(\.owned) }
    var running: Int { state.withLock(\.running) }

    func refuse(_ refusal: EnergyError?) { state.withLock { $0.refusal = refusal } }

    /// What is to end does not, until ``letGo()``.
    func hold() { state.withLock { $0.isHeld = true } }

    /// What is to begin does not, until ``letGo()``.
    func holdBeginning() { state.withLock { $0.isBeginningHeld = true } }

    func letGo() {
        let held = state.withLock { state in
            defer { state.held = [] }
            (state.isHeld, state.isBeginningHeld) = (false, false)
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func waitUntilBeginning() async { for await _ in beginnings { break } }

    func waitUntil(running count: Int) async { for await running in runs where running == count { break } }

    func begin(_ partition: Int) async throws(EnergyError) {
        if let refusal = state.withLock(\.refusal) { throw refusal }
        beginning.yield()
        await wait(while: \.isBeginningHeld)
        state.withLock { _ = $0.owned.insert(partition) }
    }

    func run(_ partition: Int) async {
        run.yield(
            state.withLock { state in
                state.running += 1
                return state.running
            })
        let (forever, open) = AsyncStream<Void>.makeStream()
        for await _ in forever {}
        withExtendedLifetime(open) {}
        state.withLock { $0.running -= 1 }
    }

    func end(_ partition: Int) async {
        await wait(while: \.isHeld)
        state.withLock { _ = $0.owned.remove(partition) }
    }

    private func wait(while isHeld: KeyPath<State, Bool>) async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state[keyPath: isHeld] { state.held.append(continuation) }
                return state[keyPath: isHeld]
            }
            if !isHeld { continuation.resume() }
        }
    }
}
