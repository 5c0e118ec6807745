import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import EventIngestion

/// An ingestor with everything around it that a test may look at.
struct IngestorSetup {
    let store: ScriptedStore
    let publisher = RecordingPublisher()
    let guidance: KnownGuidance
    /// What was told of the log, in order.
    let conditions = Box<[LogCondition]>([])
    let ingestor: EventIngestor

    init(
        store: any EventLogStore = InMemoryEventLogStore(), guidance: KnownGuidance = KnownGuidance(),
        limits: IngestLimits = IngestLimits(), rules: EventRules = EventRules()
    ) {
        self.store = ScriptedStore(store)
        self.guidance = guidance
        ingestor = EventIngestor(
            store: self.store, tokens: guidance, venues: guidance, publisher: publisher, clock: FixedWallClock(),
            rules: rules, limits: limits,
            whenLogChanges: { [conditions] condition in conditions.update { $0.append(condition) } })
    }

    /// Runs the ingestor while `body` does, and stops it in good order.
    func running<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let run = Task { await ingestor.run() }
        defer { run.cancel() }
        let value = try await body()
        run.cancel()
        await run.value
        return value
    }

    func submit(_ events: [Event], as principal: String = "local") async throws(EnergyError) -> SubmitResult {
        try await ingestor.submit(EventBatch(events: events), principal: principal)
    }

    func refusal(_ events: [Event], as principal: String = "local") async -> EnergyError? {
        do throws(EnergyError) {
            _ = try await submit(events, as: principal)
            return nil
        } catch { return error }
    }

    /// Submits all batches, lets them all wait, and only then runs the ingestor.
    ///
    /// - Returns: each batch's refusal, `nil` if it was accepted.
    func together(_ batches: [(events: [Event], principal: String)]) async throws -> [EnergyError?] {
        let submissions = batches.map { batch in Task { await refusal(batch.events, as: batch.principal) } }
        await waiting(batches.count)
        return try await running { () async in
            var refusals: [EnergyError?] = []
            for submission in submissions { refusals.append(await submission.value) }
            return refusals
        }
    }

    /// Lets `count` batches wait before the ingestor runs.
    func waiting(_ count: Int) async { while ingestor.queue.waiting < count { await Task.yield() } }

    /// The whole log of a venue's partition.
    func log(_ venueID: UUID = EventSamples.venueID) async throws -> [LogRecord] {
        try await logRecords(store, LogPartition.of(venueID: venueID))
    }
}

func logRecords(_ store: any EventLogStore, _ partition: Int) async throws -> [LogRecord] {
    try await store.all(partition).map { record in
        LogRecord(
            partition: record.partition, sequence: record.sequence, venueID: record.venueID,
            received: record.received, principal: record.principal,
            events: try EventBatch(decoding: record.payload).events)
    }
}
