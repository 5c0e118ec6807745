import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import GRDB
import PostgreSQLStore
import Testing

@testable import SQLiteStore

/// What every ``ScheduleStore`` promises.
struct ScheduleStoreTests {
    enum Kind: CaseIterable { case inMemory, sqlite, postgreSQL }

    private static var kinds: [Kind] {
        Kind.allCases.filter { $0 != .postgreSQL || PostgreSQLServer.isInstalled }
    }

    private func withStore(_ kind: Kind, _ body: (any ScheduleStore) async throws -> Void) async throws {
        switch kind {
        case .inMemory: try await body(InMemoryScheduleStore())
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(SQLiteScheduleStore(path: folder.appending(path: "schedules.sqlite").path))
        case .postgreSQL:
            let store = try await PostgreSQLScheduleStore(
                PostgreSQLServer.shared.value.database(), timeout: .seconds(60))
            try await body(store)
            await store.close()
        }
    }

    @Test(arguments: kinds)
    func `a new store holds nothing`(kind: Kind) async throws {
        try await withStore(kind) { store in
            let content = try await store.load()
            #expect(content == ScheduleStoreContent())
        }
    }

    @Test(arguments: kinds, UInt64(0)..<20)
    func `records come back as they were saved, the newest of each device, sorted`(kind: Kind, seed: UInt64)
        async throws
    {
        try await withStore(kind) { (store: any ScheduleStore) async throws -> Void in
            var random = SplitMix64(seed: seed)
            var expected: [String: DeviceRecord] = [:]
            for _ in 0..<10 {
                let records = try (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    try DeviceRecord.random(using: &random)
                }
                try await store.save(records, positions: [])
                for record in records {
                    expected[record.device.venueID.uuidString + record.device.device.id] = record
                }
            }
            let found = try await store.load().records
            #expect(found == expected.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "needs the Debian package postgresql"))
    func `a partition of it holds the venues and positions of that partition, and no others`() async throws {
        let whole = try await PostgreSQLScheduleStore(
            PostgreSQLServer.shared.value.database(), timeout: .seconds(60))
        var random = SplitMix64(seed: 5)
        for _ in 0..<30 { try await whole.save([DeviceRecord.random(using: &random)], positions: []) }
        for number in UInt64(1)...20 {
            let limits = VenueLimits(venueID: EventSamples.id(number), importPower: .zero)
            try await whole.save(VenueSetup(venueID: EventSamples.id(number), limits: limits))
        }
        let heads = LogPartition.all.sorted().map { LogHead(partition: $0, sequence: 9) }
        try await whole.save([], positions: heads)
        let all = try await whole.load()
        #expect(Set(all.records.map(\.device.venueID)).count == 3)
        for partitions in [[1], [2, 3], [0, 7, 15]] as [Set<Int>] {
            var expected = all
            expected.records.removeAll { !partitions.contains(LogPartition.of(venueID: $0.device.venueID)) }
            expected.venues.removeAll { !partitions.contains(LogPartition.of(venueID: $0.venueID)) }
            expected.positions.removeAll { !partitions.contains($0.partition) }
            #expect(try await whole.partitions(partitions).load() == expected)
        }
        await whole.close()
    }

    @Test(arguments: kinds)
    func `what was set of a venue comes back, and is forgotten with its last part`(kind: Kind) async throws {
        try await withStore(kind) { (store: any ScheduleStore) async throws -> Void in
            let (venueID, start) = (EventSamples.venueID, EventSamples.now)
            let power = try Power(milliwatts: 7_000_000)
            let hour = Interval(start: start, milliseconds: .millisecondsPerHour)
            var setup = VenueSetup(
                venueID: venueID,
                limits: VenueLimits(
                    venueID: venueID, importPower: power,
                    circuits: [
                        .init(name: "fuse", powerPerPhase: power, carriesBaseLoad: true),
                        .init(name: "garage", parent: "fuse", power: power, deviceIDs: ["car", "boiler"]),
                    ], exclusive: [["car", "boiler"]],
                    demandCharge: .init(microsPerKilowatt: 4_500_000, peakSoFar: power),
                    baseLoad: [power, .zero, power], exportPrice: Price(microsPerKilowattHour: -5)),
                forecast: VenueForecast(
                    venueID: venueID, photovoltaics: [.init(interval: hour, power: power)],
                    outdoor: [.init(interval: hour, celsius: -3.25)]),
                objective: VenueObjective(money: 1, carbon: 0.125))
            try await store.save(setup)
            #expect(try await store.load().venues == [setup])
            setup.limits = nil
            try await store.save(setup)
            #expect(try await store.load().venues == [setup])
            setup.forecast = nil
            try await store.save(setup)
            #expect(try await store.load().venues == [setup])
            setup.objective = nil
            try await store.save(setup)
            #expect(try await store.load() == ScheduleStoreContent())
        }
    }

    @Test(arguments: kinds)
    func `positions only move forward`(kind: Kind) async throws {
        try await withStore(kind) { (store: any ScheduleStore) async throws -> Void in
            try await store.save(
                [], positions: [LogHead(partition: 3, sequence: 7), LogHead(partition: 1, sequence: 1)])
            try await store.save(
                [], positions: [LogHead(partition: 3, sequence: 5), LogHead(partition: 1, sequence: 2)])
            let found = try await store.load().positions
            #expect(
                found
                    == [LogHead(partition: 1, sequence: 2), LogHead(partition: 3, sequence: 7)])
        }
    }

    @Test func `a goal of the first version is still there after the update`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "schedules.sqlite").path
        let (venueID, goalID) = (EventSamples.venueID, EventSamples.id(9))
        let old = try DatabaseQueue(path: path)
        try SQLiteScheduleSchema.migrator.migrate(old, upTo: "1 devices, goals, schedules")
        try await old.write { connection in
            try connection.execute(
                sql: """
                    INSERT INTO device (venue_id, device_id, name, kind, time_zone, battery_capacity_mwh, power_max_mw,
                        efficiency, revision, goal_id, goal_ready_by_ms, goal_target, goal_amount, goal_created_ms,
                        since_state_of_charge_mwh, since_goal_mwh, reduced_since_goal_ms)
                    VALUES (?, 'car', 'Car', 'electricVehicle', 'Asia/Kolkata', 60000000, 7400000, 0.9, 4, ?, 9000,
                        'stateOfCharge', 80, 1000, 0, 5, 0)
                    """,
                arguments: [
                    withUnsafeBytes(of: venueID.uuid) { Data($0) }, withUnsafeBytes(of: goalID.uuid) { Data($0) },
                ])
        }
        try old.close()
        let record = try #require(try await SQLiteScheduleStore(path: path).load().records.first)
        #expect(
            record.goals == [
                Goal(
                    id: goalID, venueID: venueID, deviceID: "car", readyBy: Timestamp(unixMilliseconds: 9_000),
                    target: .stateOfCharge(80), created: Timestamp(unixMilliseconds: 1_000))
            ])
        #expect(record.device.vehicle?.powerMin == record.device.vehicle?.powerMax)
        #expect(record.device.vehicle?.phases == [1, 2, 3])
        #expect(record.device.rules == ChargingRules())
        #expect(record.progress.sinceGoal == Energy(milliwattHours: 5))
    }

    @Test func `a SQLite store remembers when it is opened again`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "schedules.sqlite").path
        var random = SplitMix64(seed: 1)
        let record = try DeviceRecord.random(using: &random)
        let store = try SQLiteScheduleStore(path: path)
        try await store.save([record], positions: [LogHead(partition: 0, sequence: 9)])
        try store.close()
        let again = try await SQLiteScheduleStore(path: path).load()
        #expect(
            again == ScheduleStoreContent(records: [record], positions: [LogHead(partition: 0, sequence: 9)]))
    }
}

extension DeviceRecord {
    /// One of six devices, in any state that the scheduler saves.
    static func random(using random: inout SplitMix64) throws -> DeviceRecord {
        let venueID = EventSamples.id(UInt64.random(in: 1...3, using: &random))
        let isCar = Bool.random(using: &random)
        let device = Device(id: isCar ? "car" : "hvac", name: "A name", kind: isCar ? .electricVehicle : .hvac)
        func time() -> Timestamp { Timestamp(unixMilliseconds: .random(in: 0...2_000_000_000_000, using: &random)) }
        func energy() -> Energy { Energy(milliwattHours: .random(in: 0...90_000_000, using: &random)) }
        func power() throws -> Power { try Power(milliwatts: .random(in: 0...11_000_000, using: &random)) }
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }

        var record = DeviceRecord(
            device: ManagedDevice(
                device: device, venueID: venueID,
                vehicle: isCar
                    ? VehicleTraits(
                        batteryCapacity: energy(), powerMax: try power(), efficiency: 0.93,
                        powerStep: maybe(try power()),
                        currentStep: maybe(.init(milliamperes: 1_000, millivolts: 231_000)),
                        taper: maybe(.init(percent: 80, powerAtFull: try power()))) : nil,
                rules: ChargingRules(
                    stateOfChargeMin: 20, priceMax: maybe(Price(microsPerKilowattHour: -3)), carbonMax: maybe(250.5),
                    absences: [
                        .once(Interval(start: time(), milliseconds: 9)),
                        .weekly(Weekdays(rawValue: 3), startMinute: 480, endMinute: 0),
                    ], priority: -2,
                    shape: ChargingShape(
                        runMinMilliseconds: 5, pauseMinMilliseconds: 6, runsMax: maybe(2), ties: .later,
                        marginMilliseconds: 7, preconditionMilliseconds: 8, startCost: 0.25)),
                load: isCar ? nil : try HomeLoad.random(using: &random)
            ),
            timeZone: TimeZone(identifier: "Asia/Kolkata") ?? .gmt,
            revision: .random(in: 0...(.max), using: &random),
            progress: DeviceProgress(
                stateOfCharge: maybe(43), sinceStateOfCharge: energy(), sinceGoal: energy(), reducedSinceGoal: 5,
                session: maybe(.init(id: UUID(), energy: energy(), power: try power(), meanPower: maybe(try power()))),
                updated: maybe(time()), isPluggedIn: maybe(Bool.random(using: &random)),
                status: [nil, .pluggedIn, .unplugged, .active(.userResumed), .idle(.loadBalancing)]
                    .randomElement(using: &random) ?? nil, refusedSince: maybe(time()),
                runs: 3, switched: maybe(time()), reading: maybe(.init(value: 43.25, at: time(), told: time()))))
        if Bool.random(using: &random) {
            let target = [Goal.Target.energy(energy()), .stateOfCharge(80), .reduce(maxMilliseconds: 7), .run]
                .randomElement(using: &random)
            let goal = Goal(
                id: UUID(), venueID: venueID, deviceID: device.id, readyBy: time(), target: target ?? .stateOfCharge(1),
                created: time(), guaranteedPercent: 40)
            record.goals = [goal]
            if Bool.random(using: &random) {
                let second = Goal(
                    id: UUID(), venueID: venueID, deviceID: device.id, readyBy: time(), target: .stateOfCharge(80),
                    created: time(),
                    weekly: WeeklyTime(
                        weekdays: Weekdays(rawValue: 0b1_0001), minuteOfDay: 420, exceptions: [20_000, 3]))
                record.goals.append(second)
                record.baselines = [second.id: Energy(milliwattHours: 5)]
                record.override = ChargeOverride.allCases.randomElement(using: &random)
            }
            record.schedule = Schedule(
                id: UUID(), venueID: venueID, deviceID: device.id, goal: goal, revision: record.revision,
                planned: time(), guidanceToken: maybe(UUID()),
                blocks: try (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    ScheduleBlock(
                        interval: Interval(start: time(), milliseconds: 5), power: try power(), stageMax: 40,
                        energy: energy(), rating: 0.125,
                        reason: ScheduleReason.allCases.randomElement(using: &random) ?? .normal,
                        isDischarging: Bool.random(using: &random))
                },
                required: energy(), plannedEnergy: energy(), explanation: "Waits for cleaner energy: it's \"cheap\"",
                goals: record.goals, override: record.override, optimalityGap: maybe(0.25) ?? 0)
        }
        if Bool.random(using: &random) {
            let goal = Goal(
                id: UUID(), venueID: venueID, deviceID: device.id, readyBy: time(), target: .stateOfCharge(70),
                created: time(), weekly: maybe(WeeklyTime(weekdays: .every, minuteOfDay: 420)))
            record.skipped = [SkippedGoal(goal: goal, delivered: energy())]
            if Bool.random(using: &random) { record.skipped.append(SkippedGoal(goal: goal, delivered: energy())) }
        }
        return record
    }
}

extension HomeLoad {
    static func random(using random: inout SplitMix64) throws -> HomeLoad? {
        let power = try Power(milliwatts: .random(in: 0...11_000_000, using: &random))
        let energy = Energy(milliwattHours: .random(in: 0...90_000_000, using: &random))
        switch Int.random(in: 0...3, using: &random) {
        case 0: return nil
        case 1:
            return .battery(
                BatteryTraits(
                    capacity: energy, chargeMax: power, dischargeMax: power, chargeEfficiency: 0.93,
                    dischargeEfficiency: 0.91, reservePercent: 20, wear: Price(microsPerKilowattHour: 7),
                    phases: [2], stateOfCharge: .random(in: 0...100, using: &random)))
        case 2:
            return .appliance(
                ApplianceTraits(steps: [.init(milliseconds: 9, power: power), .init(milliseconds: 1, power: .zero)]))
        default:
            var climate = ClimateTraits(
                resistance: .random(in: 0.1...9, using: &random), capacity: 4.25, performance: 3.1, comfortMin: 19.5,
                comfortMax: 23, powerMax: power, indoor: 20.25, outdoor: -3.125)
            climate.isCooling = Bool.random(using: &random)
            climate.setback = 2.5
            climate.setbackMinMilliseconds = 1_800_000
            climate.powerMin = power
            (climate.runMinMilliseconds, climate.pauseMinMilliseconds, climate.phases) = (5, 6, [1, 3])
            return .climate(climate)
        }
    }
}
