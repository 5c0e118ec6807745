import ServiceRuntime
import Testing

struct StoreKeysTests {
    private let key = StoreKeys.postgreSQL(replicas: .work)

    private func value(_ text: String) throws -> String? {
        let definition = ServiceDefinition(
            .eventIngestor, summary: "keeps the log", services: ["energy.v1.Events"], peers: [], keys: [key.declaration]
        )
        return try definition.loader.load(arguments: ["--store-postgresql", text], environment: [:])[key]
    }

    @Test(arguments: ["foo", "127.0.0.1:5432/gridtide", "http://db1/gridtide", "POSTGRESQL://db1/gridtide"])
    func `what is no connection string is refused, and nothing is stored elsewhere`(text: String) {
        #expect(throws: ConfigurationError.self) { try value(text) }
    }

    @Test(arguments: ["postgresql://db1/gridtide", "postgres://db1,db2/gridtide", "host=db1 dbname=gridtide"])
    func `a connection string is taken as it is`(text: String) throws { #expect(try value(text) == text) }

    @Test(arguments: ["", "none"]) func `without one it is SQLite`(text: String) throws {
        #expect(try value(text) == nil)
    }
}
