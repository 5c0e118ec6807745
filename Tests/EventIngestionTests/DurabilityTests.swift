import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import SQLiteStore
import Synchronization
import Testing

@testable import EventIngestion

struct DurabilityTests {
    @Test func `events are known again after a restart`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        let charge = EventSamples.charge()
        let open = [EventSamples.hvac(.begin)]
        let first = IngestorSetup(store: try SQLiteEventLogStore(path: path))
        _ = try await first.running { try await first.submit(charge + open) }
        try await first.store.close()

        let second = IngestorSetup(store: try SQLiteEventLogStore(path: path))
        try await second.running { () async throws in
            #expect(try await second.submit(charge) == SubmitResult(accepted: 0, duplicates: 4))
            let changed = EventSamples.status(id: charge[0].id)
            #expect(await second.refusal([changed])?.code == .conflict)
            #expect(await second.refusal([EventSamples.hvac(.begin)])?.code == .invalidInput, "it has begun")
            #expect(try await second.submit([EventSamples.hvac(.end)]).accepted == 1)
        }
        #expect(try await second.log().map(\.sequence) == [1, 2])
        try await second.store.close()
    }

    @Test(arguments: UInt64(0)..<6)
    func `two submitters of one session leave one orderly session`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let setup = IngestorSetup(store: try SQLiteEventLogStore(path: folder.path("log.sqlite")))
        let session = UUID()
        let begin = EventSamples.vehicle(session: session, .begin)
        let accepted = try await setup.running { () async throws in
            _ = try await setup.submit([begin])
            return await withTaskGroup { group in
                for submitter in UInt64(0)..<2 {
                    group.addTask { await submit(seed: seed * 2 + submitter, session, to: setup) }
                }
                return await group.reduce(into: [begin]) { $0 += $1 }
            }
        }
        let stored = try await setup.log().flatMap(\.events)
        #expect(Set(stored.map(\.id)) == Set(accepted.map(\.id)))
        #expect(stored.count == accepted.count)
        let energies = stored.compactMap(\.energy)
        #expect(energies == energies.sorted(), "energy never falls, whoever was first")
        try await setup.store.close()
    }

    /// Rising energies with random steps; what the other submitter has overtaken is refused.
    private func submit(seed: UInt64, _ session: UUID, to setup: IngestorSetup) async -> [Event] {
        var random = SplitMix64(seed: seed)
        var (accepted, energy) = ([Event](), Int64(0))
        for _ in 0..<30 {
            energy += Int64.random(in: 0...100, using: &random)
            let event = EventSamples.vehicle(session: session, .active, energy: energy)
            if await setup.refusal([event]) == nil { accepted.append(event) }
        }
        return accepted
    }

    @Test func `a full disk refuses, serves what it has, and recovers by itself`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        let setup = IngestorSetup(store: store)
        try await setup.running { () async throws in
            let stored = EventSamples.charge()
            _ = try await setup.submit(stored)
            try await store.limitFileSize(bytes: 400_000)
            var refused: [[Event]] = []
            while refused.count < 3 {
                let start = EventSamples.now.advanced(byMilliseconds: -.millisecondsPerDay)
                let charge = EventSamples.charge(actives: 900, from: start)
                guard let refusal = await setup.refusal(charge) else { continue }
                #expect(refusal.code == .unavailable)
                #expect(refusal.retryAfterMilliseconds != nil)
                refused.append(charge)
            }
            let before = try await setup.log()
            #expect(before.map(\.sequence) == (0..<before.count).map { UInt64($0) + 1 })
            try await store.limitFileSize(bytes: nil)
            #expect(try await setup.submit(stored).duplicates == 4, "it still knows what it had")
            for charge in refused { #expect(try await setup.submit(charge).accepted == charge.count) }
            #expect(try await setup.log().count == before.count + 3)
        }
        try await setup.store.close()
    }

    /// A crash leaves what the operating system has of the file and its write-ahead log at some moment, and perhaps half
    /// a write behind that. Copies are taken in the middle of transactions; each must hold every event acknowledged before
    /// its moment, once, and go on from there.
    @Test(arguments: UInt64(0)..<4)
    func `a copy taken at any moment holds what was acknowledged, once`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let store = CopyingStore(
            try SQLiteEventLogStore(path: folder.path("log.sqlite")), folder: folder.url, seed: seed)
        let setup = IngestorSetup(store: store)
        try await setup.running { () async throws in
            await withTaskGroup { group in
                for sender in UInt64(0)..<4 {
                    group.addTask { await submitCharges(seed: seed * 4 + sender, to: setup, noting: store) }
                }
            }
        }
        try await setup.store.close()
        let copies = store.copies
        #expect(copies.count >= 3)
        for copy in copies { try await check(copy) }
    }

    private func submitCharges(seed: UInt64, to setup: IngestorSetup, noting store: CopyingStore) async {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let charge = EventSamples.charge(actives: Int.random(in: 0..<20, using: &random))
            if await setup.refusal(charge) == nil { store.acknowledged(charge) }
        }
    }

    private func check(_ copy: CopyingStore.Copy) async throws {
        let store = try SQLiteEventLogStore(path: copy.path)
        let setup = IngestorSetup(store: store)
        let records = try await setup.log()
        #expect(records.map(\.sequence) == (0..<records.count).map { UInt64($0) + 1 })
        let stored = records.flatMap(\.events)
        #expect(Set(stored.map(\.id)).count == stored.count, "nothing is there twice")
        #expect(Set(copy.acknowledged.map(\.id)).subtracting(stored.map(\.id)).isEmpty, "nothing is lost")
        // Senders that were not answered send again: what is there is a duplicate, what is not is accepted.
        try await setup.running { () async throws in
            for charge in copy.acknowledged.chunked() {
                #expect(try await setup.submit(charge).accepted == 0)
            }
            #expect(try await setup.submit(EventSamples.charge()).accepted == 4)
        }
        try await setup.store.close()
    }
}

extension Event {
    fileprivate var energy: Int64? {
        if case .vehicleLoad(let load) = content { load.energyMilliwattHours } else { nil }
    }
}

extension [Event] {
    fileprivate func chunked() -> [[Event]] {
        stride(from: 0, to: count, by: EventBatch.eventsMax).map {
            Array(self[$0..<Swift.min($0 + EventBatch.eventsMax, count)])
        }
    }
}

/// Copies the database's files from within some transactions, when no other connection can move them.
private final class CopyingStore: ForwardingEventLogStore {
    struct Copy: Sendable {
        let path: String
        /// Before the copy was taken.
        let acknowledged: [Event]
    }
    private struct State {
        var random: SplitMix64
        var acknowledged: [Event] = []
        var copies: [Copy] = []
    }
    let inner: any EventLogStore
    private let folder: URL
    private let state: Mutex<State>

    init(_ inner: SQLiteEventLogStore, folder: URL, seed: UInt64) {
        self.inner = inner
        self.folder = folder
        state = Mutex(State(random: SplitMix64(seed: seed)))
    }

    var copies: [Copy] { state.withLock { $0.copies } }

    func acknowledged(_ events: [Event]) { state.withLock { $0.acknowledged += events } }

    private func copy() throws {
        try state.withLock { state in
            guard Int.random(in: 0..<3, using: &state.random) == 0 else { return }
            let name = "copy-\(state.copies.count).sqlite"
            let target = folder.appending(path: name)
            try FileManager.default.copyItem(at: folder.appending(path: "log.sqlite"), to: target)
            var log = try Data(contentsOf: folder.appending(path: "log.sqlite-wal"))
            // Half a write of the transaction that the crash cut off.
            let torn = Int.random(in: 0..<10_000, using: &state.random)
            log.append(contentsOf: (0..<torn).map { _ in UInt8.random(in: 0...255, using: &state.random) })
            try log.write(to: folder.appending(path: name + "-wal"))
            state.copies.append(Copy(path: target.path, acknowledged: state.acknowledged))
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        try await inner.write { log in
            let value = try body(log)
            try self.copy()
            return value
        }
    }
}
