public import EnergyModel
internal import Foundation
internal import Synchronization

/// An event log that lasts as long as the process: for tests and trials.
public final class InMemoryEventLogStore: EventLogStore {
    private let contents = Mutex(Contents())
    private let isClosed = Mutex(false)

    public init() {}

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value {
        try checkOpen()
        let result = contents.withLock { contents -> Result<Value, EnergyError> in
            // The transaction owns the contents meanwhile: a second reference would make every change copy them.
            let transaction = Transaction(on: contents)
            contents = Contents()
            do {
                let value = try body(transaction)
                contents = transaction.committed()
                return .success(value)
            } catch {
                contents = transaction.rolledBack()
                return .failure(error as? EnergyError ?? EnergyError(.unavailable, "the transaction failed"))
            }
        }
        return try result.get()
    }

    public func records(
        inPartition partition: Int, after sequence: UInt64, countMax: Int, bytesMax: Int
    ) async throws(EnergyError) -> [StoredRecord] {
        try checkOpen()
        return contents.withLock { contents in
            guard contents.partitions.indices.contains(partition), countMax > 0 else { return [] }
            let records = contents.partitions[partition]
            guard sequence < UInt64(records.count) else { return [] }
            var (page, bytes) = ([StoredRecord](), 0)
            for record in records[Int(sequence)...].prefix(countMax) {
                bytes += record.payload.count
                if bytes > bytesMax && !page.isEmpty { break }
                page.append(record)
            }
            return page
        }
    }

    public func heads() async throws(EnergyError) -> [LogHead] {
        try checkOpen()
        return contents.withLock { contents in
            contents.partitions.enumerated().map { LogHead(partition: $0.offset, sequence: UInt64($0.element.count)) }
        }
    }

    public func close() throws(EnergyError) { isClosed.withLock { $0 = true } }

    private func checkOpen() throws(EnergyError) {
        if isClosed.withLock({ $0 }) { throw EnergyError(.unavailable, "the log is closed") }
    }
}

/// Keys as on disk: the venue first.
private struct VenueKey: Hashable {
    let venueID: UUID
    let id: UUID
}

private struct Contents {
    /// A record's sequence is its index plus one.
    var partitions = [[StoredRecord]](repeating: [], count: LogPartition.count)
    var sessions: [VenueKey: SessionProgress] = [:]
    var events: [VenueKey: UInt64] = [:]
}

/// Collects changes beside the contents, so that nothing has to be undone.
private final class Transaction: EventLogTransaction {
    private var base: Contents
    private var appended: [StoredRecord] = []
    private var sessions: [VenueKey: SessionProgress] = [:]
    private var events: [VenueKey: UInt64] = [:]

    init(on base: Contents) { self.base = base }

    func session(_ id: UUID, venueID: UUID) -> SessionProgress? {
        let key = VenueKey(venueID: venueID, id: id)
        return sessions[key] ?? base.sessions[key]
    }

    func knownEvents(_ ids: [UUID], venueID: UUID) -> [UUID: UInt64] {
        var known: [UUID: UInt64] = [:]
        for id in ids {
            let key = VenueKey(venueID: venueID, id: id)
            known[id] = events[key] ?? base.events[key]
        }
        return known
    }

    func append(_ draft: RecordDraft) throws -> UInt64 {
        let partition = LogPartition.of(venueID: draft.venueID)
        let before = base.partitions[partition].count + appended.count(where: { $0.partition == partition })
        let record = StoredRecord(
            partition: partition, sequence: UInt64(before) + 1, venueID: draft.venueID, received: draft.received,
            principal: draft.principal, payload: draft.payload)
        for event in draft.events {
            let key = VenueKey(venueID: draft.venueID, id: event.id)
            guard events[key] == nil, base.events[key] == nil else {
                throw EnergyError(.conflict, "the log has event \(event.id) already")
            }
            events[key] = event.digest
        }
        for session in draft.sessions { sessions[VenueKey(venueID: draft.venueID, id: session.id)] = session }
        appended.append(record)
        return record.sequence
    }

    func rolledBack() -> Contents {
        defer { base = Contents() }
        return base
    }

    func committed() -> Contents {
        for record in appended { base.partitions[record.partition].append(record) }
        base.sessions.merge(sessions) { _, new in new }
        base.events.merge(events) { _, new in new }
        return rolledBack()
    }
}
