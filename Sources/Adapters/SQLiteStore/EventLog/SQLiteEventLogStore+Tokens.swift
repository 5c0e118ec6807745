public import EnergyModel
public import EnergyStore
public import Foundation
internal import GRDB

/// Known tokens lie in the log's file, so that they are as old as the log and go with it into a backup.
extension SQLiteEventLogStore: KnownTokenStore {
    /// The newest are kept.
    static let knownTokensMax = 20_000

    public func knownToken(_ token: UUID) async throws(EnergyError) -> ResolvedToken? {
        try await database.read { connection in
            let row = try Row.fetchOne(
                connection, sql: "SELECT venue_id, action, issued_ms, principals FROM known_token WHERE token = ?",
                arguments: [token])
            guard let row, let action = SuggestedAction(rawValue: row[1]) else { return nil }
            let principals = try JSONDecoder().decode([String].self, from: Data((row[3] as String).utf8))
            return ResolvedToken(
                token: token, venueID: row[0], action: action, issued: Timestamp(unixMilliseconds: row[2]),
                principals: principals)
        }
    }

    public func isKnownVenue(_ id: UUID) async throws(EnergyError) -> Bool {
        try await database.read { connection in
            try Bool.fetchOne(
                connection,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM known_venue WHERE venue_id = ?)
                        OR EXISTS (SELECT 1 FROM session WHERE venue_id = ?)
                    """,
                arguments: [id, id]) ?? false
        }
    }

    public func remember(venue id: UUID, exists: Bool) async throws(EnergyError) {
        let isRemembered = try await database.read { connection in
            try Bool.fetchOne(
                connection, sql: "SELECT EXISTS (SELECT 1 FROM known_venue WHERE venue_id = ?)", arguments: [id])
                ?? false
        }
        // Venues that nobody has ever heard of are asked for at will: they must not cost a write.
        guard isRemembered != exists else { return }
        try await database.write { connection in
            try connection.execute(
                sql: exists
                    ? "INSERT OR IGNORE INTO known_venue (venue_id) VALUES (?)"
                    : "DELETE FROM known_venue WHERE venue_id = ?",
                arguments: [id])
        }
    }

    public func remember(_ token: ResolvedToken) async throws(EnergyError) {
        try await database.write { connection in
            let principals = String(decoding: try JSONEncoder().encode(token.principals), as: UTF8.self)
            try connection.execute(
                sql: """
                    INSERT OR REPLACE INTO known_token (token, venue_id, action, issued_ms, principals)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    token.token, token.venueID, token.action.rawValue, token.issued.unixMilliseconds, principals,
                ])
            try connection.execute(
                sql: """
                    DELETE FROM known_token WHERE issued_ms <
                        (SELECT issued_ms FROM known_token ORDER BY issued_ms DESC LIMIT 1 OFFSET ?)
                    """,
                arguments: [Self.knownTokensMax - 1])
        }
    }
}
