import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GRDB
import LZ4
import Testing

@testable import SQLiteStore

/// What lies on disk of a record's payload.
struct StoredPayloadTests {
    private func append(_ payload: [UInt8], to store: SQLiteEventLogStore) async throws {
        _ = try await store.write { log in
            try log.append(
                RecordDraft(
                    venueID: EventSamples.venueID, received: EventSamples.now, principal: "local", payload: payload,
                    events: [], sessions: []))
        }
    }

    private func payloads(of store: SQLiteEventLogStore) async throws -> [[UInt8]] {
        try await store.records(inPartition: 1, after: 0, countMax: 100, bytesMax: .max).map(\.payload)
    }

    @Test func `what repeats itself is stored smaller, and read as it was`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        var random = SplitMix64(seed: 3)
        let repeating = (0..<100).flatMap { _ in Array("the same device, the same session ".utf8) + random.bytes(8) }
        let payloads = [[], [1], repeating, random.bytes(5_000), [UInt8](repeating: 0, count: 1_000_000)]
        for payload in payloads { try await append(payload, to: store) }
        #expect(try await self.payloads(of: store) == payloads)

        let sizes = try await store.database.read {
            try Int.fetchAll($0, sql: "SELECT length(payload) FROM log_record ORDER BY place")
        }
        #expect(sizes[0...1] == [0, 1])
        #expect(sizes[2] < repeating.count / 2)
        #expect(sizes[3] == 5_000, "what cannot be made smaller is stored as it is")
        #expect(sizes[4] < 10_000)
        try store.close()
    }

    @Test func `records that were stored before payloads were compressed are read`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.sqlite")
        let payload = [UInt8](repeating: 5, count: 1_000)
        let record = StoredRecord(
            partition: 1, sequence: 1, venueID: EventSamples.venueID, received: EventSamples.now, principal: "local",
            payload: payload)
        let queue = try DatabaseQueue(path: path)
        try EventLogSchema.migrator.migrate(queue, upTo: "3 identity, known venues, sizes")
        try await queue.write { connection in
            try connection.execute(
                sql: """
                    INSERT INTO log_record (place, venue_id, received_ms, principal, checksum, payload)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    LogPlace(partition: 1, sequence: 1).rawValue, record.venueID, record.received.unixMilliseconds,
                    "local", Int64(record.checksum), Data(payload),
                ])
            try connection.execute(
                sql: "INSERT INTO log_head (partition, sequence, payload_bytes) VALUES (1, 1, 1000)")
        }
        try queue.close()

        let store = try SQLiteEventLogStore(path: path)
        try await append(payload, to: store)
        #expect(try await payloads(of: store) == [payload, payload])
        try store.close()
    }

    @Test(arguments: 0..<40)
    func `a compressed payload that was damaged is found out`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        var random = SplitMix64(seed: seed)
        try await append((0..<50).flatMap { _ in [UInt8](repeating: 9, count: 30) + random.bytes(4) }, to: store)
        let (place, bit) = (random.next(), UInt8(1) << UInt8(random.next() % 8))
        try await store.database.write { connection in
            guard var bytes = try Data.fetchOne(connection, sql: "SELECT payload FROM log_record") else { return }
            bytes[bytes.startIndex + Int(place % UInt64(bytes.count))] ^= bit
            try connection.execute(sql: "UPDATE log_record SET payload = ?", arguments: [bytes])
        }
        let refusal = await #expect(throws: EnergyError.self) { try await payloads(of: store) }
        #expect(refusal?.code == .dataLoss)
        try store.close()
    }

    @Test(arguments: 0..<40)
    func `bytes that are no block, and wrong counts, are refused`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let noise = random.bytes(Int(random.next() % 300))
        for count in [0, 1, noise.count, noise.count * 255, noise.count * 255 + 1, .max, -1] {
            let bytes = noise.withUnsafeBytes { LZ4Block.decompressed($0, count: count) }
            #expect(bytes == nil || bytes?.count == count)
        }
        let block = try #require(LZ4Block.compressed([UInt8](repeating: 1, count: 1_000)))
        #expect(
            block.withUnsafeBytes { LZ4Block.decompressed($0, count: 1_000) } == [UInt8](repeating: 1, count: 1_000))
        for count in [0, 999, 1_001] {
            #expect(block.withUnsafeBytes { LZ4Block.decompressed($0, count: count) } == nil)
        }
    }

    @Test func `a commit is flushed to the disk before it returns`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventLogStore(path: folder.path("log.sqlite"))
        let full = 2
        #expect(try await store.database.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == full)
        try store.close()
    }
}
