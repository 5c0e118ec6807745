public import EnergyModel
public import EnergyStore
internal import Foundation
internal import SQLColumns

extension PostgreSQLGuidanceStore: GuidanceJournal {
    /// Of the schema, as one of its migrations. An entry is about a venue, or a contract, or a guidance, or the events of demand
    /// response.
    static let journalTables = [
        """
        CREATE TABLE journal_epoch (
            one BIGINT PRIMARY KEY CHECK (one = 1),
            publisher_id UUID,
            epoch BIGINT NOT NULL
        )
        """,
        "INSERT INTO journal_epoch (one, epoch) VALUES (1, 0)",
        """
        CREATE TABLE journal (
            epoch BIGINT NOT NULL,
            number BIGINT NOT NULL,
            written_ms BIGINT NOT NULL,
            kind TEXT NOT NULL,
            venue_id UUID,
            rate_plan_id TEXT,
            document BYTEA,
            venues BYTEA,
            PRIMARY KEY (epoch, number)
        )
        """,
    ]

    /// Of one answer: a guidance and its venues take at most some 250 KiB.
    private static let pageMax = 64
    /// Who follows has what it read before, and had better not wait long.
    private static let readTimeout = Duration.seconds(2)

    public func begin(now: Timestamp) async throws(EnergyError) -> JournalEpoch {
        let publisherID = UUID()
        return try await database.run(.readCommitted) { transaction in
            let begun = try transaction.query(
                """
                UPDATE journal_epoch SET publisher_id = COALESCE(publisher_id, $1), epoch = GREATEST(epoch + 1, $2)
                    WHERE one = 1 RETURNING publisher_id, epoch
                """, [publisherID, now])
            try transaction.send("DELETE FROM journal")
            guard let epoch = try begun.first.flatMap(Self.epoch) else { throw EnergyError.damaged("journal_epoch") }
            return epoch
        }
    }

    private static func epoch(_ row: PostgreSQLRow) throws -> JournalEpoch? {
        let number: Int64 = try row["epoch"]
        guard let id: UUID = try row["publisher_id"] else { return nil }
        return JournalEpoch(publisherID: id, number: UInt64(clamping: number))
    }

    public func append(_ entries: [NumberedEntry], at now: Timestamp) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            for entry in entries {
                try transaction.send(
                    """
                    INSERT INTO journal (epoch, number, written_ms, kind, venue_id, rate_plan_id, document, venues)
                        SELECT epoch, $1, $2, $3, $4, $5, $6, $7 FROM journal_epoch WHERE one = 1
                        ON CONFLICT (epoch, number) DO NOTHING
                    """, [Int64(clamping: entry.number), now] + Self.columns(of: entry.entry))
            }
        }
    }

    /// Kind, venue, rate plan, document, venues.
    private static func columns(of entry: JournalEntry) -> [(any PostgreSQLParameter)?] {
        switch entry {
        case .venue(let id): ["venue", id, nil, nil, nil]
        case .erasure(let id): ["erasure", id, nil, nil, nil]
        case .ratePlan(let id): ["rate plan", nil, id, nil, nil]
        case .demandResponse: ["demand response", nil, nil, nil, nil]
        case .guidance(let guidance):
            ["guidance", nil, nil, Data(guidance.document), PublishedVenue.encode(guidance.venues)]
        }
    }

    public func entries(after position: JournalPosition?) async throws(EnergyError) -> JournalPage? {
        try await database.run(.reading, timeout: Self.readTimeout) { transaction in
            let row = try transaction.query("SELECT publisher_id, epoch FROM journal_epoch WHERE one = 1").first
            guard let epoch = try row.flatMap(Self.epoch) else { return nil }
            let last = position?.epoch == epoch ? position?.number ?? 0 : 0
            let rows = try transaction.query(
                "SELECT * FROM journal WHERE epoch = $1 AND number > $2 ORDER BY number LIMIT $3",
                [Int64(clamping: epoch.number), Int64(clamping: last), Self.pageMax])
            return JournalPage(epoch: epoch, entries: try rows.map(Self.entry))
        }
    }

    private static func entry(_ row: PostgreSQLRow) throws -> NumberedEntry {
        let (number, kind): (Int64, String) = (try row["number"], try row["kind"])
        let entry: JournalEntry? =
            switch kind {
            case "venue": .venue(try row["venue_id"])
            case "erasure": .erasure(try row["venue_id"])
            case "rate plan": .ratePlan(try row["rate_plan_id"])
            case "demand response": .demandResponse
            case "guidance":
                try PublishedVenue.decode(row["venues"]).map { venues in
                    .guidance(PublishedGuidance(document: [UInt8](try row["document"] as Data), venues: venues))
                }
            default: nil
            }
        guard let entry else { throw EnergyError.damaged("journal") }
        return NumberedEntry(number: UInt64(clamping: number), entry: entry)
    }

    public func forgetEntries(before: Timestamp) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            try transaction.send("DELETE FROM journal WHERE written_ms < $1", [before])
        }
    }
}
