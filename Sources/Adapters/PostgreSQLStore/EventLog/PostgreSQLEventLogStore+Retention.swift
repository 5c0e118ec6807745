public import EnergyModel
public import EnergyStore
internal import Foundation
internal import SQLColumns

extension PostgreSQLEventLogStore {
    /// Of one transaction.
    private static let forgottenPerStep = 10_000

    public func note(_ reader: LogReader) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            try Self.lockReaders(transaction)
            let names = try transaction.query("SELECT DISTINCT name FROM log_reader WHERE name <> $1", [reader.name])
            guard names.count < LogReader.countMax else { throw EnergyError.tooManyLogReaders }
            try transaction.send(
                """
                INSERT INTO log_reader (partition, name, sequence, seen_ms) VALUES ($1, $2, $3, $4)
                ON CONFLICT (partition, name) DO UPDATE SET sequence = excluded.sequence, seen_ms = excluded.seen_ms
                """,
                [reader.partition, reader.name, Int64(clamping: reader.sequence), reader.seen.unixMilliseconds])
        }
    }

    public func readers() async throws(EnergyError) -> [LogReader] {
        try await database.read { try Self.readers($0) }
    }

    public func removeReader(_ name: String) async throws(EnergyError) -> Bool {
        try await database.run(.readCommitted) { transaction in
            try Self.lockReaders(transaction)
            return try transaction.execute("DELETE FROM log_reader WHERE name = $1", [name]) > 0
        }
    }

    public func removeRecords(
        _ policy: RetentionPolicy, now: Timestamp, countMax: Int
    ) async throws(EnergyError) -> Int {
        try await forgetEvents(receivedBefore: now.advanced(byMilliseconds: -EventMark.knownMilliseconds))
        guard policy != RetentionPolicy() else { return 0 }
        return try await database.run(.readCommitted) { transaction in
            // Who notes himself now waits, and then finds out what is gone.
            try Self.lockReaders(transaction)
            let heads = try transaction.query("SELECT * FROM log_head ORDER BY partition FOR UPDATE")
            let readers = try Self.readers(transaction)
            let removals = policy.removals(
                of: try Self.oldest(upTo: readers.living(at: now), countMax: countMax, transaction),
                bytes: try heads.reduce(0) { $0 + (try $1["payload_bytes"] as Int64) }, readers: readers, now: now,
                countMax: countMax)
            for removal in removals { try Self.send(removal, transaction) }
            return removals.reduce(0) { $0 + $1.count }
        }
    }

    /// One row stands for all readers: nobody is added between a look at them and what follows from it.
    private static func lockReaders(_ transaction: PostgreSQLTransaction) throws {
        try transaction.send("SELECT one FROM log_identity FOR UPDATE")
    }

    private static func readers(_ transaction: PostgreSQLTransaction) throws -> [LogReader] {
        try transaction.query("SELECT * FROM log_reader ORDER BY name, partition").map { row in
            LogReader(
                name: try row["name"], partition: try row["partition"],
                sequence: UInt64(clamping: try row["sequence"] as Int64),
                seen: Timestamp(unixMilliseconds: try row["seen_ms"]))
        }
    }

    private static func oldest(
        upTo readers: [LogReader], countMax: Int, _ transaction: PostgreSQLTransaction
    ) throws -> [OldRecord] {
        let partitions = Array(0..<LogPartition.count)
        return try transaction.query(
            """
            SELECT old.partition, old.sequence, received_ms, octet_length(payload) AS bytes
            FROM unnest($1::bigint[], $2::bigint[]) AS handled (partition, sequence), LATERAL (
                SELECT * FROM log_record WHERE partition = handled.partition AND sequence <= handled.sequence
                ORDER BY sequence LIMIT $3
            ) AS old
            """,
            [partitions, partitions.map { Int64(clamping: readers.handled(inPartition: $0)) }, countMax]
        ).map { row in
            OldRecord(
                partition: try row["partition"], sequence: UInt64(clamping: try row["sequence"] as Int64),
                received: Timestamp(unixMilliseconds: try row["received_ms"]), bytes: try row["bytes"])
        }
    }

    private static func send(_ removal: RecordRemoval, _ transaction: PostgreSQLTransaction) throws {
        let last = Int64(clamping: removal.lastSequence)
        try transaction.send(
            "DELETE FROM log_record WHERE partition = $1 AND sequence <= $2", [removal.partition, last])
        try transaction.send(
            """
            UPDATE log_head SET removed_sequence = $2, payload_bytes = greatest(0, payload_bytes - $3)
            WHERE partition = $1
            """,
            [removal.partition, last, removal.bytes])
    }

    private func forgetEvents(receivedBefore limit: Timestamp) async throws(EnergyError) {
        var count = Self.forgottenPerStep
        while count == Self.forgottenPerStep, !Task.isCancelled {
            count = try await database.run(.readCommitted) { transaction in
                try transaction.execute(
                    """
                    WITH old AS (
                        SELECT venue_id, id FROM known_event WHERE received_ms < $1 ORDER BY received_ms LIMIT $2
                        FOR UPDATE SKIP LOCKED
                    )
                    DELETE FROM known_event USING old
                    WHERE known_event.venue_id = old.venue_id AND known_event.id = old.id
                    """,
                    [limit.unixMilliseconds, Self.forgottenPerStep])
            }
        }
    }

    public func abandonSessions(silentSince limit: Timestamp, countMax: Int) async throws(EnergyError) -> Int {
        try await database.run(.readCommitted) { transaction in
            // One that is locked is being written to.
            try transaction.execute(
                """
                WITH silent AS (
                    SELECT venue_id, id FROM session WHERE is_ended = 0 AND is_abandoned = 0 AND last_ms < $1 LIMIT $2
                    FOR UPDATE SKIP LOCKED
                )
                UPDATE session SET is_abandoned = 1 FROM silent
                WHERE session.venue_id = silent.venue_id AND session.id = silent.id
                """,
                [limit.unixMilliseconds, countMax])
        }
    }
}
