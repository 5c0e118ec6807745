import EnergyTestSupport
import Foundation
import SQLColumns
import Testing

@testable import PostgreSQLStore

/// How values go to the server and come back.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLValueTests {
    private static let schema = PostgreSQLSchema(
        "shapes",
        migrations: [
            [
                """
                CREATE TABLE shape (id BIGINT PRIMARY KEY, number BIGINT, small SMALLINT, middle INTEGER, truth BOOLEAN,
                    real DOUBLE PRECISION, words TEXT, raw BYTEA, name UUID)
                """
            ]
        ])

    @Test func `values of every type come back as they were, and NULL too`() async throws {
        let database = try await PostgreSQLDatabase(PostgreSQLServer.shared.value.database(), schema: Self.schema)
        let columns = ["number", "small", "middle", "truth", "real", "words", "raw", "name"]
        let rows: [[ColumnValue]] = [
            [
                .integer(.min), .integer(-32_768), .integer(-5), .integer(1), .real(-0.1), .text(""), .bytes(Data()),
                .uuid(UUID()),
            ],
            [
                .integer(.max), .integer(7), .integer(2_147_483_647), .integer(0), .real(.infinity),
                .text("a \"quoted\" 'ÄÖ€😀'; DROP TABLE"), .bytes(Data([0, 255, 0, 39])), .uuid(UUID()),
            ],
            columns.map { _ in .null },
        ]
        try await database.write { transaction in
            for (id, row) in rows.enumerated() {
                try transaction.send("INSERT INTO shape VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", [id] + row)
            }
        }
        let found = try await database.read { transaction in
            try transaction.query("SELECT * FROM shape ORDER BY id").map { row in
                try columns.map { try row.value(in: $0) }
            }
        }
        #expect(found == rows)
        await database.close()
    }

    @Test func `arrays go out as one value`() async throws {
        let database = try await PostgreSQLDatabase(PostgreSQLServer.shared.value.database(), schema: Self.schema)
        let (ids, words) = ([Int64](0..<5_000), (0..<5_000).map { "word \($0)" })
        let count = try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO shape (id, words) SELECT * FROM unnest($1::bigint[], $2::text[])", [ids, words])
        }
        #expect(count == 5_000)
        let found = try await database.read { transaction in
            try transaction.query("SELECT words FROM shape ORDER BY id").map { try $0["words"] as String }
        }
        #expect(found == words)
        await database.close()
    }

    @Test func `more is sent than either side holds at once`() async throws {
        let database = try await PostgreSQLDatabase(PostgreSQLServer.shared.value.database(), schema: Self.schema)
        let text = String(repeating: "x", count: 10_000)
        let answers = try await database.write { transaction in
            for id in 0..<2_500 { try transaction.send("INSERT INTO shape (id, words) VALUES ($1, $2)", [id, text]) }
            for id in 0..<2_500 { try transaction.send("SELECT words FROM shape WHERE id = $1", [id]) }
            return try transaction.answers().map { try $0.map { try $0["words"] as String } }
        }
        #expect(answers.count == 5_000)
        #expect(answers.suffix(2_500).allSatisfy { $0 == [text] })
        await database.close()
    }
}
