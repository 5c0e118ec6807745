import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GRDB
import SQLiteStore
import Testing

/// What the services store in files, a little at a time.
enum StoredContent {
    /// Stores one thing more, and closes the file.
    ///
    /// - Parameter number: 1 for the first thing, 2 for the next.
    static func add(_ number: UInt64, to service: StoredService, in folder: String) async throws {
        let path = "\(folder)/\(service.sqliteFile)"
        switch service {
        case .guidancePublisher:
            let store = try SQLiteGuidanceStore(path: path)
            try await store.putVenue(GuidanceStoreConformance.venue("Home \(number)"))
            try store.close()
        case .eventIngestor:
            let store = try SQLiteEventLogStore(path: path)
            try await append([draft([UInt8](repeating: UInt8(number), count: 300))], to: store)
            try store.close()
        case .insightService:
            let store = try SQLiteInsightStore(path: path)
            _ = try await store.apply(effects(number))
            try store.close()
        case .scheduler:
            let store = try SQLiteScheduleStore(path: path)
            var random = SplitMix64(seed: number)
            try await store.save(
                [DeviceRecord.random(using: &random)], positions: [LogHead(partition: 1, sequence: number)])
            try store.close()
        }
    }

    static func append(_ drafts: [RecordDraft], to store: SQLiteEventLogStore) async throws {
        try await store.write { log in
            for draft in drafts { _ = try log.append(draft) }
        }
    }

    static func draft(_ payload: [UInt8]) -> RecordDraft {
        RecordDraft(
            venueID: EventSamples.venueID, received: EventSamples.now, principal: "local", payload: payload,
            events: [EventMark(id: UUID(), digest: 1)], sessions: [])
    }

    private static func effects(_ number: UInt64) -> InsightEffects {
        let session = CountedSession(
            key: SessionKey(venueID: EventSamples.venueID, sessionID: EventSamples.id(number)),
            series: InsightSeries(
                venueID: EventSamples.venueID, deviceID: "car-1", kind: .electricVehicle, direction: .imported),
            began: EventSamples.now, timestamp: EventSamples.now, energy: Energy(milliwattHours: Int64(number)),
            powerMilliwatts: nil, isRunning: false, isOver: true)
        return InsightEffects(partition: 1, after: number - 1, through: number, sessions: [session.key: session])
    }

    /// Every row of every table, but which log it is. Of a file that nobody has open.
    static func rows(_ path: String) throws -> [String: [Row]] {
        let database = try DatabaseQueue(path: path)
        defer { try? database.close() }
        return try database.inDatabase { connection in
            let tables = try String.fetchAll(
                connection,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'log_identity'
                    """)
            return try tables.reduce(into: [String: [Row]]()) { rows, table in
                rows[table] = try Row.fetchAll(connection, sql: "SELECT * FROM \"\(table)\"")
            }
        }
    }

    /// As a service holds it that runs.
    ///
    /// - Returns: to be closed.
    static func lock(_ folder: String) throws -> Int32 {
        let lock = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock
    }

    /// Makes a database one of a version that is not written yet.
    static func makeNewer(_ path: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.inDatabase { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 later')") }
        try database.close()
    }
}
