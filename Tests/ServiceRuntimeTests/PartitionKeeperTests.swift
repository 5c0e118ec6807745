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
        let id = UUID()
        let owner = RecordingOwner()
        let keeper: PartitionKeeper<ManualClock>
        let changes: AsyncStream<Int>

        init(_ board: LeaseBoard, _ clock: ManualClock) {
            let (changes, change) = AsyncStream<Int>.makeStream()
            self.changes = changes
            keeper = PartitionKeeper(board.leases(of: id), owner: owner, clock: clock) { change.yield($0.count) }
        }

        /// Looks, and returns when it has so many, as it has not had since this was waited for last.
        func look(has count: Int) async throws {
            try await keeper.look()
            for await changed in changes where changed == count { break }
        }
    }

    @Test func `who is alone has all, and each that comes gets a share of them`() async throws {
        let replicas = (0..<3).map { _ in Replica(board, clock) }
        try await replicas[0].look(has: 16)
        #expect(replicas[0].owner.owned == LogPartition.all)
        try await replicas[1].keeper.look()
        #expect(replicas[1].owner.owned == [])
        try await replicas[0].look(has: 8)
        try await replicas[1].look(has: 8)
        #expect(replicas.map { board.count(of: $0.id) } == [8, 8, 0])
        #expect(replicas[1].owner.owned == LogPartition.all.subtracting(replicas[0].owner.owned))
        try await replicas[2].keeper.look()
        for replica in replicas[..<2] { try await replica.look(has: 6) }
        try await replicas[2].look(has: 4)
        #expect(replicas.map { board.count(of: $0.id) } == [6, 6, 4])
        for replica in replicas { await replica.keeper.close() }
    }

    @Test func `what a replica had that is gone the others have`() async throws {
        let replicas = (0..<2).map { _ in Replica(board, clock) }
        try await replicas[0].look(has: 16)
        try await replicas[1].keeper.look()
        try await replicas[0].look(has: 8)
        try await replicas[1].look(has: 8)
        board.lose(replicas[0].id)
        try await replicas[1].keeper.look()
        #expect(replicas[1].owner.owned == LogPartition.all)
        for replica in replicas { await replica.keeper.close() }
    }

    @Test func `who leaves leaves everything, and its work has ended before`() async throws {
        let replica = Replica(board, clock)
        try await replica.keeper.look()
        await replica.owner.waitUntil(running: LogPartition.count)
        await replica.keeper.close()
        #expect(board.count(of: replica.id) == 0)
        #expect(!board.isThere(replica.id))
        #expect(replica.owner.running == 0)
    }

    @Test func `what calls are under way for is kept until they have ended, and it is not gone meanwhile`() async throws
    {
        let (first, second) = (Replica(board, clock), Replica(board, clock))
        try await first.look(has: 16)
        first.owner.hold()
        try await second.keeper.look()
        for _ in 0..<3 {
            try await first.keeper.look()
            try await second.keeper.look()
            #expect(board.count(of: first.id) == LogPartition.count)
        }
        first.owner.letGo()
        try await first.look(has: 8)
        try await second.look(has: 8)
        #expect(board.count(of: second.id) == 8)
        for replica in [first, second] { await replica.keeper.close() }
    }

    @Test func `one that cannot be begun is given back, and tried again`() async throws {
        let replica = Replica(board, clock)
        replica.owner.refuse(EnergyError(.unavailable, "away"))
        try await replica.keeper.look()
        #expect(board.count(of: replica.id) == 0)
        replica.owner.refuse(nil)
        try await replica.keeper.look()
        #expect(replica.owner.owned == LogPartition.all)
        await replica.keeper.close()
    }

    @Test func `a store that is away is waited for, for as long as what it has is its own`() async throws {
        let replica = Replica(board, clock)
        try await replica.keeper.look()
        for _ in 0..<3 {
            board.fail(EnergyError(.unavailable, "away"))
            clock.advance(by: .milliseconds(3_999))
            try await replica.keeper.look()
            #expect(replica.owner.owned == LogPartition.all)
            board.fail(nil)
            try await replica.keeper.look()
        }
        board.fail(EnergyError(.unavailable, "away"))
        clock.advance(by: .seconds(4))
        await #expect(throws: StartError.self) { try await replica.keeper.look() }
        board.fail(nil)
        await replica.keeper.close()
    }

    @Test func `what cannot become better is no reason to wait`() async throws {
        let replica = Replica(board, clock)
        board.fail(EnergyError(.dataLoss, "damaged"))
        await #expect(throws: StartError.self) { try await replica.keeper.look() }
    }

    @Test func `the process ends when one of them is another's`() async throws {
        let replica = Replica(board, clock)
        try await replica.keeper.look()
        board.overtake(7)
        let running = Task { try await replica.keeper.run() }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await #expect(throws: StartError.self) { try await running.value }
        await replica.keeper.close()
    }
}

/// Who is told what it has.
private final class RecordingOwner: PartitionOwner {
    private struct State {
        var owned: Set<Int> = []
        var running = 0
        var refusal: EnergyError?
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())
    private let (runs, run) = AsyncStream<Int>.makeStream()

    var owned: Set<Int> { state.withLock(\.owned) }
    var running: Int { state.withLock(\.running) }

    func refuse(_ refusal: EnergyError?) { state.withLock { $0.refusal = refusal } }

    /// What is to end does not, until ``letGo()``.
    func hold() { state.withLock { $0.isHeld = true } }

    func letGo() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHeld = false
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func waitUntil(running count: Int) async { for await running in runs where running == count { break } }

    func begin(_ partition: Int) async throws(EnergyError) {
        if let refusal = state.withLock(\.refusal) { throw refusal }
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
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
        state.withLock { _ = $0.owned.remove(partition) }
    }
}
