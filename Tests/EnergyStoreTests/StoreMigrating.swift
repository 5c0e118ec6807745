import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import PostgreSQLStore
import SQLiteStore
import StoreMigration
import Testing

/// Moves what is in the files of a folder of a test's own.
protocol StoreMigrating {
    var folder: TemporaryFolder { get }
}

extension StoreMigrating {
    static var now: Timestamp { EventSamples.now }

    func migrate(
        _ service: StoredService, to connection: String, from state: String? = nil,
        tell: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) async throws -> MigrationReport {
        try await SQLiteToPostgreSQL().migrate(
            service, state: state ?? folder.url.path, connection: connection, now: Self.now, tell: tell)
    }

    /// A file for each service, of one that has stored nothing.
    func makeFiles() throws {
        try SQLiteEventLogStore(path: folder.path("events.sqlite")).close()
        try SQLiteGuidanceStore(path: folder.path("guidance.sqlite")).close()
        try SQLiteInsightStore(path: folder.path("insights.sqlite")).close()
        try SQLiteScheduleStore(path: folder.path("schedules.sqlite")).close()
    }

    /// As the service does that starts.
    static func start(_ service: StoredService, on connection: String) async throws {
        switch service {
        case .eventIngestor: await (try PostgreSQLEventLogStore(connection)).close()
        case .guidancePublisher: await (try PostgreSQLGuidanceStore(connection)).close()
        case .insightService: await (try PostgreSQLInsightStore(connection)).close()
        case .scheduler: await (try PostgreSQLScheduleStore(connection)).close()
        }
    }

    static func draft(_ events: [Event], received: Timestamp = EventSamples.now) -> RecordDraft {
        RecordDraft(
            venueID: events[0].venueID, received: received, principal: "charger",
            payload: EventBatch(events: events).encoded(),
            events: events.map { EventMark(id: $0.id, digest: $0.digest) },
            sessions: [
                SessionProgress(
                    id: events[0].id, venueID: events[0].venueID, deviceID: "car-1", kind: .electricVehicle,
                    direction: .imported, began: events[0].timestamp, last: events[0].timestamp)
            ])
    }

    /// - Returns: the events of each record.
    func fill(_ log: SQLiteEventLogStore, records: Int, venues: UInt64 = 5) async throws -> [[Event]] {
        var batches: [[Event]] = []
        for number in 0..<records {
            let events = EventSamples.charge(
                venueID: EventSamples.id(UInt64(number) % venues + 1), actives: number % 40)
            batches.append(events)
            let draft = Self.draft(events)
            _ = try await log.write { try $0.append(draft) }
        }
        return batches
    }

    static func content(_ log: any EventLogStore) async throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        for partition in 0..<LogPartition.count { records += try await log.all(partition) }
        return records
    }

    static func digests(_ log: any EventLogStore, _ events: [Event]) async throws -> [UInt64?] {
        try await log.write { log in
            try events.map { try log.knownDigest(ofEvent: $0.id, venueID: $0.venueID) }
        }
    }

    /// As a service holds it that runs.
    static func lock(_ folder: TemporaryFolder) throws -> Int32 {
        let lock = open(folder.path("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock
    }
}
