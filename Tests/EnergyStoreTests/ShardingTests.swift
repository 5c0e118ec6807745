import EnergyTestSupport
import Foundation
import PostgreSQLStore
import Testing

/// What deploy/README.md says of dividing tables, held against the tables that there are.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct ShardingTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../deploy/README.md").standardized

    /// As psql prints them, without headers.
    private func lines(_ sql: String, in connection: String) async throws -> Set<String> {
        Set(try await PostgreSQLServer.shared.value.sql(sql, in: connection).split(separator: "\n").map(String.init))
    }

    @Test func `every table that is to be divided by venue has it in its key, and every other that has it is known`()
        async throws
    {
        let statement = /create_distributed_table\('([a-z_.]+)', 'venue_id'\)/
        let divided = Set(
            try String(contentsOf: Self.page, encoding: .utf8).matches(of: statement).map { String($0.1) })
        try #require(!divided.isEmpty)
        try await PostgreSQLServer.withDatabase { connection in
            await (try PostgreSQLEventLogStore(connection)).close()
            await (try PostgreSQLGuidanceStore(connection)).close()
            await (try PostgreSQLInsightStore(connection)).close()
            await (try PostgreSQLScheduleStore(connection)).close()
            let keyed = try await lines(
                """
                SELECT n.nspname || '.' || c.relname FROM pg_index i
                JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'venue_id' AND a.attnum = ANY(i.indkey)
                WHERE i.indisprimary
                """, in: connection)
            // Each is looked for by something else than the venue too, or needs numbers of its own.
            let whole: Set = [
                "event_ingestor.known_event", "event_ingestor.known_venue", "event_ingestor.session",
                "guidance_publisher.venue_homes", "guidance_publisher.venue_numbers", "insight_service.repair",
            ]
            #expect(keyed == divided.union(whole))
            // What must be unique can only be so within a shard.
            let unique = try await lines(
                """
                SELECT n.nspname || '.' || c.relname FROM pg_index i
                JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'venue_id'
                WHERE i.indisunique AND NOT a.attnum = ANY(i.indkey)
                """, in: connection)
            #expect(unique.isDisjoint(with: divided))
        }
    }

    @Test func `what a partition has is found without reading what others have`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            await (try PostgreSQLScheduleStore(connection)).close()
            for table in ["device", "goal", "absence", "schedule_block", "venue_setup"] {
                // Of a table without rows it would read everything.
                let plan = try await lines(
                    """
                    SET enable_seqscan = off;
                    EXPLAIN SELECT * FROM scheduler.\(table) WHERE right(CAST(venue_id AS TEXT), 2) = ANY(ARRAY['07'])
                    """, in: connection)
                #expect(plan.contains { $0.contains("\(table)_partition") }, "\(plan)")
            }
        }
    }
}
