import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GRDB
import PostgreSQLStore
import Testing

@testable import SQLiteStore

/// What stores other than the log keep of a device or a venue: shown in full, and erased from the files too.
struct PersonalDataTests {
    private let folder: TemporaryFolder
    private let name = "a-device-that-nobody-shall-find"
    private let other = EventSamples.id(50)

    init() throws { folder = try TemporaryFolder() }

    private func holds(_ text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { name in
            try Data(contentsOf: URL(filePath: folder.path(name))).range(of: Data(text.utf8)) != nil
        }
    }

    private func all(_ store: any DocumentStore, _ subject: DataSubject, page: Int = 7) async throws -> [StoredDocument]
    {
        var documents: [StoredDocument] = []
        while true {
            let next = try await store.documents(of: subject, skipped: documents.count, countMax: page)
            documents += next
            if next.count < page { return documents }
        }
    }

    private func object(_ document: StoredDocument) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(document.json.utf8)) as? [String: Any])
    }

    /// - Parameter holds: whether some text is in the store's files.
    private func eraseInsights(
        _ store: any InsightStore & DocumentStore, holds: (String) async throws -> Bool
    ) async throws {
        var effects = InsightEffects(partition: 1, after: 0, through: 1)
        for (index, device) in [name, "car-2"].enumerated() {
            let series = InsightSeries(
                venueID: EventSamples.venueID, deviceID: device, kind: .electricVehicle, direction: .imported)
            for quarter in Int64(0)..<20 {
                let start = Timestamp(unixMilliseconds: quarter * InsightBucket.milliseconds)
                effects.tallies[series, default: []].add(
                    InsightTally(amount: InsightAmount(energy: Energy(milliwattHours: 5), runtimeMilliseconds: 1)),
                    to: QuarterClass(start: start, class: .unknown))
            }
            let key = SessionKey(venueID: EventSamples.venueID, sessionID: EventSamples.id(UInt64(60 + index)))
            effects.sessions[key] = CountedSession(
                key: key, series: series, began: EventSamples.now, timestamp: EventSamples.now,
                energy: Energy(milliwattHours: 5),
                powerMilliwatts: nil, isRunning: false, isOver: true)
            effects.statuses.append(
                Activity(
                    id: EventSamples.id(UInt64(70 + index)), venueID: EventSamples.venueID,
                    device: Device(id: device, name: device, kind: .electricVehicle), time: EventSamples.now,
                    content: .status(
                        VehicleStatus(status: .pluggedIn, stateOfCharge: 5, energyMilliwattHours: 6))))
        }
        #expect(try await store.apply(effects))
        let subject = DataSubject(venueID: EventSamples.venueID, deviceID: name)
        let documents = try await all(store, subject)
        // A day of buckets is one.
        #expect(documents.map(\.kind) == ["bucket", "session", "status"])
        #expect((try object(documents[0])["buckets"] as? [Any])?.count == 20)
        #expect(try documents.allSatisfy { try object($0)["device_id"] as? String == name })
        #expect(
            try object(documents[0])["venue_id"] as? String == EventSamples.venueID.uuidString.lowercased())
        let counts = try await store.erase(venueID: EventSamples.venueID) { $0 == name }
        #expect(counts == ["bucket", "session", "status"].map { ErasedCount(kind: $0, count: 1) })
        #expect(try await all(store, subject) == [])
        #expect(try await all(store, DataSubject(venueID: EventSamples.venueID)).count == 3)
        #expect(try await store.positions().map(\.sequence) == [1])
        #expect(try await !holds(name))
        #expect(try await holds("car-2"))
    }

    @Test func `insights of a device are shown and erased, those of others stay`() async throws {
        let store = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
        try await eraseInsights(store) { try !holds($0).isEmpty }
        try store.close()
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    func `insights of a device are erased from PostgreSQL, those of others stay`() async throws {
        try await withServer { server, connection in
            let store = try await PostgreSQLInsightStore(connection, timeout: .seconds(60))
            try await eraseInsights(store) { try await files(of: server, connection, hold: $0) }
            await store.close()
        }
    }

    @Test func `a device's goals and plans are shown and erased`() async throws {
        let store = try SQLiteScheduleStore(path: folder.path("schedules.sqlite"))
        var random = SplitMix64(seed: 1)
        let records = try (0..<20).map { _ in try DeviceRecord.random(using: &random) }
        try await store.save(records, positions: [])
        for venueID in Set(records.map(\.device.venueID)) {
            let subject = DataSubject(venueID: venueID)
            #expect(try await !all(store, subject).isEmpty)
            _ = try await store.erase(subject)
            #expect(try await all(store, subject) == [])
        }
        #expect(try await store.load().records == [])
        for record in records { #expect(try holds(record.device.device.name) == []) }
        try store.close()
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    func `a device's goals and plans in PostgreSQL are shown and erased, from its tables' files too`() async throws {
        // One of its own: what others can still see is not removed yet.
        let server = try await PostgreSQLServer()
        let connection = try await server.database()
        let store = try await PostgreSQLScheduleStore(connection, timeout: .seconds(60))
        var random = SplitMix64(seed: 1)
        let records = try (0..<20).map { _ in try DeviceRecord.random(using: &random) }
        try await store.save(records, positions: [])
        let venues = Set(records.map(\.device.venueID))
        for venueID in venues {
            for deviceID in ["car", "hvac"] {
                let subject = DataSubject(venueID: venueID, deviceID: deviceID)
                let documents = try await all(store, subject)
                #expect(documents.count == (try await all(store, subject, page: 1)).count)
                #expect(
                    try documents.allSatisfy {
                        try object($0)["device_id"] as? String == deviceID
                            && object($0)["venue_id"] as? String == venueID.uuidString.lowercased()
                    })
            }
            let subject = DataSubject(venueID: venueID)
            let documents = try await all(store, subject)
            #expect(!documents.isEmpty)
            let counts = try await store.erase(subject)
            #expect(counts.map(\.count).reduce(0, +) == documents.count)
            #expect(try await all(store, subject) == [])
        }
        #expect(try await store.load().records == [])
        // What the table was made anew from has no pages left.
        #expect(try await server.sql("SELECT pg_relation_size('scheduler.device')", in: connection) == "0")
        await store.close()
        try await server.stop()
    }

    private func venue(_ id: UUID, _ name: String, _ changed: Int64) -> Venue {
        Venue(
            id: id, name: name, timeZone: .gmt, region: "CISO", homeIDs: [EventSamples.id(UInt64(changed))],
            changed: Timestamp(unixMilliseconds: changed))
    }

    /// - Parameter holds: whether some text is in the store's files.
    private func eraseVenue(
        _ store: any GuidanceStore & DocumentStore, holds: (String) async throws -> Bool
    ) async throws {
        let first = try await store.putVenue(venue(EventSamples.venueID, "Secret Cabin", 1))
        try await store.putVenue(venue(EventSamples.venueID, "Secret Lodge", 2))
        try await store.putVenue(venue(other, "Neighbours' Home", 3))
        try await store.addAsker("secret-charger", venueID: EventSamples.venueID, at: EventSamples.now)
        #expect(try await all(store, DataSubject(venueID: EventSamples.venueID)).count == 5)
        #expect(try await all(store, DataSubject(venueID: EventSamples.venueID, deviceID: "car-1")) == [])
        let counts = try await store.eraseVenue(EventSamples.venueID)
        #expect(counts.first { $0.kind == "venue_revisions" }?.count == 2)
        #expect(try await store.venues().map(\.name) == ["Neighbours' Home"])
        #expect(try await store.venueRevisions(EventSamples.venueID) == [])
        #expect(try await store.askers(venueID: EventSamples.venueID) == [])
        for text in ["Secret Cabin", "Secret Lodge", "secret-charger"] { #expect(try await !holds(text), "\(text)") }
        #expect(try await holds("Neighbours' Home"))
        let again = try await store.putVenue(venue(EventSamples.venueID, "Cabin", 4))
        #expect(again > first)
        #expect(try await store.venueNumbers().count == 2)
    }

    @Test func `a venue is erased with its past, and its number never given again`() async throws {
        let store = try SQLiteGuidanceStore(path: folder.path("guidance.sqlite"))
        try await eraseVenue(store) { try !holds($0).isEmpty }
        try store.close()
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    func `a venue is erased from PostgreSQL with its past, and its number never given again`() async throws {
        try await withServer { server, connection in
            let store = try await PostgreSQLGuidanceStore(connection, timeout: .seconds(60))
            try await eraseVenue(store) { try await files(of: server, connection, hold: $0) }
            await store.close()
        }
    }

    /// One of its own: what others can still see is not removed yet.
    private func withServer(_ body: (PostgreSQLServer, _ connection: String) async throws -> Void) async throws {
        let server = try await PostgreSQLServer()
        try await body(server, server.database())
        try await server.stop()
    }

    private func files(of server: PostgreSQLServer, _ connection: String, hold text: String) async throws -> Bool {
        try await server.sql("CHECKPOINT", in: connection)
        return FileManager.default.enumerator(atPath: server.folder.path("data/base"))?.contains { file in
            let data = FileManager.default.contents(atPath: server.folder.path("data/base/\(file)"))
            return data?.range(of: Data(text.utf8)) != nil
        } ?? true
    }
}
