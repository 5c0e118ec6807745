import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@testable import PostgreSQLStore

/// Connections that the wire shall not read.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLEncryptionTests {
    private static let schema = PostgreSQLSchema("encrypted", migrations: [])

    @Test func `a server's certificate is checked, and its traffic encrypted`() async throws {
        let server = try await PostgreSQLServer(encrypted: true)
        let verified =
            server.connection("postgres") + "?sslmode=verify-full&sslrootcert=" + server.folder.path("server.crt")
        let database = try await PostgreSQLDatabase(verified, schema: Self.schema)
        let used = try await database.read { transaction in
            try transaction.query("SELECT 1 FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl").count
        }
        #expect(used == 1)
        await database.close()
        // Another certificate than the one that it has.
        let stranger = try await PostgreSQLServer(encrypted: true)
        let wrong =
            server.connection("postgres") + "?sslmode=verify-full&sslrootcert=" + stranger.folder.path("server.crt")
        let error = await #expect(throws: EnergyError.self) {
            _ = try await PostgreSQLDatabase(wrong, schema: Self.schema)
        }
        #expect(error?.message.contains("certificate verify failed") == true)
        try await stranger.stop()
        try await server.stop()
    }

    @Test func `a server without encryption is refused where it is required`() async throws {
        let plain = try await PostgreSQLServer.shared.value.connection("postgres") + "?sslmode=require"
        let error = await #expect(throws: EnergyError.self) {
            _ = try await PostgreSQLDatabase(plain, schema: Self.schema)
        }
        #expect(error?.message.contains("server does not support SSL") == true)
    }
}
