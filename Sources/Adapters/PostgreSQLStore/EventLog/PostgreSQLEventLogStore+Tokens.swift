public import EnergyModel
public import EnergyStore
public import Foundation
internal import SQLColumns

/// Known tokens lie beside the log, so that replicas share them.
extension PostgreSQLEventLogStore: KnownTokenStore {
    /// The newest are kept.
    static let knownTokensMax = 20_000

    public func knownToken(_ token: UUID) async throws(EnergyError) -> ResolvedToken? {
        try await database.read { transaction in
            guard let row = try transaction.query("SELECT * FROM known_token WHERE token = $1", [token]).first,
                let action = SuggestedAction(rawValue: try row["action"])
            else { return nil }
            return ResolvedToken(
                token: token, venueID: try row["venue_id"], action: action,
                issued: Timestamp(unixMilliseconds: try row["issued_ms"]),
                principals: try JSONDecoder().decode([String].self, from: Data((try row["principals"] as String).utf8)))
        }
    }

    public func remember(_ token: ResolvedToken) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            let principals = String(decoding: try JSONEncoder().encode(token.principals), as: UTF8.self)
            try transaction.send(
                """
                INSERT INTO known_token (token, venue_id, action, issued_ms, principals) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (token) DO UPDATE SET
                    venue_id = excluded.venue_id, action = excluded.action, issued_ms = excluded.issued_ms,
                    principals = excluded.principals
                """,
                [token.token, token.venueID, token.action.rawValue, token.issued.unixMilliseconds, principals])
            try transaction.send(
                """
                DELETE FROM known_token WHERE issued_ms <
                    (SELECT issued_ms FROM known_token ORDER BY issued_ms DESC LIMIT 1 OFFSET $1)
                """,
                [Self.knownTokensMax - 1])
        }
    }

    public func isKnownVenue(_ id: UUID) async throws(EnergyError) -> Bool {
        try await database.read { transaction in
            let row = try transaction.query(
                """
                SELECT EXISTS (SELECT 1 FROM known_venue WHERE venue_id = $1)
                    OR EXISTS (SELECT 1 FROM session WHERE venue_id = $1) AS known
                """,
                [id]
            ).first
            return try row?["known"] ?? false
        }
    }

    public func remember(venue id: UUID, exists: Bool) async throws(EnergyError) {
        let isRemembered = try await database.read {
            try !$0.query("SELECT 1 FROM known_venue WHERE venue_id = $1", [id]).isEmpty
        }
        // Venues that nobody has ever heard of are asked for at will: they must not cost a write.
        guard isRemembered != exists else { return }
        try await database.run(.readCommitted) { transaction in
            try transaction.send(
                exists
                    ? "INSERT INTO known_venue (venue_id) VALUES ($1) ON CONFLICT DO NOTHING"
                    : "DELETE FROM known_venue WHERE venue_id = $1",
                [id])
        }
    }
}
