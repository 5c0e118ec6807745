public import EnergyModel
public import EnergyStore
public import Foundation

/// A store that does what another does, except where it says otherwise.
public protocol ForwardingEventLogStore: EventLogStore {
    var inner: any EventLogStore { get }
}

extension ForwardingEventLogStore {
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EventLogTransaction) throws -> Value
    ) async throws(EnergyError) -> Value { try await inner.write(body) }

    public func records(
        inPartition partition: Int, after sequence: UInt64, countMax: Int, bytesMax: Int
    ) async throws(EnergyError) -> [StoredRecord] {
        try await inner.records(inPartition: partition, after: sequence, countMax: countMax, bytesMax: bytesMax)
    }

    public func tryWriting() async throws(EnergyError) { try await inner.tryWriting() }
    public func logID() async throws(EnergyError) -> UUID { try await inner.logID() }
    public func checksum(
        ofRecord sequence: UInt64, inPartition partition: Int
    ) async throws(EnergyError) -> UInt32? {
        try await inner.checksum(ofRecord: sequence, inPartition: partition)
    }
    public func heads() async throws(EnergyError) -> [LogHead] { try await inner.heads() }
    public func note(_ reader: LogReader) async throws(EnergyError) { try await inner.note(reader) }
    public func removeReader(_ name: String) async throws(EnergyError) -> Bool { try await inner.removeReader(name) }
    public func readers() async throws(EnergyError) -> [LogReader] { try await inner.readers() }

    public func removeRecords(
        _ policy: RetentionPolicy, now: Timestamp, countMax: Int
    ) async throws(EnergyError) -> Int { try await inner.removeRecords(policy, now: now, countMax: countMax) }

    public func abandonSessions(silentSince limit: Timestamp, countMax: Int) async throws(EnergyError) -> Int {
        try await inner.abandonSessions(silentSince: limit, countMax: countMax)
    }

    public func sessions(ofVenue venueID: UUID, countMax: Int) async throws(EnergyError) -> [SessionProgress] {
        try await inner.sessions(ofVenue: venueID, countMax: countMax)
    }

    public func backUp(to path: String) async throws(EnergyError) -> Int { try await inner.backUp(to: path) }
    public func replace(_ records: [ErasedRecord]) async throws(EnergyError) { try await inner.replace(records) }
    public func scrub() async throws(EnergyError) { try await inner.scrub() }
    public func close() async throws(EnergyError) { try await inner.close() }
}
