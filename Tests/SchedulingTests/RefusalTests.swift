import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Vehicles behind one fuse of which one takes nothing: the other has its room, and the plan says why.
@Suite struct `One that takes nothing`: HomeLoadWorld {
    private let first = "car-2"
    private let second = "car-3"

    private func car(_ id: String, powerMin: Double = 6) -> ManagedDevice {
        ManagedDevice(
            device: Device(id: id, name: "A car", kind: .electricVehicle), venueID: venueID,
            vehicle: VehicleTraits(
                batteryCapacity: Energy(kilowattHours: 60), powerMax: power(6), efficiency: 1,
                powerMin: power(powerMin)))
    }

    /// Two cars that need 6 kWh each, the first within two hours: it is told to charge at once, the second to wait.
    private func twoCars(fuse: Double? = 6) async throws -> SchedulerWorld {
        let world = try await world([0.1, 0.2] + Array(repeating: 0.9, count: 22))
        if let fuse { _ = try await world.scheduler.put(VenueLimits(venueID: venueID, importPower: power(fuse))) }
        for (id, hours) in [(first, 1.2), (second, 8)] {
            _ = try await goal(world, car(id), .energy(Energy(kilowattHours: 6)), hours: hours)
        }
        #expect(try await powers(world)[0] == 6)
        return world
    }

    private func key(_ id: String) -> Scheduler.DeviceKey { Scheduler.DeviceKey(venueID: venueID, deviceID: id) }

    private func schedule(_ world: SchedulerWorld, _ id: String) async throws -> Schedule {
        let list = await world.scheduler.schedules(ScheduleFilter(venueID: venueID, deviceID: id))
        return try #require(list.schedules.first)
    }

    /// kW that the first and the second are told to take now.
    private func powers(_ world: SchedulerWorld) async throws -> [Double] {
        var powers: [Double] = []
        for id in [first, second] {
            let block = try await schedule(world, id).blocks.first { $0.interval.contains(world.now) }
            powers.append(((block?.power.kilowatts ?? 0) * 100).rounded() / 100)
        }
        return powers
    }

    private func device(_ id: String) -> Device { Device(id: id, name: "A car", kind: .electricVehicle) }

    private func status(_ world: SchedulerWorld, _ id: String, _ status: VehicleStatus.Status) -> Event {
        EventSamples.status(at: world.now, device: device(id), status)
    }

    /// The log tells an event, and what follows from it is planned.
    private func tell(_ world: SchedulerWorld, _ events: Event...) async throws {
        let record = LogRecord(
            partition: LogPartition.of(venueID: venueID), sequence: 1, venueID: venueID, received: world.now,
            principal: "local", events: events)
        try await world.scheduler.apply([record])
        await world.scheduler.evaluate(events.map { key($0.device.id) })
    }

    /// The time comes at which a device is looked at next.
    private func wait(_ world: SchedulerWorld, for id: String) async throws {
        let due = try #require(await world.scheduler.dueAt[key(id)])
        world.clock.advance(by: .milliseconds(due.milliseconds(since: world.now)))
        await world.scheduler.evaluate([key(id)])
    }

    @Test func `silence is looked at when its ten minutes are over, and the others have the room`() async throws {
        let world = try await twoCars()
        try await wait(world, for: first)
        #expect(world.now == EventSamples.now.advanced(byMilliseconds: 600_000))
        let silent = try await schedule(world, first).explanation
        #expect(silent.contains("it should have charged since 04:00 and has not"), "\(silent)")
        #expect(try await powers(world) == [0, 6])
        // The other is as silent, from when it was told to.
        try await wait(world, for: second)
        #expect(world.now == EventSamples.now.advanced(byMilliseconds: 1_200_000))
        let other = try await schedule(world, second).explanation
        #expect(other.contains("it should have charged since 04:10 and has not"), "\(other)")
    }

    @Test(arguments: [
        (IdleReason.userPaused, "its driver has paused it"), (.userStopped, "its driver has stopped it"),
        (.chargerFault, "its charger tells of a fault"), (.insufficientPower, "it has too little power"),
    ])
    func `its own word is acted on at once, and stays in its plan`(reason: IdleReason, words: String) async throws {
        let world = try await twoCars()
        world.clock.advance(by: .seconds(60))
        try await tell(world, status(world, first, .idle(reason)))
        #expect(try await schedule(world, first).explanation.contains(words))
        #expect(try await powers(world) == [0, 6])
        let record = try #require(await world.scheduler.records[key(first)])
        #expect(ScheduledStatus(record, now: world.now) == nil, "it has told that")
        world.clock.advance(by: .seconds(700))
        await world.scheduler.evaluate([key(first)])
        #expect(try await schedule(world, first).explanation.contains(words))
    }

    @Test func `its own word stays when its session ends after it, and counts while that goes on`() async throws {
        let world = try await twoCars()
        try await tell(world, EventSamples.vehicle(at: world.now, device: device(first), .begin, power: 6_000_000))
        world.clock.advance(by: .seconds(300))
        let paused = status(world, first, .idle(.userPaused))
        try await tell(world, paused)
        #expect(try await powers(world) == [0, 6])
        try await tell(world, EventSamples.vehicle(at: world.now, device: device(first), .end, energy: 500_000))
        let plan = try await schedule(world, first).explanation
        #expect(plan.contains("its driver has paused it"), "\(plan)")
        #expect(try await powers(world)[1] == 6)
    }

    @Test(arguments: [false, true])
    func `what it did not do is said no more as soon as it says or shows that it charges`(begins: Bool) async throws {
        let world = try await twoCars(fuse: nil)
        try await wait(world, for: first)
        #expect(try await schedule(world, first).explanation.contains("and has not"))
        let resumed = status(world, first, .active(.userResumed))
        let begun = EventSamples.vehicle(at: world.now, device: device(first), .begin)
        try await tell(world, begins ? begun : resumed)
        #expect(try await !schedule(world, first).explanation.contains("and has not"))
        // Its word counts for as long as any silence.
        guard !begins else { return }
        world.clock.advance(by: .seconds(500))
        await world.scheduler.evaluate([key(first)])
        #expect(try await !schedule(world, first).explanation.contains("and has not"))
        world.clock.advance(by: .seconds(100))
        await world.scheduler.evaluate([key(first)])
        #expect(try await schedule(world, first).explanation.contains("and has not"))
    }

    @Test func `an unplugged one leaves its room to those that are there, until it is back`() async throws {
        let world = try await twoCars()
        try await tell(world, status(world, first, .unplugged))
        #expect(try await powers(world) == [0, 6])
        let away = try await schedule(world, first).explanation
        #expect(away.hasPrefix("Not plugged in, planned as if it were: "), "\(away)")
        // Still so when the time comes for which it was planned next.
        try await wait(world, for: first)
        #expect(try await powers(world)[0] == 0)
        #expect(try await schedule(world, second).missing == .zero)
        try await tell(world, status(world, first, .pluggedIn))
        #expect(try await !schedule(world, first).explanation.contains("Not plugged in"))
    }

    @Test func `an unplugged one whose room nobody needs keeps its plan`() async throws {
        for fuse in [nil, 12.0] {
            let world = try await twoCars(fuse: fuse)
            try await tell(world, status(world, first, .unplugged))
            #expect(try await powers(world) == [6, 6])
            let plan = try await schedule(world, first).explanation
            #expect(plan.hasPrefix("Not plugged in, planned as if it were: "), "\(plan)")
        }
    }
}
