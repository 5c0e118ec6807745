import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLiteStore
import Testing

/// Backups of each service's store, put back. What is a log's own is tested with `LogRestoreTests`.
struct StoreRestoreTests {
    private let folder: TemporaryFolder
    private var state: String { folder.path("state") }

    init() throws { folder = try TemporaryFolder() }

    private func home(_ service: StoredService) -> String { "\(state)/\(service.rawValue)" }

    private func path(_ service: StoredService) -> String { "\(home(service))/\(service.sqliteFile)" }

    /// A backup of one thing, and a store of two.
    private func backup(_ service: StoredService) async throws -> String {
        try await StoredContent.add(1, to: service, in: home(service))
        let backup = try await SQLiteBackupMaker().backUp(
            service, in: state, to: folder.path("copies"), now: EventSamples.now
        ) { _ in }
        try await StoredContent.add(2, to: service, in: home(service))
        return backup.file
    }

    /// Without what SQLite keeps beside a database, or takes away, as it likes.
    private func names(in folder: String) throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
            })
    }

    private func restore(
        _ file: String, of service: StoredService, into place: String? = nil
    ) async throws -> RestoredStore {
        let prepared = try await SQLiteStoreRestorer().prepare(file, of: service, into: place ?? state)
        defer { prepared.end() }
        #expect(prepared.folder == home(service))
        return try prepared.putInPlace(now: EventSamples.now)
    }

    @Test(arguments: StoredService.allCases)
    func `each store is as it was, and what was there is kept beside it`(service: StoredService) async throws {
        let backup = try await backup(service)
        let latest = try StoredContent.rows(path(service))
        let restored = try await restore(backup, of: service)
        #expect(restored.service == service && restored.file == path(service))
        #expect(restored.records == (service == .eventIngestor ? 1 : nil))
        let replaced = try #require(restored.replaced)
        let isKept = try StoredContent.rows(replaced) == latest
        let isRestored = try StoredContent.rows(path(service)) == StoredContent.rows(backup)
        #expect(isKept && isRestored)
        // The service goes on with it.
        try await StoredContent.add(2, to: service, in: home(service))
        let names = try names(in: home(service))
        #expect(names.count == 3, "\(names)")
    }

    @Test(arguments: StoredService.allCases)
    func `whose backup it is is known from what is in it`(service: StoredService) async throws {
        let backup = try await backup(service)
        let others = StoredService.allCases.filter { $0 != service }
        let renamed = folder.path("copies/\(others[0].rawValue)-1.sqlite")
        try FileManager.default.moveItem(atPath: backup, toPath: renamed)
        #expect(try await SQLiteStoreRestorer().service(of: renamed) == service)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("copies")).count == 1)
        for other in others {
            try await StoredContent.add(1, to: other, in: home(other))
            let error = await #expect(throws: EnergyError.self) { try await restore(renamed, of: other) }
            #expect(error?.code == .invalidInput)
            #expect(error?.message == "\(renamed) is a backup of \(service.rawValue), not of \(other.rawValue)")
        }
    }

    @Test(arguments: StoredService.allCases)
    func `a backup of a newer version or with a part missing is refused, and the store stays`(
        service: StoredService
    ) async throws {
        let backup = try await backup(service)
        let before = try Data(contentsOf: URL(filePath: path(service)))
        let (newer, short) = (folder.path("copies/newer.sqlite"), folder.path("copies/short.sqlite"))
        for file in [newer, short] { try FileManager.default.copyItem(atPath: backup, toPath: file) }
        try StoredContent.makeNewer(newer)
        try Data(contentsOf: URL(filePath: short)).dropLast(8_192).write(to: URL(filePath: short))
        for (file, code) in [(newer, .invalidInput), (short, .dataLoss)] as [(String, EnergyError.Code)] {
            let error = await #expect(throws: EnergyError.self) { try await restore(file, of: service) }
            #expect(error?.code == code)
            #expect(error?.message.contains(file) == true)
        }
        #expect(try Data(contentsOf: URL(filePath: path(service))) == before)
        #expect(try names(in: home(service)) == [service.sqliteFile, "lock"])
    }

    @Test func `a file of something else, none and a folder are told`() async throws {
        let restorer = SQLiteStoreRestorer()
        let text = folder.path("notes.txt")
        try Data(repeating: 65, count: 10_000).write(to: URL(filePath: text))
        let (nowhere, other) = (folder.path("nowhere"), folder.url.path)
        let files: [(String, EnergyError)] = [
            (text, EnergyError(.invalidInput, "\(text) is no SQLite database")),
            (nowhere, EnergyError(.notFound, "there is no file \(nowhere)")),
            (
                other,
                EnergyError(.notFound, "\(other) is a folder: name the file of the backup, which may be in it")
            ),
        ]
        for (file, refusal) in files {
            let error = await #expect(throws: EnergyError.self) { try await restorer.service(of: file) }
            #expect(error?.code == refusal.code && error?.message == refusal.message)
        }
    }

    @Test func `while a service runs, and where its store was moved, nothing is restored`() async throws {
        let backup = try await backup(.scheduler)
        let lock = try StoredContent.lock(home(.scheduler))
        let running = await #expect(throws: EnergyError.self) { try await restore(backup, of: .scheduler) }
        #expect(running?.code == .conflict)
        #expect(running?.message == "scheduler uses \(home(.scheduler)); stop it first")
        close(lock)
        try Data().write(to: URL(filePath: path(.scheduler) + ".moved"))
        let moved = await #expect(throws: EnergyError.self) { try await restore(backup, of: .scheduler) }
        #expect(moved?.code == .conflict)
        #expect(moved?.message.contains("was moved to PostgreSQL") == true)
    }

    @Test func `a state directory may be named itself, and one that is missing is not made`() async throws {
        let backup = try await backup(.guidancePublisher)
        try await StoredContent.add(1, to: .scheduler, in: home(.scheduler))
        #expect(try await restore(backup, of: .guidancePublisher, into: home(.guidancePublisher)).replaced != nil)
        try FileManager.default.removeItem(atPath: home(.guidancePublisher))
        let missing = await #expect(throws: EnergyError.self) { try await restore(backup, of: .guidancePublisher) }
        #expect(missing?.code == .notFound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == ["scheduler"])
    }

    @Test func `a link to a backup is followed, and the backup stays`() async throws {
        let backup = try await backup(.scheduler)
        let (link, before) = (folder.path("latest"), try Data(contentsOf: URL(filePath: backup)))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: backup)
        #expect(try await SQLiteStoreRestorer().service(of: link) == .scheduler)
        _ = try await restore(link, of: .scheduler)
        let attributes = try FileManager.default.attributesOfItem(atPath: path(.scheduler))
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        try await StoredContent.add(2, to: .scheduler, in: home(.scheduler))
        #expect(try Data(contentsOf: URL(filePath: backup)) == before)
    }

    @Test func `insights that are restored notice a log that was restored too`() async throws {
        let log = try await backup(.eventIngestor)
        let written = try SQLiteEventLogStore(path: path(.eventIngestor))
        let id = try await written.logID()
        try written.close()
        let insights = try SQLiteInsightStore(path: path(.insightService))
        try await insights.adopt(log: id, anew: false)
        try insights.close()
        let counted = try await backup(.insightService)
        _ = try await restore(log, of: .eventIngestor)
        _ = try await restore(counted, of: .insightService)
        let (found, kept) = (
            try SQLiteEventLogStore(path: path(.eventIngestor)), try SQLiteInsightStore(path: path(.insightService))
        )
        let progress = LogProgress(logID: try await kept.logID(), heads: try await kept.positions())
        #expect(progress.heads.map(\.sequence) == [1])
        let now = LogProgress(logID: try await found.logID(), heads: try await found.heads())
        #expect(progress.difference(from: now) == "it has another identity")
        try found.close()
        try kept.close()
    }
}
