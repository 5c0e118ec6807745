import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GRDB
import SQLiteStore
import Testing

struct LogRestoreTests {
    private let folder: TemporaryFolder
    private var log: String { folder.path("events.sqlite") }
    private var backup: String { folder.path("backups/backup.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func append(_ count: Int, to store: SQLiteEventLogStore) async throws {
        for _ in 0..<count {
            _ = try await store.write { log in
                try log.append(
                    RecordDraft(
                        venueID: EventSamples.venueID, received: EventSamples.now, principal: "local",
                        payload: Array(repeating: 7, count: 5_000), events: [EventMark(id: UUID(), digest: 1)],
                        sessions: []))
            }
        }
    }

    /// A backup of 3 records, and a log of 8 that was killed: its write-ahead log is still there.
    private func killed() async throws {
        let living = try SQLiteEventLogStore(path: folder.path("living/events.sqlite"))
        try await append(3, to: living)
        _ = try await living.backUp(to: backup)
        try await append(5, to: living)
        for part in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: folder.path("living/events.sqlite\(part)"), toPath: log + part)
        }
        try living.close()
        #expect(try size(log + "-wal") > 0)
    }

    private func size(_ path: String) throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }

    private func restore(_ file: String? = nil, into state: String? = nil) async throws -> RestoredStore {
        let prepared = try await SQLiteStoreRestorer().prepare(
            file ?? backup, of: .eventIngestor, into: state ?? folder.url.path)
        defer { prepared.end() }
        return try prepared.putInPlace(now: EventSamples.now)
    }

    private func records(_ path: String) async throws -> Int {
        let store = try SQLiteEventLogStore(path: path)
        defer { try? store.close() }
        let checked = try await store.records(inPartition: 1, after: 0, countMax: 100, bytesMax: .max)
        #expect(try await store.heads()[1].sequence == UInt64(checked.count))
        return checked.count
    }

    @Test func `a backup takes the place of a log that was killed, which is kept as it was`() async throws {
        try await killed()
        let restored = try await restore()
        #expect(restored.records == 3)
        #expect(restored.file == log)
        #expect(!FileManager.default.fileExists(atPath: log + "-wal"))
        #expect(try await records(log) == 3)
        #expect(try await records(try #require(restored.replaced)) == 8)
        #expect(try await records(backup) == 3)
    }

    @Test func `each restore makes another log`() async throws {
        try await killed()
        var ids: Set<UUID> = []
        for _ in 0..<2 {
            _ = try await restore()
            let store = try SQLiteEventLogStore(path: log)
            ids.insert(try await store.logID())
            try store.close()
        }
        #expect(ids.count == 2)
    }

    @Test func `a folder without a log gets one`() async throws {
        try await killed()
        for part in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: log + part) }
        try Data().write(to: URL(filePath: folder.path("publisher-id")))
        #expect(try await restore().replaced == nil)
        #expect(try await records(log) == 3)
    }

    @Test func `a backup that was copied over a log by hand is not mixed with what was left of that`() async throws {
        try await killed()
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.copyItem(atPath: backup, toPath: log)
        let store = try SQLiteEventLogStore(path: log)
        #expect(store.foreignLog == log + "-wal.foreign-1")
        try store.close()
        #expect(try await records(log) == 3)
        #expect(try size(log + "-wal.foreign-1") > 0)
    }

    @Test func `a log that was killed is opened with its own write-ahead log`() async throws {
        try await killed()
        let store = try SQLiteEventLogStore(path: log)
        #expect(store.foreignLog == nil)
        try store.close()
        #expect(try await records(log) == 8)
    }

    enum Wrong: CaseIterable { case missing, noDatabase, noLog, damaged, altered, truncated, newer }

    @Test(arguments: Wrong.allCases)
    func `what is no backup is refused, and the log stays`(wrong: Wrong) async throws {
        try await killed()
        let file = folder.path("backups/wrong.sqlite")
        if wrong != .missing, wrong != .noLog { try FileManager.default.copyItem(atPath: backup, toPath: file) }
        switch wrong {
        case .missing: break
        case .noDatabase: try Data(repeating: 65, count: 10_000).write(to: URL(filePath: file))
        case .noLog: try SQLiteInsightStore(path: file).close()
        case .damaged:
            var bytes = try Data(contentsOf: URL(filePath: file))
            for place in 4096..<12_288 { bytes[place] = 0xA5 }
            try bytes.write(to: URL(filePath: file))
        case .altered:
            // As when a byte has turned: SQLite does not notice.
            let queue = try DatabaseQueue(path: file)
            try await queue.write {
                try $0.execute(
                    sql: "UPDATE log_record SET principal = 'other' WHERE place = (SELECT max(place) FROM log_record)")
            }
            try queue.close()
        case .truncated:
            try Data(contentsOf: URL(filePath: file)).dropLast(8192).write(to: URL(filePath: file))
        case .newer:
            let queue = try DatabaseQueue(path: file)
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 later')") }
            try queue.close()
        }
        let error = await #expect(throws: EnergyError.self) { try await restore(file) }
        let codes: [EnergyError.Code] = [.notFound, .invalidInput, .dataLoss]
        #expect(error.map { codes.contains($0.code) } ?? false)
        #expect(error?.message.contains(file) ?? false)
        #expect(try await records(log) == 8)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.filter { $0.contains("restoring") || $0.contains("replaced") } == [])
    }

    @Test func `while an ingestor runs nothing is restored`() async throws {
        try await killed()
        let lock = open(folder.path("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let error = await #expect(throws: EnergyError.self) { try await restore() }
        #expect(error?.code == .conflict)
    }

    @Test(arguments: ["notes.txt", "insights.sqlite"])
    func `a folder of something else gets no log`(file: String) async throws {
        try await killed()
        let other = folder.path("other")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        for name in [file, "publisher-id"].prefix(file == "notes.txt" ? 1 : 2) {
            try Data().write(to: URL(filePath: "\(other)/\(name)"))
        }
        let error = await #expect(throws: EnergyError.self) { try await restore(into: other) }
        #expect(error?.code == .notFound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).allSatisfy { !$0.hasPrefix("events") })
    }

    @Test func `a folder that is not there is refused`() async throws {
        let error = await #expect(throws: EnergyError.self) { try await restore(into: folder.path("nowhere")) }
        #expect(error?.code == .notFound)
    }
}
