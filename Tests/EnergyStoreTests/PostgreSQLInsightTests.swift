import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import SQLColumns
import Testing

@testable import PostgreSQLStore

/// What the insight store in PostgreSQL promises to several services, and where a commit's answer is lost.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
struct PostgreSQLInsightTests {
    private let venueID = UUID()
    private let grid = PeriodGrid(
        CalendarPeriods(.hourly, timeZone: .gmt),
        touching: Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: .millisecondsPerHour))

    private var series: InsightSeries {
        InsightSeries(venueID: venueID, deviceID: "car", kind: .electricVehicle, direction: .imported)
    }

    private func effects(_ sequence: UInt64, partition: Int = 0, repeated: Bool = false) -> InsightEffects {
        let session = CountedSession(
            key: SessionKey(venueID: venueID, sessionID: EventSamples.id(sequence)), series: series,
            began: Timestamp(unixMilliseconds: 1), timestamp: Timestamp(unixMilliseconds: 9),
            energy: Energy(milliwattHours: 5), powerMilliwatts: nil, isRunning: false, isOver: true)
        let key = QuarterClass(quarter: Int32(sequence % 4), class: .unknown)
        let tally = InsightTally(amount: InsightAmount(energy: Energy(milliwattHours: 5), runtimeMilliseconds: 1))
        return InsightEffects(
            partition: partition, after: repeated ? sequence : sequence - 1, through: sequence,
            sessions: [session.key: session], tallies: [series: [QuarterTally(key: key, tally: tally)]])
    }

    private func energy(_ store: some InsightStore) async throws -> Int64 {
        let scope = InsightScope(venueID: venueID, deviceID: nil, direction: .imported)
        return try await store.totals(of: scope, over: grid, from: 0, limit: 9).entries
            .reduce(0) { $0 + $1.tally.amount.energy.milliwattHours }
    }

    @Test func `what several services count at once is counted once`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let stores = [
            try await PostgreSQLInsightStore(connection, timeout: .seconds(60)),
            try await PostgreSQLInsightStore(connection, timeout: .seconds(60)),
        ]
        let last = UInt64(40)
        let counted = try await withThrowingTaskGroup { group in
            for worker in 0..<4 {
                group.addTask { [store = stores[worker % 2]] in
                    var counted = 0
                    for sequence in 1...last where try await store.apply(effects(sequence)) { counted += 1 }
                    return counted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(counted == Int(last))
        for store in stores {
            #expect(try await store.positions() == [LogHead(partition: 0, sequence: last)])
            #expect(try await energy(store) == Int64(last) * 5)
            await store.close()
        }
    }

    @Test func `a rebuild that takes its place while others count leaves nothing out`() async throws {
        let connection = try await PostgreSQLServer.shared.value.database()
        let stores = [
            try await PostgreSQLInsightStore(connection, timeout: .seconds(60)),
            try await PostgreSQLInsightStore(connection, timeout: .seconds(60)),
        ]
        let rebuilt = try await stores[0].beginRebuild()
        for sequence in UInt64(1)...20 {
            _ = try await rebuilt.apply(effects(sequence))
            _ = try await stores[1].apply(effects(sequence))
        }
        try await withThrowingTaskGroup { group in
            group.addTask {
                for sequence in UInt64(21)...40 { _ = try await stores[1].apply(effects(sequence)) }
            }
            group.addTask {
                // As far as the other is at that moment, or not at all.
                var sequence = UInt64(20)
                while true {
                    do { return try await stores[0].finishRebuild() } catch let error as EnergyError {
                        #expect(error.code == .conflict)
                        if sequence < 40 { sequence += 1 }
                        _ = try await rebuilt.apply(effects(sequence))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[1].positions() == [LogHead(partition: 0, sequence: 40)])
        #expect(try await energy(stores[1]) == 200)
        for store in stores { await store.close() }
    }

    @Test func `records whose commit is answered by nobody are counted, and announced, once`() async throws {
        let server = try await PostgreSQLServer.shared.value
        let name = try #require(try await server.database().split(separator: "/").last)
        let proxy = try CuttingProxy(
            to: server.port, cutsAt: Data([UInt8(ascii: "C"), 0, 0, 0, 11] + Array("COMMIT\0".utf8)))
        let store = try await PostgreSQLInsightStore(
            server.connection(String(name), hosts: "127.0.0.1:\(proxy.port)") + "?sslmode=disable",
            timeout: .seconds(60))
        for sequence in UInt64(1)...3 {
            proxy.arm()
            #expect(try await store.apply(effects(sequence)))
        }
        #expect(proxy.cuts == 3)
        #expect(try await energy(store) == 15)
        #expect(try await !store.apply(effects(3)))
        // What moves no position cannot be told from what did not happen: nobody says that it did.
        proxy.arm()
        await #expect(throws: EnergyError.self) { try await store.apply(effects(3, repeated: true)) }
        #expect(try await energy(store) == 20)
        await store.close()
    }

    @Test func `sums of years read the index alone`() async throws {
        let store = try await PostgreSQLInsightStore(PostgreSQLServer.shared.value.database())
        var many = effects(1)
        for number in UInt64(2)...500 { many.sessions.merge(effects(number).sessions) { $1 } }
        _ = try await store.apply(many)
        try await store.database.runAlone("VACUUM (ANALYZE) session", timeout: .seconds(60))
        let plan = try await store.database.read { transaction in
            // So few rows would be read at once.
            try transaction.send("SET LOCAL enable_seqscan = off")
            try transaction.send("SET LOCAL enable_bitmapscan = off")
            let values: [(any PostgreSQLParameter)?] = [venueID, Int64(1), Int64(0), Int64(9), nil, nil]
            return try transaction.query("EXPLAIN " + PostgreSQLInsightStore.sumSQL, values)
                .map { try $0["QUERY PLAN"] as String }
        }
        #expect(plan.contains { $0.contains("Index Only Scan using session_by_begin") }, "\(plan)")
        await store.close()
    }
}
