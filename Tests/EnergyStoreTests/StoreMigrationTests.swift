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
struct StoreMigrationTests: StoreMigrating {
    let folder: TemporaryFolder
    private static let all = Interval(
        start: Timestamp(unixMilliseconds: 0), milliseconds: 100_000 * .millisecondsPerDay)

    init() throws { folder = try TemporaryFolder() }

    @Test func `what no service has stored is moved too, and each starts on it`() async throws {
        try await PostgreSQLServer.withDatabase { connection in
            try makeFiles()
            for service in StoredService.allCases {
                #expect(try await migrate(service, to: connection).state == .finished, "\(service)")
            }
            for service in StoredService.allCases { try await Self.start(service, on: connection) }
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
            let database = try await PostgreSQLGuidanceStore(connection, timeout: .seconds(60))
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
            let database = try await PostgreSQLScheduleStore(connection, timeout: .seconds(60))
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
            let database = try await PostgreSQLInsightStore(connection, timeout: .seconds(60))
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
}
