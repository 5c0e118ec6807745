import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Vehicles that are all to charge at once behind a fuse, followed for hours by their events.
@Suite struct `At once in turn`: HomeLoadWorld {
    private static let stepMinutes: Int64 = 5

    private func minutes(_ minutes: Int64) -> Timestamp {
        EventSamples.now.advanced(byMilliseconds: minutes * .millisecondsPerMinute)
    }

    private func record(_ id: String, kWh: Double, powerMin: Double) -> DeviceRecord {
        var record = DeviceRecord(
            device: ManagedDevice(
                device: Device(id: id, name: "A car", kind: .electricVehicle), venueID: venueID,
                vehicle: VehicleTraits(
                    batteryCapacity: Energy(kilowattHours: 60), powerMax: power(6), efficiency: 1,
                    powerMin: power(powerMin))), timeZone: .gmt)
        record.goals = [
            Goal(
                id: UUID(), venueID: venueID, deviceID: id, readyBy: minutes(24 * 60),
                target: .energy(Energy(kilowattHours: kWh)), created: EventSamples.now)
        ]
        record.override = .chargeNow
        return record
    }

    /// Lives through the hours in which they charge.
    ///
    /// - Returns: kW of each vehicle at each step.
    private func follow(
        _ records: [DeviceRecord], fuse: Double, hours: Int64, refusing: Set<String> = []
    ) throws -> [[Double]] {
        var replanner = Replanner.patient()
        replanner.settings.limits.importPower = fuse
        var (records, brought) = (records, [Double](repeating: 0, count: records.count))
        return try stride(from: 0, to: hours * 60, by: Int(Self.stepMinutes)).map { minute in
            let now = minutes(minute)
            for index in records.indices { _ = records[index].noticeRefusal(now) }
            let decisions = try replanner.decide(records, guidance: [:], now: now)
            return records.indices.map { index in
                if case .plan(let plan) = decisions[index] { records[index].adopt(plan, now: now) }
                let block = records[index].schedule?.blocks.first { $0.interval.contains(now) }
                let told = refusing.contains(records[index].device.device.id) ? 0 : block?.power.kilowatts ?? 0
                report(told, &records[index], brought: &brought[index], now)
                return told
            }
        }
    }

    private func report(_ told: Double, _ record: inout DeviceRecord, brought: inout Double, _ now: Timestamp) {
        let isOn = record.progress.session != nil
        guard told > 0 || isOn else { return }
        let state: Session.State = told == 0 ? .end : isOn ? .active : .begin
        if state == .begin { brought = 0 }
        _ = record.progress.apply(
            EventSamples.vehicle(
                at: now, state, power: state == .active ? power(told).milliwatts : 0,
                energy: Energy(kilowattHours: brought).milliwattHours), goalSet: EventSamples.now)
        brought += told * Double(Self.stepMinutes) / 60
    }

    private func starts(_ powers: [[Double]], of index: Int) -> Int {
        zip([0] + powers.map { $0[index] }, powers.map { $0[index] }).count { $0 == 0 && $1 > 0 }
    }

    @Test func `one after the other where there is room for one, each in one run`() throws {
        let powers = try follow(
            [record("car-2", kWh: 9, powerMin: 6), record("car-3", kWh: 8, powerMin: 6)], fuse: 6, hours: 4)
        #expect(powers.allSatisfy { $0.reduce(0, +) <= 6 + 1e-6 })
        #expect(starts(powers, of: 0) == 1 && starts(powers, of: 1) == 1, "\(powers)")
        // 17 kWh at 6 kW; a step or two until an end is seen.
        let last = try #require(powers.lastIndex { $0.reduce(0, +) > 0 })
        #expect(last * 5 <= 170 + 20, "\(powers)")
    }

    @Test func `side by side where there is room, without changing places`() throws {
        let powers = try follow(
            [record("car-2", kWh: 12, powerMin: 1), record("car-3", kWh: 6, powerMin: 1)], fuse: 8, hours: 4)
        #expect(powers.allSatisfy { $0.reduce(0, +) <= 8 + 1e-6 })
        #expect(starts(powers, of: 0) == 1 && starts(powers, of: 1) == 1, "\(powers)")
        // The smaller need is first, at full power; the other has the rest until it is done.
        let full = try #require(powers.firstIndex { $0[1] == 0 && $0[0] > 0 })
        #expect(powers[..<full].dropLast(2).allSatisfy { abs($0[1] - 6) < 0.01 && abs($0[0] - 2) < 0.01 }, "\(powers)")
    }

    @Test func `one that does not begin makes room once, and does not come back before the others`() throws {
        let powers = try follow(
            [record("car-2", kWh: 6, powerMin: 6), record("car-3", kWh: 9, powerMin: 6)], fuse: 6, hours: 3,
            refusing: ["car-2"])
        #expect(starts(powers, of: 1) == 1, "\(powers)")
        let began = try #require(powers.firstIndex { $0[1] > 0 })
        #expect(began * 5 <= 15)
    }
}

/// Goals of one vehicle that need less than an earlier one.
@Suite struct `Later smaller goals`: HomeLoadWorld {
    /// A car at 50 % that takes 10 % an hour.
    private func schedule(_ world: SchedulerWorld, _ goals: [(hours: Double, percent: Int)]) async throws -> Schedule {
        _ = try await world.scheduler.put(SchedulerWorld.car)
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: 1, venueID: venueID, received: world.now, principal: "local",
                events: [EventSamples.status(at: world.now, stateOfCharge: 50)])
        ])
        for (index, goal) in goals.enumerated() {
            _ = try await world.scheduler.put(
                GoalDraft(
                    venueID: venueID, deviceID: EventSamples.car.id, readyBy: world.hours(goal.hours),
                    target: .stateOfCharge(goal.percent), keepsOthers: index > 0))
        }
        return try #require(await world.scheduler.schedules(ScheduleFilter(venueID: venueID)).schedules.first)
    }

    @Test func `of a missed one leave what comes after it as it is, and each that is missed is told`() async throws {
        let world = try await world(Array(repeating: 0.5, count: 24))
        let schedule = try await schedule(world, [(1, 70), (1.5, 70), (3, 95)])
        // It takes all it can until the last of them.
        #expect(schedule.required == Energy(kilowattHours: 27) && schedule.plannedEnergy == Energy(kilowattHours: 18))
        for part in [
            "3.0 kWh that should be there by 05:30, and 9.0 kWh by 07:00 will be missing",
            "6.0 kWh that should be there by 05:00 will be missing then, because the time until 05:00 is too short",
        ] { #expect(schedule.explanation.contains(part), "\(schedule.explanation)") }
    }

    @Test func `that are reached by what a missed one brings leave that its deadline`() async throws {
        let world = try await world(Array(repeating: 0.5, count: 24))
        let schedule = try await schedule(world, [(1, 70), (20, 55)])
        #expect(schedule.missing == Energy(kilowattHours: 6))
        #expect(
            schedule.explanation.hasPrefix(
                "Charges at once, the time until 05:00 is too short: 6.0 kWh will be missing (needs 2 h at 6.0 kW); what "
                    + "helps: be ready 1 h later (06:00)"), "\(schedule.explanation)")
        #expect(schedule.blocks.map(\.reason) == [.deadline, .targetReached], "\(schedule.blocks)")
    }

    @Test func `what an earlier goal misses is caught up for the later one, as far as that needs it`() async throws {
        let world = try await world((0..<24).map { $0 == 12 ? 0.1 : 0.9 })
        // 12 kWh, of which an hour brings 6; then 9 kWh.
        let schedule = try await schedule(world, [(1, 70), (24, 65)])
        let runs = schedule.blocks.filter { $0.power > .zero }
        #expect(schedule.required == Energy(kilowattHours: 9) && schedule.missing == .zero, "\(schedule)")
        let first = try #require(runs.first?.interval)
        #expect(first.start == world.now && abs(first.end.milliseconds(since: world.hours(1))) <= 1_000)
        #expect(runs.last.map { $0.interval.start >= world.hours(12) && $0.interval.end <= world.hours(13) } == true)
        #expect(
            schedule.explanation.contains(
                "6.0 kWh that should be there by 05:00 will be missing then, because the time until 05:00 is too short"),
            "\(schedule.explanation)")
        // It holds.
        await world.scheduler.evaluate([Scheduler.DeviceKey(venueID: venueID, deviceID: EventSamples.car.id)])
        #expect(await world.scheduler.schedules(ScheduleFilter(venueID: venueID)).schedules.map(\.id) == [schedule.id])
    }
}
