import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import EventIngestion

struct GroupCommitTests {
    @Test func `all batches that wait share one transaction`() async throws {
        let setup = IngestorSetup()
        let count = 50
        let refusals = try await setup.together((0..<count).map { _ in (EventSamples.charge(), "local") })
        #expect(refusals.allSatisfy { $0 == nil })
        #expect(setup.store.transactions == 1)
        #expect(try await setup.log().map(\.sequence) == (1...UInt64(count)).map(\.self))
    }

    @Test func `a transaction is bounded, the rest waits for the next`() async throws {
        let setup = IngestorSetup(limits: IngestLimits(batchesPerCommitMax: 4))
        _ = try await setup.together((0..<10).map { _ in ([EventSamples.status()], "local") })
        #expect(setup.store.transactions == 3)
    }

    @Test func `a batch that is refused does not hurt those beside it`() async throws {
        let setup = IngestorSetup()
        let batches = (0..<10).map { number in
            let events = EventSamples.charge()
            return (number % 2 == 0 ? events : Array(events.dropFirst()), "local")
        }
        let results = try await setup.together(batches).map { $0?.code }
        #expect(results.count(where: { $0 == nil }) == 5)
        #expect(results.count(where: { $0 == .invalidInput }) == 5)
        #expect(try await setup.log().count == 5)
        #expect(setup.store.transactions == 1)
    }

    @Test func `a batch that the store cannot take fails alone`() async throws {
        let setup = IngestorSetup(store: PickyStore(principal: "poison"))
        let results = try await setup.together(
            (0..<5).map { ([EventSamples.status()], $0 == 2 ? "poison" : "local") }
        ).map { $0?.code }
        #expect(results.count(where: { $0 == nil }) == 4)
        #expect(results.count(where: { $0 == .conflict }) == 1)
    }

    @Test func `batches in flight are counted until they are answered, well or not`() async throws {
        let setup = IngestorSetup()
        let batches = [EventSamples.charge(), [EventSamples.vehicle(.end)], [EventSamples.status()]]
        let submissions = batches.map { events in Task { await setup.refusal(events) } }
        await setup.waiting(3)
        #expect(setup.ingestor.metrics.inFlight.count == 3)
        try await setup.running { () async in for submission in submissions { _ = await submission.value } }
        #expect(setup.ingestor.metrics.inFlight.count == 0)
    }

    @Test func `when too many batches wait, the next is told when to come back`() async throws {
        let setup = IngestorSetup(limits: IngestLimits(batchesInFlightMax: 3))
        let waiting = (0..<3).map { _ in Task { try await setup.submit([EventSamples.status()]) } }
        await setup.waiting(3)
        let refusal = await setup.refusal([EventSamples.status()])
        #expect(refusal?.code == .rateLimited)
        #expect(refusal?.retryAfterMilliseconds == 100)
        try await setup.running { () async throws in
            for submission in waiting { _ = try await submission.value }
            #expect(try await setup.submit([EventSamples.status()]).accepted == 1, "there is room again")
        }
    }

    @Test func `waiting bytes are bounded too`() async throws {
        let setup = IngestorSetup(limits: IngestLimits(bytesInFlightMax: 1_000))
        let refusal = await setup.refusal((0..<10).map { _ in EventSamples.status() })
        #expect(refusal?.code == .rateLimited)
    }

    @Test func `a refused batch gives its room back`() async throws {
        let setup = IngestorSetup(limits: IngestLimits(batchesInFlightMax: 1))
        try await setup.running { () async throws in
            for _ in 0..<3 { #expect(await setup.refusal([EventSamples.vehicle(.end)])?.code == .invalidInput) }
        }
        #expect(setup.ingestor.queue.batchesInFlight == 0)
    }

    @Test func `a failing disk refuses everything that waits, reads go on, and it recovers by itself`() async throws {
        let setup = IngestorSetup()
        try await setup.running { () async throws in
            _ = try await setup.submit(EventSamples.charge())
            setup.store.fail(with: EnergyError(.unavailable, "full", retryAfterMilliseconds: 1_000))
            for _ in 0..<3 {
                let refusal = await setup.refusal(EventSamples.charge())
                #expect(refusal?.code == .unavailable)
                #expect(refusal?.retryAfterMilliseconds == 1_000)
            }
            #expect(try await setup.log().count == 1)
            #expect(try await setup.ingestor.heads().heads[1].sequence == 1)
            setup.store.fail(with: nil)
            #expect(try await setup.submit(EventSamples.charge()).accepted == 4)
        }
        #expect(try await setup.log().count == 2)
    }

    @Test func `a sender that gives up while it waits leaves nothing behind`() async throws {
        let setup = IngestorSetup()
        let submission = Task { await setup.refusal(EventSamples.charge()) }
        await setup.waiting(1)
        submission.cancel()
        #expect(await submission.value?.code == .unavailable)
        try await setup.running { _ = try await setup.submit([EventSamples.status()]) }
        #expect(try await setup.log().map(\.events.count) == [1])
    }

    @Test func `stopping finishes what waits and refuses what is new`() async throws {
        let setup = IngestorSetup()
        let waiting = Task { try await setup.submit(EventSamples.charge()) }
        await setup.waiting(1)
        let run = Task { await setup.ingestor.run() }
        run.cancel()
        await run.value
        #expect(try await waiting.value.accepted == 4)
        let refusal = await setup.refusal(EventSamples.charge())
        #expect(refusal?.code == .unavailable)
        #expect(refusal?.retryAfterMilliseconds != nil)
    }
}

/// Contradicts every record of one principal, as a constraint of a database would.
private struct PickyStore: ForwardingEventLogStore {
    let inner: any EventLogStore = InMemoryEventLogStore()
    let principal: String

    private struct Transaction: EventLogTransaction {
        let inner: any EventLogTransaction
        let principal: String
        func session(_ id: UUID, venueID: UUID) throws -> SessionProgress? { try inner.session(id, venueID: venueID) }
        func knownDigest(ofEvent id: UUID, venueID: UUID) throws -> UInt64? {
            try inner.knownDigest(ofEvent: id, venueID: venueID)
        }
        func append(_ draft: RecordDraft) throws -> UInt64 {
            if draft.principal == principal { throw EnergyError(.conflict, "contradicting data") }
            return try inner.append(draft)
        }
        func forget(_ subject: DataSubject) throws -> [ErasedCount] { try inner.forget(subject) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        try await inner.write { [principal] in try body(Transaction(inner: $0, principal: principal)) }
    }
}
