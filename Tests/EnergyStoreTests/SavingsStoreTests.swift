import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GRDB
import Testing

@testable import SQLiteStore

/// What every ``InsightStore`` promises of savings.
struct SavingsStoreTests {
    private static let venueID = UUID()
    private static let span = 100 * Int64.millisecondsPerDay

    private struct Draw {
        var random: SplitMix64

        mutating func worth(of energy: Energy) -> [InsightClass: InsightTally] {
            let currencies: [String?] = [nil, "EUR", "USD"]
            let kinds: [SignalKind?] = [nil, .averageDirect, .marginal]
            let item = InsightClass(
                cleanliness: .unknown, peak: .unknown, currency: currencies.randomElement(using: &random) ?? nil,
                carbonKind: kinds.randomElement(using: &random) ?? nil)
            return [
                item: InsightTally(
                    amount: InsightAmount(energy: energy, runtimeMilliseconds: 1),
                    costMicros: item.isPriced ? .random(in: -9_000_000...9_000_000, using: &random) : 0,
                    carbonMilligrams: item.isCarbonKnown ? .random(in: 0...9_000_000, using: &random) : 0)
            ]
        }

        mutating func session() throws -> CountedSession {
            let began = Int64.random(in: 0..<span, using: &random)
            let energy = Energy(milliwattHours: Bool.random(using: &random) ? 0 : .random(in: 1...99, using: &random))
            let baseline = SessionBaseline(
                interval: Interval(start: Timestamp(unixMilliseconds: began), milliseconds: 9),
                power: try Power(milliwatts: 7), worth: InsightWorth(worth(of: energy)))
            return CountedSession(
                key: SessionKey(venueID: venueID, sessionID: UUID()),
                series: InsightSeries(
                    venueID: venueID,
                    deviceID: ["car", "boat"].randomElement(using: &random) ?? "",
                    kind: [.electricVehicle, .hvac].randomElement(using: &random) ?? .hvac,
                    direction: Int.random(in: 0..<4, using: &random) == 0 ? .exported : .imported),
                began: Timestamp(unixMilliseconds: began), timestamp: Timestamp(unixMilliseconds: began + 9),
                energy: energy, powerMilliwatts: nil, isRunning: false, isOver: true,
                wasFollowingGuidance: .random(using: &random), tallies: worth(of: energy),
                baseline: .random(using: &random) ? baseline : nil)
        }
    }

    @Test(arguments: InsightStoreKind.allCases, 1...UInt64(20))
    func `sums are those of the sessions, whatever they are and whichever are asked about`(
        kind: InsightStoreKind, seed: UInt64
    ) async throws {
        var draw = Draw(random: SplitMix64(seed: seed))
        let sessions = try (0..<200).map { _ in try draw.session() }
        try await kind.run { store in
            _ = try await store.apply(effects(sessions))
            for (device, kind) in [(nil, nil), ("car", nil), (nil, Device.Kind.hvac), ("none", nil)] {
                let start = Int64.random(in: 0..<Self.span, using: &draw.random)
                let range = Interval(start: Timestamp(unixMilliseconds: start), milliseconds: Self.span - start)
                let query = SessionQuery(venueID: Self.venueID, deviceID: device, deviceKind: kind, range: range)
                let found = try await store.sessions(query, after: nil, limit: 999).sessions.map { SessionInsight($0) }
                let answer = try await store.savings(SavingsQuery(sessions: query, newest: 7))
                #expect(answer.savings == Savings(found))
                let compared = found.filter { SessionSaving($0)?.isCompared ?? false }
                #expect(answer.newest == compared.reversed().prefix(7).map(\.self))
                #expect(answer.savings.comparedCount == compared.count)
                #expect(answer.applied == [LogHead(partition: 0, sequence: 1)])
            }
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `a session that is counted on, or taken back, counts as it is now`(
        kind: InsightStoreKind
    ) async throws {
        try await kind.run { store in
            let session = try saving(micros: 5)
            _ = try await store.apply(effects([session]))
            _ = try await store.apply(effects([try saving(micros: 7, key: session.key)], after: 1))
            #expect(try await sum(store).costs == [Money(micros: 7, currency: "EUR")])
            #expect(try await sum(store).sessionCount == 1)
            _ = try await store.erase(venueID: Self.venueID) { $0 == "car" }
            #expect(try await sum(store) == .none)
        }
    }

    @Test(arguments: InsightStoreKind.allCases)
    func `sums beyond all numbers saturate`(kind: InsightStoreKind) async throws {
        try await kind.run { store in
            _ = try await store.apply(effects(try (0..<3).map { _ in try saving(micros: .max) }))
            #expect(try await sum(store).costs == [Money(micros: .max, currency: "EUR")])
        }
    }

    @Test func `what a version counted that kept no savings is summed too`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("insights.sqlite")
        let store = try SQLiteInsightStore(path: path)
        _ = try await store.apply(effects([try saving(micros: 5), try saving(micros: 6)]))
        try store.close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(
                sql: """
                    DROP INDEX session_by_begin;
                    CREATE INDEX session_by_begin ON session (series_id, began_unix_ms);
                    DELETE FROM grdb_migrations WHERE identifier = '15 what sessions saved';
                    """)
            for column in ["moved_mwh", "followed", "saved_class", "saved_micros", "saved_mg"] {
                try db.execute(sql: "ALTER TABLE session DROP COLUMN \(column)")
            }
        }
        try queue.close()
        let migrated = try SQLiteInsightStore(path: path)
        #expect(try await sum(migrated).costs == [Money(micros: 11, currency: "EUR")])
        try migrated.close()
    }

    @Test func `sums of years read the index alone`() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteInsightStore(path: folder.path("insights.sqlite"))
        let plan = try await store.database.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + SavingsRow.sumSQL, arguments: [1, 2, 3])
                .map { $0["detail"] as String }
        }
        #expect(plan.first?.contains("USING COVERING INDEX session_by_begin") == true, "\(plan)")
        try store.close()
    }

    private func saving(micros: Int64, key: SessionKey? = nil) throws -> CountedSession {
        let energy = Energy(milliwattHours: 9)
        let item = InsightClass(cleanliness: .unknown, peak: .unknown, currency: "EUR")
        return CountedSession(
            key: key ?? SessionKey(venueID: Self.venueID, sessionID: UUID()),
            series: InsightSeries(
                venueID: Self.venueID, deviceID: "car", kind: .electricVehicle, direction: .imported),
            began: Timestamp(unixMilliseconds: 5), timestamp: Timestamp(unixMilliseconds: 9), energy: energy,
            powerMilliwatts: nil, isRunning: false, isOver: true,
            tallies: [item: InsightTally(amount: InsightAmount(energy: energy, runtimeMilliseconds: 1))],
            baseline: SessionBaseline(
                interval: Interval(start: Timestamp(unixMilliseconds: 5), milliseconds: 4),
                power: try Power(milliwatts: 7),
                worth: InsightWorth(costs: [Money(micros: micros, currency: "EUR")], pricedEnergy: energy)))
    }

    private func sum(_ store: any InsightStore) async throws -> Savings {
        let range = Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: Self.span)
        return try await store.savings(SavingsQuery(sessions: SessionQuery(venueID: Self.venueID, range: range)))
            .savings
    }

    private func effects(_ sessions: [CountedSession], after: UInt64 = 0) -> InsightEffects {
        InsightEffects(
            partition: 0, after: after, through: after + 1,
            sessions: Dictionary(uniqueKeysWithValues: sessions.map { ($0.key, $0) }))
    }
}
