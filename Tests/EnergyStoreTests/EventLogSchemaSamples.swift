import EnergyStore
import Foundation
import GRDB

@testable import SQLiteStore

/// Files as earlier versions left them.
enum EventLogSchemaSamples {
    static func firstVersion(_ path: String, _ events: [EventMark], venueID: UUID) async throws {
        let queue = try DatabaseQueue(path: path)
        try EventLogSchema.migrator.migrate(queue, upTo: "1 event log")
        try await queue.write { connection in
            for event in events {
                try connection.execute(
                    sql: "INSERT INTO known_event (venue_id, id, digest, place) VALUES (?, ?, ?, 1)",
                    arguments: [venueID, event.id, Int64(bitPattern: event.digest)])
            }
        }
        try queue.close()
    }
}
