internal import EnergyModel
internal import EnergyStore
internal import SQLColumns

/// How the rows of a ``StoredTable`` are read from the file of a service. Where nothing else is said, a table of the same name
/// has columns of the same names.
struct SourceQuery {
    /// Run before the first page.
    var preparation: [String] = []
    /// What stands after `FROM`.
    var from: String?
    /// What stands for a column, by its name.
    var columns: [String: String] = [:]
    var condition: String?
    /// The key in an order that the file has an index for; of equal meaning to the table's own.
    var order: String?
    /// What is true for those of the rows that are behind the key of `?1`, `?2` and so on.
    var after: String?

    /// The values are called `c0`, `c1` and so on, in the table's order: another name would be what is ordered by.
    ///
    /// - Parameters: the key of the last row, if there was one, as `?1`, `?2` and so on, and then the number of rows.
    func sql(_ table: StoredTable, isFirst: Bool) -> String {
        let values = table.columns.enumerated().map { index, column in
            let value = columns[column.name] ?? column.name
            // All of a text's bytes: SQLite's text may hold what is none.
            return "\(column.kind == .text ? "CAST(\(value) AS BLOB)" : value) AS c\(index)"
        }
        let key = table.key.map { columns[$0.name] ?? $0.name }.joined(separator: ", ")
        let marks = (1...table.keyCount).map { "?\($0)" }.joined(separator: ", ")
        let behind = isFirst ? [condition] : after.map { [$0] } ?? [condition, "(\(key)) > (\(marks))"]
        let conditions = behind.compactMap(\.self)
        return "SELECT \(values.joined(separator: ", ")) FROM \(from ?? table.name)"
            + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
            + " ORDER BY \(order ?? key) LIMIT ?\(isFirst ? 1 : table.keyCount + 1)"
    }

    func countSQL(_ table: StoredTable) -> String {
        "SELECT count(*) FROM \(from ?? table.name)" + (condition.map { " WHERE \($0)" } ?? "")
    }
}

extension StoredService {
    func sourceQuery(of table: StoredTable) -> SourceQuery {
        switch self {
        case .eventIngestor: Self.eventLog[table.name] ?? SourceQuery()
        case .guidancePublisher: Self.guidance[table.name] ?? SourceQuery()
        case .insightService: Self.insights[table.name] ?? SourceQuery()
        case .scheduler: SourceQuery()
        }
    }

    private static let guidance = [
        "venue_numbering": SourceQuery(
            from: """
                (SELECT 1 AS one, coalesce(max(seq), 0) AS last_number FROM sqlite_sequence
                    WHERE name = 'venue_numbers')
                """)
    ]

    private static let eventLog = [
        "log_record": SourceQuery(
            columns: [
                "partition": "place >> 48", "sequence": "place & \(LogPlace.sequenceMax)",
                "payload": "\(PlainPayload.name)(payload, plain_bytes)",
                // Of no writer's that is still waiting for word of it.
                "receipt": "zeroblob(16)",
            ], order: "place", after: "place > (?1 << 48 | ?2)"),
        // There all partitions have a head from the beginning, and sizes are those of plain payloads.
        "log_head": SourceQuery(
            from: """
                (WITH RECURSIVE every(partition) AS (
                    SELECT 0 UNION ALL SELECT partition + 1 FROM every WHERE partition < \(LogPartition.count - 1))
                SELECT partition, coalesce(sequence, 0) AS sequence,
                    coalesce(removed_sequence, 0) AS removed_sequence,
                    (SELECT coalesce(sum(coalesce(plain_bytes, length(payload))), 0) FROM log_record
                        WHERE place BETWEEN partition << 48 AND partition << 48 | \(LogPlace.sequenceMax)
                    ) AS payload_bytes
                FROM every LEFT JOIN log_head USING (partition))
                """),
    ]

    /// One generation answers; what another one has of a rebuild that is not finished is made anew.
    private static let isServing = "generation = (SELECT generation FROM projection)"
    /// So that a page is found by what it is behind, through an index that begins with the generation.
    private static let isServingBehind = "generation <= (SELECT generation FROM projection)"
    private static let seriesKey = "generation, venue_id, device_id, kind, direction"

    private static let insights = [
        "projection": SourceQuery(columns: ["one": "1"], after: "false"),
        "position": SourceQuery(condition: isServing),
        "series": SourceQuery(condition: isServing),
        "day": days(of: "day"),
        "quarters": days(of: "quarters"),
        "status": SourceQuery(
            condition: isServing, order: "generation, venue_id, time_unix_ms, event_id",
            after: "\(isServingBehind) AND (generation, venue_id, time_unix_ms, event_id) > (?2, ?1, ?3, ?4)"),
        // In the file they are in the order of their ids alone.
        "session": SourceQuery(
            preparation: [
                "DROP TABLE IF EXISTS temp.ordered",
                """
                CREATE TEMP TABLE ordered (venue_id, generation, session_id, series_id,
                    PRIMARY KEY (venue_id, generation, session_id)) WITHOUT ROWID
                """,
                """
                INSERT INTO temp.ordered SELECT venue_id, generation, session_id, series_id
                    FROM session JOIN series ON series.id = series_id WHERE \(isServing)
                """,
            ],
            from: """
                temp.ordered CROSS JOIN session USING (session_id, series_id)
                CROSS JOIN (SELECT id, device_id, kind, direction FROM series) AS series ON series.id = series_id
                """),
    ]

    /// Of a series the days follow each other: ``DayRows``.
    private static func days(of table: String) -> SourceQuery {
        let bits = DayRows.dayBits
        return SourceQuery(
            from: """
                series CROSS JOIN \(table) AS packed
                    ON packed.id BETWEEN series.id << \(bits) AND series.id << \(bits) | \((1 << bits) - 1)
                """,
            columns: ["day": "packed.id & \((1 << bits) - 1)"], condition: isServing,
            order: "\(seriesKey), packed.id",
            after: """
                \(isServingBehind) AND (\(seriesKey)) >= (?2, ?1, ?3, ?4, ?5)
                    AND (\(seriesKey), packed.id & \((1 << bits) - 1)) > (?2, ?1, ?3, ?4, ?5, ?6)
                """)
    }
}
