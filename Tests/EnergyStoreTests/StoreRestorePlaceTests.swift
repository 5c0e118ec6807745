import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLiteStore
import Testing

/// Where a backup may be put, and when: before anything is changed.
struct StoreRestorePlaceTests {
    private let folder: TemporaryFolder
    private let restorer = SQLiteStoreRestorer()
    private var state: String { folder.path("state") }
    private var scheduler: String { "\(state)/scheduler" }
    private var database: String { "\(scheduler)/schedules.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    /// Of a scheduler that goes on.
    private func backup() async throws -> String {
        try await StoredContent.add(1, to: .scheduler, in: scheduler)
        let backup = try await SQLiteBackupMaker().backUp(
            .scheduler, in: state, to: folder.path("copies"), now: EventSamples.now
        ) { _ in }
        return backup.file
    }

    private func make(_ name: String) throws -> String {
        let path = folder.path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    private func restore(_ file: String, into place: String) async throws -> RestoredStore {
        let prepared = try await restorer.prepare(file, of: .scheduler, into: place)
        defer { prepared.end() }
        return try prepared.putInPlace(now: EventSamples.now)
    }

    /// What checking says, which preparing says as well.
    private func refusal(_ file: String, into place: String) async -> EnergyError? {
        let checked = await #expect(throws: EnergyError.self) { try await restorer.check(.scheduler, in: place) }
        let prepared = await #expect(throws: EnergyError.self) {
            try await restorer.prepare(file, of: .scheduler, into: place)
        }
        #expect(checked?.code == prepared?.code && checked?.message == prepared?.message)
        return checked
    }

    @Test func `an empty folder is no state directory, and it is said how to come by one`() async throws {
        let (file, disk) = (try await backup(), try make("disk"))
        let refusal = await refusal(file, into: disk)
        #expect(refusal?.code == .notFound)
        #expect(
            refusal?.message
                == "\(disk) is no state directory of scheduler, and has none in it. Is it new? Start scheduler once "
                + "and stop it, or make the folder \(disk)/scheduler for its user")
        #expect(try names(in: disk) == [])
    }

    @Test(arguments: ["disk", "disk/scheduler"])
    func `an empty folder of the service's name is its state directory, as on a new disk`(place: String) async throws {
        let (file, new) = (try await backup(), try make("disk/scheduler"))
        _ = try make("disk/scheduler/lost+found")
        try await restorer.check(.scheduler, in: folder.path(place))
        let restored = try await restore(file, into: folder.path(place))
        #expect(restored.file == "\(new)/schedules.sqlite" && restored.replaced == nil)
        let isRestored = try StoredContent.rows(restored.file) == StoredContent.rows(file)
        #expect(isRestored)
    }

    @Test func `a new folder may be restored into after it was tried with a damaged backup`() async throws {
        let (file, new) = (try await backup(), try make("disk/scheduler"))
        let short = folder.path("short.sqlite")
        try Data(contentsOf: URL(filePath: file)).dropLast(8_192).write(to: URL(filePath: short))
        await #expect(throws: EnergyError.self) { try await restore(short, into: new) }
        #expect(try names(in: new) == ["lock"])
        #expect(try await restore(file, into: new).replaced == nil)
    }

    @Test func `a folder with the service's name, and other things in it, is no state directory`() async throws {
        let (file, other) = (try await backup(), try make("sources/scheduler"))
        try Data().write(to: URL(filePath: "\(other)/main.swift"))
        for place in [other, folder.path("sources")] {
            let refusal = await refusal(file, into: place)
            #expect(refusal?.code == .notFound)
            #expect(
                refusal?.message == "\(other) is no state directory of scheduler: what is in it is of something else")
        }
        #expect(try names(in: other) == ["main.swift"])
    }

    @Test func `another service's state directory is not written to`() async throws {
        let (file, other) = (try await backup(), "\(state)/insight-service")
        try await StoredContent.add(1, to: .insightService, in: other)
        let before = try names(in: other)
        let refusal = await refusal(file, into: other)
        #expect(refusal?.code == .notFound)
        #expect(refusal?.message == "\(other) is the state directory of insight-service, not of scheduler")
        #expect(try names(in: other) == before)
    }

    @Test func `a folder with a database of something else in it is refused, also beside the service's own`()
        async throws
    {
        let file = try await backup()
        try Data().write(to: URL(filePath: "\(scheduler)/photos.sqlite"))
        let before = try names(in: scheduler)
        let refusal = await refusal(file, into: state)
        #expect(refusal?.code == .notFound)
        #expect(refusal?.message == "\(scheduler) has photos.sqlite in it, which is no database of scheduler")
        #expect(try names(in: scheduler) == before)
    }

    @Test func `a service that runs, a store that was moved and a folder in its place are told`() async throws {
        let file = try await backup()
        try await restorer.check(.scheduler, in: state)
        let lock = try StoredContent.lock(scheduler)
        #expect(await refusal(file, into: state)?.message == "scheduler uses \(scheduler); stop it first")
        close(lock)
        try Data().write(to: URL(filePath: database + ".moved"))
        #expect(await refusal(file, into: state)?.message.contains("was moved to PostgreSQL") == true)
        try FileManager.default.removeItem(atPath: database + ".moved")
        try FileManager.default.removeItem(atPath: database)
        _ = try make("state/scheduler/schedules.sqlite")
        let blocked = await refusal(file, into: state)
        #expect(blocked?.code == .conflict && blocked?.message.hasPrefix("\(database) is a folder") == true)
    }

    @Test func `what is ready keeps the service out until it is ended, and leaves nothing then`() async throws {
        let file = try await backup()
        let (before, bytes) = (try names(in: scheduler), try Data(contentsOf: URL(filePath: database)))
        let prepared = try await restorer.prepare(file, of: .scheduler, into: state)
        let meanwhile = await #expect(throws: EnergyError.self) { try await restorer.check(.scheduler, in: state) }
        #expect(meanwhile?.code == .conflict)
        prepared.end()
        try await restorer.check(.scheduler, in: state)
        #expect(try names(in: scheduler) == before)
        #expect(try Data(contentsOf: URL(filePath: database)) == bytes)
    }

    @Test func `what cannot be put in place leaves the store as it is, under its one name`() async throws {
        let file = try await backup()
        let (before, bytes) = (try names(in: scheduler), try Data(contentsOf: URL(filePath: database)))
        let prepared = try await restorer.prepare(file, of: .scheduler, into: state)
        try FileManager.default.removeItem(atPath: database + ".restoring")
        let error = #expect(throws: EnergyError.self) { try prepared.putInPlace(now: EventSamples.now) }
        #expect(error?.code == .unavailable && error?.message.contains("cannot be replaced") == true)
        prepared.end()
        #expect(try names(in: scheduler) == before)
        #expect(try Data(contentsOf: URL(filePath: database)) == bytes)
    }
}
