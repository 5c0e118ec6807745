import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Vehicles behind one fuse that take more or less than they are told: what is told, and what flows, stays within it.
@Suite struct `Behind one fuse`: HomeLoadWorld {
    /// Steps of 0.23 kW from 1.38 to 3.68, on one phase: 6 to 16 A.
    private let step = 0.23

    private func car(_ id: String, hasSteps: Bool, isSwitched: Bool = false) -> ManagedDevice {
        ManagedDevice(
            device: Device(id: id, name: "A car", kind: .electricVehicle), venueID: venueID,
            vehicle: VehicleTraits(
                batteryCapacity: Energy(kilowattHours: 52), powerMax: power(16 * step), efficiency: 1,
                powerMin: power((isSwitched ? 16 : 6) * step), phases: [1], powerStep: hasSteps ? power(step) : nil))
    }

    /// Cars that all want the first two hours, behind 25 A of which 2.6 A run anyway.
    private func world(_ ids: [String], energy: Double, hasSteps: Bool = true) async throws -> SchedulerWorld {
        let world = try await world([0.1, 0.1, 0.9, 0.9, 0.9, 0.9])
        let fuse = VenueLimits.Circuit(name: "fuse", powerPerPhase: power(25 * step), carriesBaseLoad: true)
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, circuits: [fuse], baseLoad: Array(repeating: power(0.6), count: 3)))
        for id in ids {
            _ = try await goal(world, car(id, hasSteps: hasSteps), .energy(Energy(kilowattHours: energy)), hours: 6)
        }
        return world
    }

    private func schedule(_ world: SchedulerWorld, _ id: String) async throws -> Schedule {
        let list = await world.scheduler.schedules(ScheduleFilter(venueID: venueID, deviceID: id))
        return try #require(list.schedules.first)
    }

    private func told(_ world: SchedulerWorld, _ id: String) async throws -> Double {
        try await schedule(world, id).blocks.first { $0.interval.contains(world.now) }?.power.kilowatts ?? 0
    }

    private func tell(_ world: SchedulerWorld, _ id: String, _ state: Session.State, kilowatts: Double) async throws {
        let event = EventSamples.vehicle(
            at: world.now, device: Device(id: id, name: "A car", kind: .electricVehicle),
            session: EventSamples.id(UInt64(id.utf8.last ?? 0)), state, power: Int64(kilowatts * 1_000_000),
            energy: Int64(kilowatts * 1_000_000 * Double(world.now.milliseconds(since: EventSamples.now)) / 3_600_000))
        let record = LogRecord(
            partition: LogPartition.of(venueID: venueID), sequence: 1, venueID: venueID, received: world.now,
            principal: "local", events: [event])
        try await world.scheduler.apply([record])
        await world.scheduler.evaluate([Scheduler.DeviceKey(venueID: venueID, deviceID: id)])
    }

    @Test func `one that is slow is told what the fuse leaves beside the others, and stays slow`() async throws {
        let world = try await world(["car-2", "car-3"], energy: 6)
        let powers = [try await told(world, "car-2"), try await told(world, "car-3")]
        let slow = powers[0] > powers[1] ? "car-2" : "car-3"
        for id in ["car-2", "car-3"] { try await tell(world, id, .begin, kilowatts: 0) }
        world.clock.advance(by: .seconds(65))
        for id in ["car-2", "car-3"] {
            try await tell(world, id, .active, kilowatts: id == slow ? 1.4 : try await told(world, id))
        }
        let explanation = try await schedule(world, slow).explanation
        #expect(explanation.contains("it charges more slowly than it may, with 1.4"), "\(explanation)")
        for _ in 0..<4 {
            let revision = try await schedule(world, slow).revision
            var sum = 0.0
            for id in ["car-2", "car-3"] { sum += try await told(world, id) }
            #expect(sum <= 25 * step - 0.2 + 1e-6)
            world.clock.advance(by: .seconds(60))
            try await tell(world, slow, .active, kilowatts: 1.4)
            #expect(try await schedule(world, slow).revision == revision)
        }
    }

    @Test func `one that is on or off and slow is told what the fuse leaves beside the others, too`() async throws {
        let world = try await world(["car-3"], energy: 6)
        let switched = car("car-2", hasSteps: false, isSwitched: true)
        _ = try await goal(world, switched, .energy(Energy(kilowattHours: 6)), hours: 6)
        #expect(try await told(world, "car-2") == 16 * step)
        for id in ["car-2", "car-3"] { try await tell(world, id, .begin, kilowatts: 0) }
        world.clock.advance(by: .seconds(65))
        for _ in 0..<4 {
            try await tell(world, "car-2", .active, kilowatts: 1.4)
            let (slow, other) = (try await told(world, "car-2"), try await told(world, "car-3"))
            #expect(slow >= 1.4 && slow + other <= 25 * step - 0.2 + 1e-6, "\(slow) and \(other)")
            world.clock.advance(by: .seconds(60))
        }
        let explanation = try await schedule(world, "car-2").explanation
        #expect(explanation.contains("it charges more slowly than it may, with 1.4"), "\(explanation)")
    }

    @Test func `what one draws above what it was told takes the others' room for as long as it does`() async throws {
        let world = try await world(["car-2", "car-3"], energy: 6, hasSteps: false)
        let powers = [try await told(world, "car-2"), try await told(world, "car-3")]
        let (greedy, other) = powers[0] < powers[1] ? ("car-2", "car-3") : ("car-3", "car-2")
        for id in [greedy, other] { try await tell(world, id, .begin, kilowatts: 0) }
        // It reports each 20 s, whatever is planned anew for it.
        var told: [Double] = []
        for _ in 0..<9 {
            world.clock.advance(by: .seconds(20))
            try await tell(world, greedy, .active, kilowatts: 16 * step)
            try await tell(world, other, .active, kilowatts: try await self.told(world, other))
            told.append(try await self.told(world, other))
        }
        #expect(told.last.map { $0 + 16 * step <= 25 * step - 0.2 + 1e-6 } == true, "\(told)")
        #expect(told.suffix(4).allSatisfy { $0 == told.last }, "\(told)")
        let explanation = try await schedule(world, greedy).explanation
        #expect(explanation.contains("more than it was told to"), "\(explanation)")
    }

    @Test func `one that falls silent while it charges is said to be, until it is heard from`() async throws {
        let world = try await world(["car-2"], energy: 6)
        let key = Scheduler.DeviceKey(venueID: venueID, deviceID: "car-2")
        try await tell(world, "car-2", .begin, kilowatts: 0)
        world.clock.advance(by: .seconds(65))
        try await tell(world, "car-2", .active, kilowatts: try await told(world, "car-2"))
        let last = world.now
        // Nobody asks: it looks by itself.
        while world.now.milliseconds(since: last) <= VehicleNeed.silenceMilliseconds {
            #expect(try await !schedule(world, "car-2").explanation.contains("was heard"))
            let due = try #require(await world.scheduler.dueAt[key])
            world.clock.advance(by: .milliseconds(max(1, due.milliseconds(since: world.now))))
            await world.scheduler.evaluate([key])
        }
        #expect(world.now.milliseconds(since: last) == VehicleNeed.silenceMilliseconds + 1)
        let silent = try await schedule(world, "car-2")
        #expect(silent.explanation.contains("nothing was heard from it since"), "\(silent.explanation)")
        #expect(silent.missing == .zero && silent.required > Energy(kilowattHours: 5.5))
        try await tell(world, "car-2", .active, kilowatts: try await told(world, "car-2"))
        let heard = try await schedule(world, "car-2").explanation
        #expect(!heard.contains("was heard"), "\(heard)")
    }
}
