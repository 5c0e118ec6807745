import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import GRDB
import PostgreSQLStore
import SQLColumns
import SQLiteStore
import StoreMigration
import Testing

/// What is stored in files, moved into PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct StoreMigrationTests {
    private let folder: TemporaryFolder
    private static let now = EventSamples.now
    private static let all = Interval(
        start: Timestamp(unixMilliseconds: 0), milliseconds: 100_000 * .millisecondsPerDay)

    init() throws { folder = try TemporaryFolder() }

    private func migrate(
        _ service: StoredService, to connection: String, from state: String? = nil,
        tell: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) async throws -> MigrationReport {
        try await SQLiteToPostgreSQL().migrate(
            service, state: state ?? folder.url.path, connection: connection, now: Self.now, tell: tell)
    }

    // MARK: - What is stored

    @Test func `what no service has stored is moved too, and each starts on it`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try SQLiteEventLogStore(path: folder.path("events.sqlite")).close()
            try SQLiteGuidanceStore(path: folder.path("guidance.sqlite")).close()
            try SQLiteInsightStore(path: folder.path("insights.sqlite")).close()
            try SQLiteScheduleStore(path: folder.path("schedules.sqlite")).close()
            for service in StoredService.allCases {
                #expect(try await migrate(service, to: connection).state == .finished, "\(service)")
            }
            await (try PostgreSQLEventLogStore(connection)).close()
            await (try PostgreSQLGuidanceStore(connection)).close()
            await (try PostgreSQLInsightStore(connection)).close()
            await (try PostgreSQLScheduleStore(connection)).close()
        }
    }

    @Test(arguments: GuidanceStoreConformance.checks)
    func `venues, contracts, signals and the key of tokens are the same`(check: GuidanceStoreConformance.Check)
        async throws
    {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteGuidanceStore(path: folder.path("guidance.sqlite"))
            try await check.run(file)
            let before = try await Self.content(file)
            try file.close()
            _ = try await migrate(.guidancePublisher, to: connection)
            let database = try await PostgreSQLGuidanceStore(connection)
            #expect(try await Self.content(database) == before)
            // Numbers are not given twice, whatever was erased.
            let new = try await database.putVenue(GuidanceStoreConformance.venue("New"))
            #expect(!before.contains("number \(new)"))
            await database.close()
        }
    }

    private static func content(_ store: any GuidanceStore) async throws -> [String] {
        var content: [String] = []
        for venue in try await store.venues() {
            content += try await store.venueRevisions(venue.id).map { "\($0)" }
            content += try await store.askers(venueID: venue.id)
        }
        content += try await store.venueNumbers().map { "\($0) number \($1)" }.sorted()
        for plan in try await store.ratePlans() {
            content += try await store.ratePlanRevisions(plan.id).map { "\($0)" }
        }
        content += try await store.demandResponse(in: all).map { "\($0)" }
        content += try await store.forecasts().map { "\($0)" }
        for region in ["CISO", "ERCO", "DE", "NYISO"] {
            for quantity in [SignalQuantity.carbon, .price] {
                for revision in [SignalRevision.newest, .whenItHappened] {
                    content += try await store.signals(quantity, region: region, in: all, revision: revision)
                        .map { "\(region) \($0)" }
                }
            }
        }
        content.append("\(try await store.tokenKey(orNew: Array(repeating: 7, count: 32)))")
        return content
    }

    @Test func `devices, goals, schedules and limits are the same`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteScheduleStore(path: folder.path("schedules.sqlite"))
            var random = SplitMix64(seed: 7)
            for _ in 0..<40 {
                try await file.save([DeviceRecord.random(using: &random)], positions: [])
            }
            try await file.adopt(log: EventSamples.id(9), anew: false)
            try await file.save([], positions: [LogHead(partition: 3, sequence: 7, checksum: 11)])
            try await file.save(
                VenueSetup(venueID: EventSamples.venueID, objective: VenueObjective(money: 1, carbon: 0.125)))
            let before = try await file.load()
            try file.close()
            let report = try await migrate(.scheduler, to: connection)
            #expect(report.tables.first { $0.name == "device" }?.rows == before.records.count)
            let database = try await PostgreSQLScheduleStore(connection)
            #expect(try await database.load() == before)
            await database.close()
        }
    }

    @Test(arguments: [UInt64(1), 2])
    func `what was counted is the same, repairs and their order too`(seed: UInt64) async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
            try await fill(file, seed: seed)
            let before = try await Self.content(file)
            // What a rebuild has begun is no part of it.
            let rebuild = try await file.beginRebuild()
            _ = try await rebuild.apply(InsightEffects(partition: 9, after: 0, through: 1))
            try file.close()
            _ = try await migrate(.insightService, to: connection)
            let database = try await PostgreSQLInsightStore(connection)
            #expect(try await Self.content(database) == before)
            // The next repair has the next number.
            _ = try await database.apply(Self.repairing(after: 200, EventSamples.id(999)))
            #expect(try await database.repairs().map(\.eventID).last == EventSamples.id(999))
            await database.close()
        }
    }

    private static func content(_ store: any InsightStore) async throws -> [String] {
        let days = try await store.incompleteDays(since: Timestamp(unixMilliseconds: 0), limit: 10_000)
        return [
            "\(try await store.digest())", "\(try await store.positions())", "\(try await store.repairs())",
            "\(String(describing: try await store.logID()))", "\(try await store.rules())", "\(days)",
        ]
    }

    private static func repairing(after sequence: UInt64, _ event: UUID) -> InsightEffects {
        var effects = InsightEffects(partition: 2, after: sequence, through: sequence + 1)
        effects.repairs = [
            EventRepair(
                venueID: EventSamples.venueID, sessionID: EventSamples.id(1), eventID: event, action: .ignore,
                reason: "why", principal: "who", made: now)
        ]
        return effects
    }

    /// Two hundred records: so many days, sessions and statuses that each table takes several pages.
    private func fill(_ store: SQLiteInsightStore, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        try await store.adopt(log: EventSamples.id(9), anew: false)
        for sequence in UInt64(0)..<200 {
            var effects = Self.repairing(after: sequence, EventSamples.id(sequence + 1))
            let venueID = EventSamples.id(UInt64.random(in: 1...3, using: &random))
            let device = "car-\(Int.random(in: 1...4, using: &random))"
            let series = InsightSeries(
                venueID: venueID, deviceID: device, kind: .electricVehicle,
                direction: Bool.random(using: &random) ? .imported : .exported)
            for _ in 0..<6 {
                let quarter = Int64.random(in: 1_900_000..<1_940_000, using: &random)
                effects.tallies[series, default: []].add(
                    InsightTally(
                        amount: InsightAmount(
                            energy: Energy(milliwattHours: .random(in: 1...9_000, using: &random)),
                            runtimeMilliseconds: 900_000)),
                    to: QuarterClass(
                        start: Timestamp(unixMilliseconds: quarter * InsightBucket.milliseconds), class: .unknown))
            }
            for _ in 0..<3 {
                let key = SessionKey(venueID: venueID, sessionID: UUID())
                effects.sessions[key] = CountedSession(
                    key: key, series: series, began: Self.now, timestamp: Self.now,
                    energy: Energy(milliwattHours: .random(in: 1...9_000, using: &random)), powerMilliwatts: nil,
                    isRunning: false, isOver: true)
            }
            effects.statuses = [
                Activity(
                    id: UUID(), venueID: venueID, device: Device(id: device, name: device, kind: .electricVehicle),
                    time: Self.now.advanced(byMilliseconds: .random(in: 0...5, using: &random)),
                    content: .status(VehicleStatus(status: .pluggedIn, stateOfCharge: 5, energyMilliwattHours: 6)))
            ]
            #expect(try await store.apply(effects))
        }
    }

    // MARK: - The log

    private static func draft(_ events: [Event], received: Timestamp = now) -> RecordDraft {
        RecordDraft(
            venueID: events[0].venueID, received: received, principal: "charger",
            payload: EventBatch(events: events).encoded(),
            events: events.map { EventMark(id: $0.id, digest: $0.digest) },
            sessions: [
                SessionProgress(
                    id: events[0].id, venueID: events[0].venueID, deviceID: "car-1", kind: .electricVehicle,
                    direction: .imported, began: events[0].timestamp, last: events[0].timestamp)
            ])
    }

    /// - Returns: the events of each record.
    private func fill(_ log: SQLiteEventLogStore, records: Int, venues: UInt64 = 5) async throws -> [[Event]] {
        var batches: [[Event]] = []
        for number in 0..<records {
            let events = EventSamples.charge(
                venueID: EventSamples.id(UInt64(number) % venues + 1), actives: number % 40)
            batches.append(events)
            _ = try await log.write { try $0.append(Self.draft(events)) }
        }
        return batches
    }

    private static func content(_ log: any EventLogStore) async throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        for partition in 0..<LogPartition.count { records += try await log.all(partition) }
        return records
    }

    private static func digests(_ log: any EventLogStore, _ events: [Event]) async throws -> [UInt64?] {
        try await log.write { log in
            try events.map { try log.knownDigest(ofEvent: $0.id, venueID: $0.venueID) }
        }
    }

    @Test func `the log is the same log: records, heads, readers, sessions, tokens and the events that it knows`()
        async throws
    {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            let batches = try await fill(file, records: 350)
            try await file.note(LogReader(name: "insights", partition: 3, sequence: 2, seen: Self.now))
            let token = ResolvedToken(
                token: EventSamples.token, venueID: EventSamples.venueID, action: .shift, issued: Self.now,
                principals: ["a", "b"])
            try await file.remember(token)
            try await file.remember(venue: EventSamples.venueID, exists: true)
            let (records, heads) = (try await Self.content(file), try await file.heads())
            let (logID, readers) = (try await file.logID(), try await file.readers())
            let sessions = try await file.sessions(ofVenue: EventSamples.venueID, countMax: 1_000)
            try file.close()
            let report = try await migrate(.eventIngestor, to: connection)
            #expect(report.state == .finished)
            #expect(
                report.tables.first { $0.name == "log_record" }
                    == .init(name: "log_record", rows: 350, written: 350, removed: 0))
            let database = try await PostgreSQLEventLogStore(connection)
            #expect(try await Self.content(database) == records)
            #expect(try await database.heads() == heads)
            #expect(try await database.logID() == logID)
            #expect(try await database.readers() == readers)
            #expect(try await database.sessions(ofVenue: EventSamples.venueID, countMax: 1_000) == sessions)
            #expect(try await database.knownToken(EventSamples.token) == token)
            #expect(try await database.isKnownVenue(EventSamples.venueID))
            let events = batches.flatMap(\.self)
            #expect(try await Self.digests(database, events) == events.map(\.digest))
            // It goes on where it was.
            let next = EventSamples.charge()
            let head = heads[LogPartition.of(venueID: EventSamples.venueID)]
            #expect(try await database.write { try $0.append(Self.draft(next)) } == head.sequence + 1)
            await database.close()
        }
    }

    @Test func `what is old is moved, but no longer known again`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            let received = Self.now.advanced(byMilliseconds: -31 * .millisecondsPerDay)
            let events = EventSamples.charge(from: received)
            _ = try await file.write { try $0.append(Self.draft(events, received: received)) }
            try file.close()
            _ = try await migrate(.eventIngestor, to: connection)
            let database = try await PostgreSQLEventLogStore(connection)
            #expect(try await Self.content(database).count == 1)
            #expect(try await Self.digests(database, events).allSatisfy { $0 == nil })
            await database.close()
        }
    }

    // MARK: - While the service runs

    @Test func `a service that runs is copied, and what happened meanwhile follows when it is stopped`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let lock = try Self.lock(folder)
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            let batches = try await fill(file, records: 250)
            let first = try await migrate(.eventIngestor, to: connection)
            #expect(first.state == .copied)
            let refusal = await #expect(throws: EnergyError.self) { _ = try await PostgreSQLEventLogStore(connection) }
            #expect(
                refusal?.message
                    == "the schema event_ingestor is being filled from \(folder.path("events.sqlite")): finish that with "
                    + "energyctl store migrate first")
            // More comes, something is erased from the middle, and the oldest go.
            let more = try await fill(file, records: 30)
            let erased = try #require(try await Self.content(file).dropFirst(100).first)
            let events = try EventBatch(decoding: erased.payload).events
            try await file.replace([
                ErasedRecord(
                    record: erased.replacing(payload: [0, 0, 0, 0], principal: "nobody"), events: events.map(\.id))
            ])
            let policy = RetentionPolicy(ageMaxMilliseconds: .millisecondsPerDay)
            let removed = try await file.removeRecords(
                policy, now: Self.now.advanced(byMilliseconds: 2 * .millisecondsPerDay), countMax: 20)
            #expect(removed == 20)
            let (records, heads) = (try await Self.content(file), try await file.heads())
            try file.close()
            close(lock)
            let second = try await migrate(.eventIngestor, to: connection)
            #expect(second.state == .finished)
            #expect(
                second.tables.first { $0.name == "log_record" }
                    == .init(name: "log_record", rows: 260, written: 31, removed: 20))
            let database = try await PostgreSQLEventLogStore(connection)
            #expect(try await Self.content(database) == records)
            #expect(try await database.heads() == heads)
            let others = (batches + more).flatMap(\.self).filter { !events.map(\.id).contains($0.id) }
            #expect(try await Self.digests(database, others) == others.map(\.digest))
            #expect(try await Self.digests(database, events).allSatisfy { $0 == nil })
            await database.close()
            // Once is enough.
            let third = try await migrate(.eventIngestor, to: connection)
            #expect(third == MigrationReport(service: .eventIngestor, state: .finishedBefore(Self.now)))
        }
    }

    @Test func `what broke off goes on: what is there is not written again`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            _ = try await fill(file, records: 350)
            try file.close()
            // Whoever pulls the plug ends the task.
            let reached = AsyncStream<Void>.makeStream()
            let task = Task {
                defer { reached.continuation.finish() }
                return try await migrate(.eventIngestor, to: connection) { progress in
                    guard progress.table == "log_record", progress.done >= 200 else { return }
                    reached.continuation.yield()
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            for await _ in reached.stream { break }
            await #expect(throws: EnergyError.self) { _ = try await task.value }
            let again = try await migrate(.eventIngestor, to: connection)
            #expect(again.state == .finished)
            let records = try #require(again.tables.first { $0.name == "log_record" })
            #expect(records.rows == 350 && records.written < 350 && records.written > 0, "\(records)")
        }
    }

    @Test func `of two at once the one that began last goes on, and the other writes nothing more`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let lock = try Self.lock(folder)
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            _ = try await fill(file, records: 350)
            let overtaken = Box(false)
            let (service, tool) = (StoredService.eventIngestor, SQLiteToPostgreSQL())
            let (path, now, server) = (folder.url.path, Self.now, try await PostgreSQLServer.shared.value)
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await migrate(.eventIngestor, to: connection) { progress in
                    guard progress.table == "log_record", !overtaken.value else { return }
                    overtaken.update { $0 = true }
                    let done = DispatchSemaphore(value: 0)
                    Task.detached {
                        defer { done.signal() }
                        _ = try await tool.migrate(service, state: path, connection: connection, now: now) { _ in }
                        // So that there is something to write.
                        try await server.sql("DELETE FROM event_ingestor.log_record", in: connection)
                    }
                    done.wait()
                }
            }
            #expect(refusal?.code == .conflict && refusal?.message.hasPrefix("another migration") == true)
            try file.close()
            close(lock)
            #expect(try await migrate(.eventIngestor, to: connection).state == .finished)
        }
    }

    private static func lock(_ folder: TemporaryFolder) throws -> Int32 {
        let lock = open(folder.path("lock"), O_RDWR | O_CREAT, 0o600)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock
    }

    // MARK: - Refusals

    @Test func `a database that is in use, or filled from elsewhere, is left as it is`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let used = try await PostgreSQLEventLogStore(connection)
            try await used.remember(venue: EventSamples.venueID, exists: true)
            await used.close()
            try SQLiteEventLogStore(path: folder.path("events.sqlite")).close()
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await migrate(.eventIngestor, to: connection)
            }
            #expect(refusal?.code == .conflict)
            #expect(
                refusal?.message.hasPrefix(
                    "the schema event_ingestor is in use: its table known_venue has rows that no migration brought")
                    == true)
        }
        try await PostgreSQLServer.withDatabase { connection in
            let lock = try Self.lock(folder)
            #expect(try await migrate(.eventIngestor, to: connection).state == .copied)
            close(lock)
            let other = try TemporaryFolder()
            try SQLiteEventLogStore(path: other.path("events.sqlite")).close()
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await migrate(.eventIngestor, to: connection, from: other.url.path)
            }
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("is being filled from \(folder.path("events.sqlite")), not from") == true)
        }
    }

    @Test func `no file, one of another version and one that is damaged are told`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            func refusal() async -> EnergyError? {
                await #expect(throws: EnergyError.self) { _ = try await migrate(.eventIngestor, to: connection) }
            }
            #expect(await refusal()?.code == .notFound)
            let path = folder.path("events.sqlite")
            let file = try SQLiteEventLogStore(path: path)
            _ = try await fill(file, records: 30)
            try file.close()
            let queue = try DatabaseQueue(path: path)
            try await queue.write {
                try $0.execute(sql: "UPDATE log_record SET principal = 'somebody else' WHERE place & 3 = 1")
            }
            #expect(await refusal()?.code == .dataLoss)
            #expect(await refusal()?.message.hasPrefix("record 1 of the log's partition") == true)
            try await queue.write { try $0.execute(sql: "UPDATE log_record SET plain_bytes = 3 WHERE place & 3 = 1") }
            #expect(await refusal()?.message.hasPrefix("record 1 of the log's partition") == true)
            try await queue.write {
                try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '5 erasures'")
            }
            #expect(
                await refusal()?.message
                    == "\(path) was written by an older version of this program: start event-ingestor of this version once"
            )
            try queue.close()
        }
    }

    @Test func `a row that something else changes meanwhile is found, and nothing is finished`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let file = try SQLiteEventLogStore(path: folder.path("events.sqlite"))
            _ = try await fill(file, records: 150)
            try file.close()
            let server = try await PostgreSQLServer.shared.value
            let meddled = Box(false)
            let refusal = await #expect(throws: EnergyError.self) {
                _ = try await migrate(.eventIngestor, to: connection) { progress in
                    guard progress.done > progress.total / 2, !meddled.value else { return }
                    meddled.update { $0 = true }
                    let done = DispatchSemaphore(value: 0)
                    Task.detached {
                        defer { done.signal() }
                        try await server.sql("DELETE FROM event_ingestor.known_event", in: connection)
                    }
                    done.wait()
                }
            }
            #expect(refusal?.code == .dataLoss)
            #expect(refusal?.message.contains("rows of log_record are not as they were copied") == true)
            let half = await #expect(throws: EnergyError.self) { _ = try await PostgreSQLEventLogStore(connection) }
            #expect(half?.code == .unavailable)
        }
    }

    @Test func `the files stay as they are`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            let path = folder.path("events.sqlite")
            let file = try SQLiteEventLogStore(path: path)
            _ = try await fill(file, records: 30)
            try file.close()
            let before = try Data(contentsOf: URL(filePath: path))
            _ = try await migrate(.eventIngestor, to: connection)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(Set(names) == ["events.sqlite", "lock"])
        }
    }
}
