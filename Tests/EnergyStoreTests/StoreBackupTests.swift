import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLiteStore
import Testing

/// What services store is copied where it lies.
struct StoreBackupTests {
    private let folder: TemporaryFolder
    private var state: String { folder.path("state") }
    private var copies: String { folder.path("copies") }

    init() throws { folder = try TemporaryFolder() }

    private func home(_ service: StoredService) -> String { "\(state)/\(service.rawValue)" }

    private func path(_ service: StoredService) -> String { "\(home(service))/\(service.sqliteFile)" }

    private func backUp(
        _ service: StoredService, to target: String? = nil, tell: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> StoreBackup {
        try await SQLiteBackupMaker().backUp(
            service, in: state, to: target ?? copies, now: EventSamples.now, tell: tell)
    }

    private func refusal(of service: StoredService, to target: String? = nil) async -> EnergyError? {
        await #expect(throws: EnergyError.self) { try await backUp(service, to: target) }
    }

    /// The files of a folder, without those that say nothing of what is stored.
    private func files(_ folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "lock" }
        return try names.reduce(into: [:]) { files, name in
            files[name] = name.hasSuffix("-shm") ? Data() : try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        }
    }

    private func records(_ path: String) async throws -> Int {
        let store = try SQLiteEventLogStore(path: path)
        let (count, head) = (try await store.all(1).count, try await store.heads()[1].sequence)
        try store.close()
        #expect(head == UInt64(count))
        return count
    }

    @Test(arguments: StoredService.allCases)
    func `each store is copied whole, for its owner only, and stays as it is`(service: StoredService) async throws {
        try await StoredContent.add(1, to: service, in: home(service))
        let before = try files(home(service))
        let parts = Box<[Double]>([])
        let backup = try await backUp(service) { part in parts.update { $0.append(part) } }
        #expect(parts.value.last == 1)
        #expect(try files(home(service)) == before)
        #expect(backup.service == service)
        #expect(backup.file == "\(copies)/\(service.rawValue)-\(EventSamples.now.unixMilliseconds).sqlite")
        #expect(try files(copies).mapValues(\.count) == [URL(filePath: backup.file).lastPathComponent: backup.bytes])
        let attributes = try FileManager.default.attributesOfItem(atPath: backup.file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let isSame = try StoredContent.rows(backup.file) == StoredContent.rows(path(service))
        #expect(isSame)
    }

    @Test func `a log is copied as it was at one moment, though it is written to meanwhile`() async throws {
        let store = try SQLiteEventLogStore(path: path(.eventIngestor))
        var random = SplitMix64(seed: 1)
        for _ in 0..<20 {
            let drafts = (0..<50).map { _ in StoredContent.draft(random.bytes(5_000)) }
            try await StoredContent.append(drafts, to: store)
        }
        let lock = try StoredContent.lock(home(.eventIngestor))
        let isWritten = Box(false)
        let backup = try await OwnThread.run {
            try await backUp(.eventIngestor) { _ in
                guard !isWritten.value else { return }
                isWritten.set(true)
                OwnThread.hold { try await StoredContent.append([StoredContent.draft([7])], to: store) }
            }
        }
        #expect(isWritten.value)
        #expect(try await records(backup.file) == 1_000)
        #expect(try await store.all(1).count == 1_001)
        try await StoredContent.append([StoredContent.draft([8])], to: store)
        let copied = try SQLiteEventLogStore(path: backup.file)
        #expect(try await copied.logID() != store.logID())
        try copied.close()
        try store.close()
        close(lock)
    }

    @Test(arguments: [true, false])
    func `of a service that was killed all is copied, and its files stay`(hasIndex: Bool) async throws {
        let living = try SQLiteEventLogStore(path: folder.path("living/events.sqlite"))
        try await StoredContent.append((0..<8).map { StoredContent.draft([UInt8($0)]) }, to: living)
        try FileManager.default.createDirectory(atPath: home(.eventIngestor), withIntermediateDirectories: true)
        for part in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
            try FileManager.default.copyItem(
                atPath: folder.path("living/events.sqlite\(part)"), toPath: path(.eventIngestor) + part)
        }
        try living.close()
        let before = try files(home(.eventIngestor))
        #expect(try #require(before["events.sqlite-wal"]).count > 0)
        let backup = try await backUp(.eventIngestor)
        #expect(try files(home(.eventIngestor)) == before)
        #expect(try await records(backup.file) == 8)
    }

    @Test func `services are found in a folder of state directories, and in one alone`() async throws {
        let maker = SQLiteBackupMaker()
        for service in [StoredService.scheduler, .eventIngestor] {
            try await StoredContent.add(1, to: service, in: home(service))
        }
        #expect(try maker.services(in: state) == [.eventIngestor, .scheduler])
        #expect(try maker.services(in: home(.scheduler) + "/") == [.scheduler])
        #expect(try maker.services(in: folder.url.path) == [])
        let refusal = #expect(throws: EnergyError.self) { try maker.services(in: folder.path("nowhere")) }
        #expect(refusal?.code == .notFound)
    }

    @Test func `what cannot be backed up is told, and leaves nothing`() async throws {
        #expect(await refusal(of: .scheduler)?.code == .notFound)
        try await StoredContent.add(1, to: .scheduler, in: home(.scheduler))
        try Data().write(to: URL(filePath: folder.path("file")))
        for target in ["file", "file/x", "nowhere/x"] {
            let refusal = await refusal(of: .scheduler, to: folder.path(target))
            #expect(refusal?.code == .notFound && refusal?.message.contains("cannot be made") == true)
        }
        _ = try await backUp(.scheduler)
        #expect(await refusal(of: .scheduler)?.code == .conflict)
        #expect(try files(copies).count == 1)

        try await StoredContent.add(1, to: .insightService, in: home(.insightService))
        try Data().write(to: URL(filePath: path(.insightService) + ".moved"))
        let moved = await refusal(of: .insightService)
        #expect(moved?.code == .conflict)
        #expect(moved?.message.contains("was moved to PostgreSQL: back it up there") == true)
        #expect(try files(copies).count == 1)
    }

    @Test func `copies are put into no service's state directory`() async throws {
        let maker = SQLiteBackupMaker()
        try await StoredContent.add(1, to: .scheduler, in: home(.scheduler))
        // One that stores in PostgreSQL.
        try FileManager.default.createDirectory(atPath: home(.insightService), withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(home(.insightService))/publisher-id"))
        for target in [home(.scheduler), home(.insightService) + "/"] {
            let before = try files(target)
            let looked = #expect(throws: EnergyError.self) { try maker.checkTarget(target) }
            let refusal = await refusal(of: .scheduler, to: target)
            #expect(looked?.code == .invalidInput && refusal?.message == looked?.message)
            #expect(looked?.message.contains("is the state directory of a service: name another folder") == true)
            #expect(try files(target) == before)
        }
        for target in [copies, state] { try maker.checkTarget(target) }
        #expect(!FileManager.default.fileExists(atPath: copies))
    }

    @Test func `a file that is damaged, or of something else, is told and not kept`() async throws {
        let store = try SQLiteEventLogStore(path: path(.eventIngestor))
        try await StoredContent.append((0..<200).map { StoredContent.draft([UInt8($0)]) }, to: store)
        try store.close()
        let whole = try Data(contentsOf: URL(filePath: path(.eventIngestor)))
        var bytes = whole
        for place in 4_096..<12_288 { bytes[place] = 0xA5 }
        try bytes.write(to: URL(filePath: path(.eventIngestor)))
        let damaged = await refusal(of: .eventIngestor)
        #expect(damaged?.code == .dataLoss)
        #expect(damaged?.message.contains(path(.eventIngestor)) == true)

        try FileManager.default.createDirectory(atPath: home(.scheduler), withIntermediateDirectories: true)
        try whole.write(to: URL(filePath: path(.scheduler)))
        let other = await refusal(of: .scheduler)
        #expect(other?.code == .invalidInput)
        #expect(other?.message == "\(path(.scheduler)) holds nothing that scheduler has stored")
        #expect(try files(copies) == [:])
    }

    @Test func `a write-ahead log of another database is not mixed into a copy`() async throws {
        try await StoredContent.add(1, to: .eventIngestor, in: home(.eventIngestor))
        let backup = try await backUp(.eventIngestor)
        try FileManager.default.removeItem(atPath: path(.eventIngestor))
        try FileManager.default.copyItem(atPath: backup.file, toPath: path(.eventIngestor))
        try Data(repeating: 7, count: 9_000).write(to: URL(filePath: path(.eventIngestor) + "-wal"))
        let before = try files(home(.eventIngestor))
        let refusal = await refusal(of: .eventIngestor, to: folder.path("others"))
        #expect(refusal?.code == .conflict)
        #expect(refusal?.message.contains("is of another database") == true)
        #expect(try files(home(.eventIngestor)) == before)
    }
}
