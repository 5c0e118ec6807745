import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Insights
import SQLiteStore
import Testing

@testable import EventIngestion

/// What a device has sent is erased from the log, and from whatever was counted of it.
@Suite(.timeLimit(.minutes(10))) struct ErasureTests {
    enum Kind: CaseIterable { case memory, sqlite }

    private static let other = Device(id: "car-2", name: "Other car", kind: .electricVehicle)
    private let subject = DataSubject(venueID: EventSamples.venueID, deviceID: EventSamples.car.id)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func with(_ kind: Kind, _ body: (IngestorSetup) async throws -> Void) async throws {
        switch kind {
        case .memory: try await body(IngestorSetup())
        case .sqlite:
            let store = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            try await body(IngestorSetup(store: store))
            try store.close()
        }
    }

    private func erase(_ setup: IngestorSetup, _ subject: DataSubject? = nil) async throws -> ErasureReceipt {
        try await setup.ingestor.erase(subject ?? self.subject, hash: { Array($0.suffix(32)) })
    }

    private func charge(_ hours: Int64, _ device: Device = EventSamples.car) -> [Event] {
        EventSamples.charge(
            device: device, from: EventSamples.now.advanced(byMilliseconds: -hours * .millisecondsPerHour))
    }

    @Test(arguments: Kind.allCases)
    func `the device's events go, everything else stays in its place`(kind: Kind) async throws {
        try await with(kind) { setup in
            try await setup.running {
                let (mine, others) = (charge(5), charge(4, Self.other))
                _ = try await setup.submit(mine)
                _ = try await setup.submit(others)
                _ = try await setup.submit(charge(3) + charge(2, Self.other))
                let before = try await setup.store.all(1)
                let receipt = try await erase(setup)
                #expect(receipt.counts.first { $0.kind == "event" }?.count == 8)
                #expect(receipt.counts.first { $0.kind == "session" }?.count == 2)
                #expect(receipt.records?.sequences == [1, 3])
                #expect(receipt.records?.count == 2)
                #expect(receipt.records?.erasureSequence == 4)
                let bytes = [before[0], before[2]].flatMap { withUnsafeBytes(of: $0.checksum.bigEndian, Array.init) }
                #expect(receipt.records?.hash == bytes)

                let stored = try await setup.store.all(1)
                #expect(stored.prefix(3).map(\.checksum) == before.map(\.checksum))
                #expect(stored[0].principal == "erased")
                #expect(stored[1] == before[1])
                #expect(
                    stored.allSatisfy { record in
                        record.payload.firstRange(of: Array(EventSamples.car.id.utf8)) == nil
                    })
                let log = try await setup.log()
                #expect(log.map(\.sequence) == [1, 2, 3, 4])
                #expect(log.map { $0.events.count } == [0, 4, 4, 0])
                #expect(log.flatMap(\.events).allSatisfy { $0.device == Self.other })
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `the same events sent again are new, once, and an id may be another event's`(kind: Kind) async throws {
        try await with(kind) { setup in
            try await setup.running {
                let mine = charge(5)
                _ = try await setup.submit(mine)
                _ = try await erase(setup)
                // The session's begin is gone, so what follows it alone is refused.
                #expect(await setup.refusal(Array(mine.dropFirst())) != nil)
                #expect(try await setup.submit(mine) == SubmitResult(accepted: 4, duplicates: 0))
                #expect(try await setup.submit(mine) == SubmitResult(accepted: 0, duplicates: 4))
                _ = try await erase(setup)
                let changed = EventSamples.status(id: mine[0].id)
                #expect(try await setup.submit([changed]) == SubmitResult(accepted: 1, duplicates: 0))
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `a venue goes whole, and no other`(kind: Kind) async throws {
        try await with(kind) { setup in
            try await setup.running {
                _ = try await setup.submit(charge(5) + charge(4, Self.other))
                let neighbour = EventSamples.charge(venueID: EventSamples.id(11), token: EventSamples.id(102))
                _ = try await setup.submit(neighbour)
                let receipt = try await erase(setup, DataSubject(venueID: EventSamples.venueID))
                #expect(receipt.counts.first { $0.kind == "event" }?.count == 8)
                #expect(try await setup.log().flatMap(\.events) == [])
                #expect(try await setup.log(EventSamples.id(11)).flatMap(\.events).count == 4)
                // Done again, there is nothing left.
                let again = try await erase(setup, DataSubject(venueID: EventSamples.venueID))
                #expect(again.counts.allSatisfy { $0.count == 0 })
                #expect(again.records?.count == 0)
            }
        }
    }

    @Test(arguments: UInt64(0)..<30)
    func `what was counted before the erasure, while it went on, or anew afterwards is the same`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let store = InMemoryEventLogStore()
        let setup = IngestorSetup(store: store)
        let (incremental, late) = (InMemoryInsightStore(), InMemoryInsightStore())
        var hours = Int64(60)
        for _ in 0..<4 {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                hours -= 1
                let events =
                    switch Int.random(in: 0...2, using: &random) {
                    case 0: charge(hours)
                    case 1: charge(hours, Self.other)
                    default: charge(hours) + charge(hours, Self.other)
                    }
                _ = try await setup.running { () async throws in try await submitAlone(events, to: store) }
            }
            if Bool.random(using: &random) { try await Counting.count(store, into: incremental) }
            if Int.random(in: 0...2, using: &random) == 0 { _ = try await erase(setup) }
            if Bool.random(using: &random) { try await Counting.count(store, into: late) }
        }
        let anew = InMemoryInsightStore()
        for insights in [incremental, late, anew] { try await Counting.count(store, into: insights) }
        let expected = try await Counting.totals(anew)
        #expect(try await Counting.totals(incremental) == expected)
        #expect(try await Counting.totals(late) == expected)
        let events = try await setup.log().flatMap(\.events).filter { $0.session?.state == .end }
        let logged = events.reduce(Int64(0)) { sum, event in
            if case .vehicleLoad(let load) = event.content { sum + load.energyMilliwattHours } else { sum }
        }
        let counted = expected.reduce(Int64(0)) { $0 + $1.tally.amount.energy.milliwattHours }
        #expect(counted == logged)
    }

    /// An ingestor runs once.
    private func submitAlone(_ events: [Event], to store: any EventLogStore) async throws {
        let setup = IngestorSetup(store: store)
        _ = try await setup.running { () async throws in try await setup.submit(events) }
    }

    @Test func `a reader that stands at an erased record reads on from there`() async throws {
        let store = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
        let setup = IngestorSetup(store: store)
        let insights = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
        try await setup.running {
            _ = try await setup.submit(charge(5))
            try await Counting.count(store, into: insights)
            #expect(try await insights.positions().map(\.sequence) == [1])
            _ = try await erase(setup)
            _ = try await setup.submit(charge(3))
            // Not another log: that would count it from its beginning.
            #expect(try await Counting.count(store, into: insights) == [])
            #expect(try await insights.positions().map(\.sequence) == [3])
            #expect(try await Counting.totals(insights).map(\.tally.amount.energy.milliwattHours) == [360_000])
        }
        try insights.close()
        try store.close()
    }

    @Test func `what is sent while an erasure goes on is gone, or new and whole`() async throws {
        try await with(.sqlite) { setup in
            try await setup.running {
                for hours in Int64(20)..<40 { _ = try await setup.submit(charge(hours)) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try await erase(setup) }
                    for hours in Int64(40)..<80 {
                        group.addTask {
                            _ = try await setup.submit(charge(hours) + charge(hours, Self.other))
                        }
                    }
                    try await group.waitForAll()
                }
                let stored = try await setup.store.all(1)
                #expect(stored.map(\.sequence) == Array(1...61))
                let place = try #require(stored.firstIndex { $0.erasure != nil })
                let log = try await setup.log()
                #expect(log[..<place].flatMap(\.events).allSatisfy { $0.device == Self.other })
                #expect(log[(place + 1)...].allSatisfy { $0.events.count == 8 })
                let insights = InMemoryInsightStore()
                try await Counting.count(setup.store, into: insights)
                let ends = log.flatMap(\.events).count { $0.session?.state == .end }
                let counted = try await Counting.totals(insights).map(\.tally.amount.energy.milliwattHours)
                #expect(counted.reduce(0, +) == Int64(ends) * 360_000)
            }
        }
    }

    @Test func `an erasure that was broken off is true already for who counts, and goes on when it is done again`()
        async throws
    {
        let store = BrokenOff()
        let setup = IngestorSetup(store: store)
        let before = InMemoryInsightStore()
        try await setup.running {
            _ = try await setup.submit(charge(5) + charge(4, Self.other))
            _ = try await setup.submit(charge(3))
            try await Counting.count(setup.store, into: before)
            await #expect(throws: EnergyError.self) { _ = try await erase(setup) }
            #expect(try await setup.log().flatMap(\.events).count == 12)
            store.isBroken.set(false)
            for _ in 0..<2 {
                let anew = InMemoryInsightStore()
                for insights in [before, anew] {
                    try await Counting.count(setup.store, into: insights)
                    let counted = try await Counting.totals(insights).map(\.tally.amount.energy.milliwattHours)
                    #expect(counted.reduce(0, +) == 360_000)
                }
                let receipt = try await erase(setup)
                #expect(receipt.records?.erasureSequence ?? 0 > 3)
            }
            #expect(try await setup.log().flatMap(\.events).map(\.device) == Array(repeating: Self.other, count: 4))
        }
    }

    /// Nobody can make an erasure by sending a batch that holds something like one.
    @Test func `what is sent cannot erase`() async throws {
        try await with(.memory) { setup in
            try await setup.running {
                let events = charge(5)
                let batch = EventBatch(events: events)
                let record = LogRecord(
                    partition: 1, sequence: 1, venueID: EventSamples.venueID, received: EventSamples.now,
                    principal: "eve", events: [], erasure: Erasure(device: nil))
                let field = Array(record.encoded().suffix(2))
                _ = try await setup.ingestor.submit(batch, encoded: batch.encoded() + field, principal: "local")
                #expect(try await setup.store.all(1).allSatisfy { $0.erasure == nil })
                let methods = table(setup.ingestor)
                let page = Box<[LogRecord]>([])
                try await TableClient(methods).stream(
                    Methods.readLog, LogPosition(partition: 1, afterSequence: 0)
                ) { (chunk: LogPage) async throws(EnergyError) in page.update { $0 += chunk.records } }
                #expect(page.value.map(\.erasure) == [nil])
            }
        }
    }

    private func table(_ ingestor: EventIngestor) -> MethodTable {
        var methods = MethodTable()
        ingestor.register(in: &methods)
        return methods
    }
}

/// A log that cannot be written just when records are to be replaced.
private final class BrokenOff: ForwardingEventLogStore {
    let inner: any EventLogStore = InMemoryEventLogStore()
    let isBroken = Box(true)

    func replace(_ records: [ErasedRecord]) async throws(EnergyError) {
        if isBroken.value { throw EnergyError(.unavailable, "the disk is full", retryAfterMilliseconds: 1_000) }
        try await inner.replace(records)
    }
}
