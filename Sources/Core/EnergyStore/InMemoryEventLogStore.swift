public import EnergyModel
public import Foundation
internal import Synchronization

/// An event log that lasts as long as the process: for tests and trials.
public final class InMemoryEventLogStore: EventLogStore {
    private let contents = Mutex(Contents())
    private let isClosed = Mutex(false)
    private let id: UUID

    public init(id: UUID = UUID()) { self.id = id }

    public func tryWriting() async throws(EnergyError) { try checkOpen() }

    public func logID() async throws(EnergyError) -> UUID {
        try checkOpen()
        return id
    }

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
            let removed = contents.removed[partition]
            guard sequence < UInt64(removed + records.count) else { return [] }
            var (page, bytes) = ([StoredRecord](), 0)
            for record in records[max(0, Int(sequence) - removed)...].prefix(countMax) {
                bytes += record.payload.count
                if bytes > bytesMax && !page.isEmpty { break }
                page.append(record)
            }
            return page
        }
    }

    public func checksum(
        ofRecord sequence: UInt64, inPartition partition: Int
    ) async throws(EnergyError) -> UInt32? {
        guard sequence > 0 else { return nil }
        let page = try await records(inPartition: partition, after: sequence - 1, countMax: 1, bytesMax: 0)
        return page.first { $0.sequence == sequence }?.checksum
    }

    public func heads() async throws(EnergyError) -> [LogHead] {
        try checkOpen()
        return contents.withLock { contents in
            contents.partitions.indices.map { partition in
                let removed = contents.removed[partition]
                return LogHead(
                    partition: partition, sequence: UInt64(removed + contents.partitions[partition].count),
                    removedSequence: UInt64(removed), checksum: contents.partitions[partition].last?.checksum)
            }
        }
    }

    public func note(_ reader: LogReader) async throws(EnergyError) {
        try checkOpen()
        let isNoted = contents.withLock { contents in
            let names = Set(contents.readers.map(\.name))
            guard names.contains(reader.name) || names.count < LogReader.countMax else { return false }
            contents.readers.removeAll { ($0.name, $0.partition) == (reader.name, reader.partition) }
            contents.readers.append(reader)
            return true
        }
        if !isNoted { throw .tooManyLogReaders }
    }

    public func readers() async throws(EnergyError) -> [LogReader] {
        try checkOpen()
        return contents.withLock { $0.readers.sorted { ($0.name, $0.partition) < ($1.name, $1.partition) } }
    }

    public func removeReader(_ name: String) async throws(EnergyError) -> Bool {
        try checkOpen()
        return contents.withLock { contents in
            let before = contents.readers.count
            contents.readers.removeAll { $0.name == name }
            return contents.readers.count < before
        }
    }

    public func removeRecords(
        _ policy: RetentionPolicy, now: Timestamp, countMax: Int
    ) async throws(EnergyError) -> Int {
        try checkOpen()
        return contents.withLock { contents in
            var removed = 0
            while removed < countMax, contents.removeOldest(policy, now: now) { removed += 1 }
            return removed
        }
    }

    public func abandonSessions(silentSince limit: Timestamp, countMax: Int) async throws(EnergyError) -> Int {
        try checkOpen()
        return contents.withLock { contents in
            let silent = contents.sessions.filter {
                !$0.value.isEnded && !$0.value.isAbandoned && $0.value.last < limit
            }.keys.prefix(countMax)
            for key in silent { contents.sessions[key]?.isAbandoned = true }
            return silent.count
        }
    }

    public func sessions(ofVenue venueID: UUID, countMax: Int) async throws(EnergyError) -> [SessionProgress] {
        try checkOpen()
        return contents.withLock { contents in
            let sessions = contents.sessions.values.filter { $0.venueID == venueID }
            return Array(
                sessions.sorted { ($1.last, $0.id.uuidString) < ($0.last, $1.id.uuidString) }.prefix(countMax))
        }
    }

    public func backUp(to path: String) async throws(EnergyError) -> Int {
        throw EnergyError(.unavailable, "a log in memory has no file")
    }

    public func replace(_ records: [ErasedRecord]) async throws(EnergyError) {
        try checkOpen()
        let isDone = contents.withLock { contents in records.allSatisfy { contents.replace($0) } }
        if !isDone { throw EnergyError(.conflict, "the log has no such record") }
    }

    public func scrub() async throws(EnergyError) {}

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
    /// A record's sequence is its index plus one plus what was removed before it.
    var partitions = [[StoredRecord]](repeating: [], count: LogPartition.count)
    var removed = [Int](repeating: 0, count: LogPartition.count)
    var readers: [LogReader] = []
    var sessions: [VenueKey: SessionProgress] = [:]
    var events: [VenueKey: UInt64] = [:]

    mutating func replace(_ erased: ErasedRecord) -> Bool {
        let record = erased.record
        let index = Int(clamping: record.sequence) - 1 - removed[record.partition]
        guard partitions[record.partition].indices.contains(index),
            partitions[record.partition][index].checksum == record.checksum
        else { return false }
        partitions[record.partition][index] = record
        for id in erased.events { events[VenueKey(venueID: record.venueID, id: id)] = nil }
        return true
    }

    mutating func removeOldest(_ policy: RetentionPolicy, now: Timestamp) -> Bool {
        let patience = now.advanced(byMilliseconds: -LogReader.patienceMilliseconds)
        let living = readers.heard(since: patience)
        let bytes = partitions.joined().reduce(0) { $0 + Int64($1.payload.count) }
        let isTooLarge = policy.bytesMax.map { bytes > $0 } ?? false
        let oldest = partitions.compactMap(\.first).filter { record in
            record.sequence <= readers.handled(inPartition: record.partition)
                || isTooLarge && record.received < patience
                    && record.sequence <= living.handled(inPartition: record.partition)
        }.min { $0.received < $1.received }
        guard let oldest else { return false }
        let age = now.unixMilliseconds - oldest.received.unixMilliseconds
        guard isTooLarge || policy.ageMaxMilliseconds.map({ age > $0 }) ?? false else { return false }
        partitions[oldest.partition].removeFirst()
        removed[oldest.partition] += 1
        return true
    }
}

/// Collects changes beside the contents, so that nothing has to be undone.
private final class Transaction: EventLogTransaction {
    private var base: Contents
    private var appended: [StoredRecord] = []
    private var sessions: [VenueKey: SessionProgress] = [:]
    private var events: [VenueKey: UInt64] = [:]
    private var forgotten: [VenueKey] = []

    init(on base: Contents) { self.base = base }

    func session(_ id: UUID, venueID: UUID) -> SessionProgress? {
        let key = VenueKey(venueID: venueID, id: id)
        return sessions[key] ?? base.sessions[key]
    }

    func knownDigest(ofEvent id: UUID, venueID: UUID) -> UInt64? {
        let key = VenueKey(venueID: venueID, id: id)
        return events[key] ?? base.events[key]
    }

    func append(_ draft: RecordDraft) throws -> UInt64 {
        let partition = LogPartition.of(venueID: draft.venueID)
        let before =
            base.removed[partition] + base.partitions[partition].count
            + appended.count(where: { $0.partition == partition })
        let record = StoredRecord(
            partition: partition, sequence: UInt64(before) + 1, venueID: draft.venueID, received: draft.received,
            principal: draft.principal, payload: draft.payload, erasure: draft.erasure)
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

    func forget(_ subject: DataSubject) -> [ErasedCount] {
        let known = base.sessions.filter {
            $0.key.venueID == subject.venueID && subject.covers(deviceID: $0.value.deviceID)
        }.keys
        forgotten += known
        return [ErasedCount(kind: "session", count: known.count)]
    }

    func rolledBack() -> Contents {
        defer { base = Contents() }
        return base
    }

    func committed() -> Contents {
        for record in appended { base.partitions[record.partition].append(record) }
        for key in forgotten { base.sessions[key] = nil }
        base.sessions.merge(sessions) { _, new in new }
        base.events.merge(events) { _, new in new }
        return rolledBack()
    }
}
