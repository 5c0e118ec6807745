import EnergyModel
import EnergyStore
import Foundation
import GRDB
import Testing

@testable import SQLColumns
@testable import SQLiteStore

/// What every ``InsightStore`` promises.
struct InsightStoreTests {
    typealias Kind = InsightStoreKind

    private let venueID = UUID()
    private static let quarter = InsightBucket.milliseconds

    @Test(arguments: Kind.allCases)
    func `an empty store has no positions and no totals`(kind: Kind) async throws {
        try await kind.run { store in
            #expect(try await store.positions().isEmpty)
            let totals = try await store.totals(of: scope(), over: hours(10), from: 0, limit: 10)
            #expect(totals == InsightTotals(entries: [], next: nil, applied: []))
        }
    }

    @Test(arguments: Kind.allCases)
    func `records count once, in order, and a gap is a conflict`(kind: Kind) async throws {
        try await kind.run { store in
            let effects = effects(3, after: 0, through: 2, [(bucket(0), 5)])
            #expect(try await store.apply(effects))
            #expect(try await !store.apply(effects))
            #expect(try await !store.apply(self.effects(3, after: 0, through: 1, [(bucket(0), 7)])))
            await #expect(throws: EnergyError.self) {
                _ = try await store.apply(self.effects(3, after: 4, through: 5, [(bucket(0), 7)]))
            }
            await #expect(throws: EnergyError.self) {
                _ = try await store.apply(self.effects(3, after: 1, through: 3, [(bucket(0), 7)]))
            }
            #expect(try await store.apply(self.effects(1, after: 0, through: 9)))
            #expect(try await store.apply(self.effects(3, after: 2, through: 3, [(bucket(0), 11)])))
            let heads = [LogHead(partition: 1, sequence: 9), LogHead(partition: 3, sequence: 3)]
            #expect(try await store.positions() == heads)
            let totals = try await store.totals(of: scope(), over: hours(1), from: 0, limit: 10)
            #expect(energies(totals) == [16])
            #expect(totals.applied == heads)
        }
    }

    @Test(arguments: Kind.allCases)
    func `totals are summed by period and class, and periods without anything are left out`(kind: Kind) async throws {
        try await kind.run { store in
            let clean = InsightClass(cleanliness: .cleaner, peak: .criticalPeak)
            let buckets = [
                (bucket(0), Int64(1)), (bucket(3), 2), (bucket(3, clean), 4), (bucket(4), 8), (bucket(400), 16),
                (bucket(404), 32),
            ]
            _ = try await store.apply(effects(0, after: 0, through: 1, buckets))
            let totals = try await store.totals(of: scope(), over: hours(101), from: 0, limit: 101)
            #expect(totals.entries.map(\.period) == [0, 0, 1, 100])
            #expect(
                totals.entries.prefix(2) == [
                    InsightTotals.Entry(period: 0, class: .unknown, tally: tally(1) + tally(2)),
                    InsightTotals.Entry(period: 0, class: clean, tally: tally(4)),
                ])
            #expect(energies(totals) == [7, 8, 16])
            #expect(totals.next == nil)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a limit cuts the answer, and the next page goes on`(kind: Kind) async throws {
        try await kind.run { store in
            _ = try await store.apply(
                effects(0, after: 0, through: 1, (0..<10).map { (bucket($0 * 8), Int64($0 + 1)) }))
            var (found, next) = ([Int64](), Int?.some(0))
            while let first = next {
                let totals = try await store.totals(of: scope(), over: hours(100), from: first, limit: 4)
                #expect(Set(totals.entries.map(\.period)).count <= 4)
                found += energies(totals)
                next = totals.next
            }
            #expect(found == (1...10).map { Int64($0) })
        }
    }

    @Test(arguments: Kind.allCases)
    func `devices, directions and venues are apart, and a venue is all its devices`(kind: Kind) async throws {
        try await kind.run { store in
            let other = InsightSeries(venueID: UUID(), deviceID: "car", kind: .electricVehicle, direction: .imported)
            let buckets = [
                (bucket(0), Int64(1)), (bucket(0, device: "heat pump"), 2), (bucket(1, direction: .exported), 4),
                (InsightBucket(series: other, start: Timestamp(unixMilliseconds: 0), class: .unknown), 8),
            ]
            _ = try await store.apply(effects(0, after: 0, through: 1, buckets))
            let scopes = [
                (scope(), Int64(1)), (scope(device: "heat pump"), 2), (scope(direction: .exported), 4),
                (scope(device: nil), 3), (scope(device: nil, direction: .exported), 4),
            ]
            for (scope, energy) in scopes {
                let totals = try await store.totals(of: scope, over: hours(1), from: 0, limit: 9)
                #expect(energies(totals) == [energy])
            }
            let unknown = try await store.totals(of: scope(device: "boat"), over: hours(1), from: 0, limit: 9)
            #expect(unknown.entries.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func `sessions come back as they were last stored`(kind: Kind) async throws {
        try await kind.run { store in
            let first = session(energy: 5, power: nil, isOver: false)
            let second = session(energy: 0, power: 7_200_000, isOver: true)
            var effects = effects(0, after: 0, through: 1)
            effects.sessions = [first.key: first, second.key: second]
            _ = try await store.apply(effects)
            let later = CountedSession(
                key: first.key, series: first.series, began: first.began,
                pluggedIn: Timestamp(unixMilliseconds: 7), timestamp: Timestamp(unixMilliseconds: 77),
                energy: Energy(milliwattHours: 9), powerMilliwatts: 0, isRunning: false, isOver: true,
                wasFollowingGuidance: true, stateOfChargeAtBegin: 20, stateOfChargeAtLast: 80,
                powerMilliwattsMax: 7_200_000, meanPowerMilliwattsMax: 7_100_000, sequences: 1...2, isRepaired: true,
                tallies: [InsightClass(cleanliness: .avoid, peak: .onPeak, currency: "EUR"): tally(9)],
                baseline: SessionBaseline(
                    interval: Interval(start: Timestamp(unixMilliseconds: 12), milliseconds: 65),
                    power: try Power(milliwatts: 7_200_000),
                    worth: InsightWorth(
                        costs: [Money(micros: -5, currency: "EUR"), Money(micros: 7, currency: "USD")],
                        pricedEnergy: Energy(milliwattHours: 8),
                        carbon: [CarbonMass(milligrams: 3, kind: .marginal, energy: Energy(milliwattHours: 9))])))
            effects = self.effects(0, after: 1, through: 2)
            effects.sessions = [later.key: later]
            _ = try await store.apply(effects)
            let stranger = SessionKey(venueID: UUID(), sessionID: first.key.sessionID)
            let found = try await store.sessions([first.key, second.key, stranger])
            #expect(found == [first.key: later, second.key: second])
            for (end, expected) in [(Int64(7), 0), (8, 1), (12, 1), (13, 2)] {
                let interval = Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: end)
                let touching = try await store.sessions(venueID: venueID, touching: interval)
                #expect(touching.count == expected, "from plug-in on: before \(end)")
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `a vehicle's sessions and words are found by their time, whatever was stored first`(kind: Kind) async throws {
        try await kind.run { store in
            let day = Int64.millisecondsPerDay
            func session(
                _ began: Int64, _ device: String = "car", _ kind: Device.Kind = .electricVehicle, out: Bool = false
            ) -> CountedSession {
                CountedSession(
                    key: SessionKey(venueID: venueID, sessionID: UUID()),
                    series: InsightSeries(
                        venueID: venueID, deviceID: device, kind: kind, direction: out ? .exported : .imported),
                    began: Timestamp(unixMilliseconds: began), timestamp: Timestamp(unixMilliseconds: began + 9),
                    energy: .zero, powerMilliwatts: nil, isRunning: false, isOver: true)
            }
            func word(_ time: Int64, _ status: VehicleStatus.Status, _ device: String = "car") -> Activity {
                Activity(
                    id: UUID(), venueID: venueID, device: Device(id: device, name: device, kind: .electricVehicle),
                    time: Timestamp(unixMilliseconds: time),
                    content: .status(VehicleStatus(status: status, stateOfCharge: 5, energyMilliwattHours: 6)))
            }
            let wanted = [session(20 * day), session(20 * day + 5, out: true), session(21 * day - 1)]
            let before = [session(18 * day), session(19 * day, out: true)]
            let others = [session(20 * day, "other"), session(21 * day), session(20 * day, "car", .hvac)]
            var effects = effects(0, after: 0, through: 1)
            for session in (others + wanted + before).shuffled() { effects.sessions[session.key] = session }
            effects.statuses = [
                word(21 * day, .unplugged), word(7 * day, .idle(.unknown)), word(6 * day, .pluggedIn),
                word(6 * day - 1, .pluggedIn), word(8 * day, .unplugged, "other"), word(21 * day - 1, .unplugged),
            ]
            _ = try await store.apply(effects)
            let vehicles = [
                VehicleKey(venueID: venueID, deviceID: "car"): Interval(
                    start: Timestamp(unixMilliseconds: 20 * day), milliseconds: day)
            ]
            #expect(try await store.sessions(of: vehicles) == [VehicleKey(venueID: venueID, deviceID: "car"): wanted])
            let history = try #require(try await store.plugHistories(of: vehicles).values.first)
            #expect(history.previous == before[1])
            #expect(history.words.map(\.time.unixMilliseconds) == [6 * day, 7 * day, 21 * day - 1])
            #expect(history.words.map(\.status) == [.pluggedIn, .idle(.unknown), .unplugged])
        }
    }

    @Test(arguments: [false, true])
    func `what an earlier version counted is by its rules until it is counted anew`(isForgotten: Bool) async throws {
        try await Kind.sqlite.run { store in
            let rules = try await store.rules()
            #expect(rules == InsightRules.version)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "insights.sqlite").path
        let file = try DatabaseQueue(path: path)
        try SQLiteInsightStore.migrator.migrate(file, upTo: "10 statuses in the order of the log")
        try await file.write { try $0.execute(sql: "INSERT INTO position VALUES (1, 3, 9, NULL)") }
        try file.close()
        let store = try SQLiteInsightStore(path: path)
        #expect(try await store.rules() == 1)
        if isForgotten {
            try await store.adopt(log: UUID(), anew: true)
        } else {
            let rebuilt = try await store.beginRebuild()
            #expect(try await rebuilt.rules() == InsightRules.version)
            _ = try await rebuilt.apply(effects(3, after: 0, through: 9))
            #expect(try await store.rules() == 1)
            try await store.finishRebuild()
        }
        #expect(try await store.rules() == InsightRules.version)
        try store.close()
    }

    @Test(arguments: Kind.allCases)
    func `an erased store is as a new one`(kind: Kind) async throws {
        try await kind.run { store in
            let session = session(energy: 5, power: nil, isOver: false)
            var effects = effects(0, after: 0, through: 1, [(bucket(0), 5)])
            effects.sessions = [session.key: session]
            _ = try await store.apply(effects)
            try await store.adopt(log: nil, anew: true)
            #expect(try await store.positions().isEmpty)
            #expect(try await store.sessions([session.key]).isEmpty)
            #expect(try await store.apply(effects))
            #expect(try await energies(store.totals(of: scope(), over: hours(1), from: 0, limit: 9)) == [5])
        }
    }

    @Test(arguments: Kind.allCases)
    func `claims beyond all numbers saturate`(kind: Kind) async throws {
        try await kind.run { store in
            for sequence in UInt64(1)...3 {
                _ = try await store.apply(effects(0, after: sequence - 1, through: sequence, [(bucket(0), .max)]))
            }
            #expect(try await energies(store.totals(of: scope(), over: hours(1), from: 0, limit: 9)) == [.max])
        }
    }

    @Test func `a SQLite store stands where it stood after it was closed`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "insights.sqlite").path()
            let first = try SQLiteInsightStore(path: path)
            _ = try await first.apply(effects(2, after: 0, through: 4, [(bucket(0), 5)]))
            try first.close()
            let second = try SQLiteInsightStore(path: path)
            #expect(try await second.positions() == [LogHead(partition: 2, sequence: 4)])
            #expect(try await energies(second.totals(of: scope(), over: hours(1), from: 0, limit: 9)) == [5])
            try second.close()
        }
    }

    @Test func `repairs of a version that kept the newest of each event are the first that are kept`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "insights.sqlite").path()
            let queue = try DatabaseQueue(path: path)
            try SQLiteInsightStore.migrator.migrate(queue, upTo: "4 what vehicles reported of their status")
            @Sendable func bytes(_ id: UUID) -> Data { withUnsafeBytes(of: id.uuid) { Data($0) } }
            let (event, other, session) = (UUID(), UUID(), UUID())
            try await queue.write { [venueID] db in
                for (id, energy, time) in [(event, Int64?.none, 9), (other, 5, 7)] {
                    try db.execute(
                        sql: "INSERT INTO repair VALUES (?, ?, ?, ?, 'why', 'anna', ?)",
                        arguments: [bytes(venueID), bytes(id), bytes(session), energy, time])
                }
            }
            try queue.close()
            let store = try SQLiteInsightStore(path: path)
            let found = try await store.repairs()
            #expect(found.map(\.eventID) == [other, event])
            #expect(found.map(\.action) == [.energy(Energy(milliwattHours: 5)), .ignore])
            #expect(found.allSatisfy { $0.before == nil && $0.sessionID == session && $0.principal == "anna" })
            try store.close()
        }
    }

    @Test func `days of a version that rated by the day of UTC are to be rated, and new ones are not`() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "insights.sqlite").path()
            let queue = try DatabaseQueue(path: path)
            try SQLiteInsightStore.migrator.migrate(queue, upTo: "5 every repair is kept")
            try await queue.write { [venueID] db in
                // No span is frozen: its columns are empty.
                try db.execute(
                    sql: "INSERT INTO frozen_day VALUES (?, 20000, 0, 0, 0, ?)",
                    arguments: [
                        withUnsafeBytes(of: venueID.uuid) { Data($0) },
                        PackedColumns.pack(.init(repeating: [], count: 7)),
                    ])
            }
            try queue.close()
            let store = try SQLiteInsightStore(path: path)
            let old = FrozenDayKey(
                venueID: venueID, start: Timestamp(unixMilliseconds: 20_000 * .millisecondsPerDay))
            let new = FrozenDayKey(venueID: venueID, start: old.start.advanced(byMilliseconds: .millisecondsPerDay))
            #expect(try await store.daysToRate(limit: 9) == [old])
            let day = try #require(try await store.frozenDays([old])[old])
            #expect(day.needsRating)
            let days = [old: day.rated(as: TermsTimeline()), new: FrozenDay(start: new.start)]
            #expect(try await store.apply(InsightEffects(partition: 0, after: 0, through: 1, frozenDays: days)))
            #expect(try await store.daysToRate(limit: 9).isEmpty)
            try store.close()
        }
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "insight-store-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func bucket(
        _ quarter: Int, _ class: InsightClass = .unknown, device: String = "car", direction: FlowDirection = .imported
    ) -> InsightBucket {
        InsightBucket(
            series: InsightSeries(venueID: venueID, deviceID: device, kind: .electricVehicle, direction: direction),
            start: Timestamp(unixMilliseconds: Int64(quarter) * Self.quarter), class: `class`)
    }

    private func tally(_ energy: Int64) -> InsightTally {
        InsightTally(
            amount: InsightAmount(energy: Energy(milliwattHours: energy), runtimeMilliseconds: energy),
            costMicros: -energy, carbonMilligrams: energy / 2)
    }

    private func effects(
        _ partition: Int, after: UInt64, through: UInt64, _ amounts: [(InsightBucket, Int64)] = []
    ) -> InsightEffects {
        var tallies: [InsightSeries: [QuarterTally]] = [:]
        for (bucket, energy) in amounts {
            let key = QuarterClass(start: bucket.start, class: bucket.class)
            tallies[bucket.series, default: []].add(tally(energy), to: key)
        }
        return InsightEffects(
            partition: partition, after: after, through: through, tallies: tallies.mapValues { $0.joined() })
    }

    private func session(energy: Int64, power: Int64?, isOver: Bool) -> CountedSession {
        CountedSession(
            key: SessionKey(venueID: venueID, sessionID: UUID()),
            series: InsightSeries(venueID: venueID, deviceID: "car", kind: .electricVehicle, direction: .exported),
            began: Timestamp(unixMilliseconds: 12), timestamp: Timestamp(unixMilliseconds: 12),
            energy: Energy(milliwattHours: energy), powerMilliwatts: power, isRunning: true, isOver: isOver)
    }

    private func scope(device: String? = "car", direction: FlowDirection = .imported) -> InsightScope {
        InsightScope(venueID: venueID, deviceID: device, direction: direction)
    }

    private func hours(_ count: Int64) -> PeriodGrid {
        PeriodGrid(
            CalendarPeriods(.hourly, timeZone: .gmt),
            touching: Interval(start: Timestamp(unixMilliseconds: 0), milliseconds: count * .millisecondsPerHour))
    }

    private func energies(_ totals: InsightTotals) -> [Int64] {
        let sums = totals.entries.reduce(into: [Int32: InsightAmount]()) { sums, entry in
            sums[entry.period, default: .zero] += entry.tally.amount
        }
        return sums.sorted { $0.key < $1.key }.map(\.value.energy.milliwattHours)
    }
}
