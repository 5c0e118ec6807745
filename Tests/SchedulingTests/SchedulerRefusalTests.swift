import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Scheduling
import Testing

struct SchedulerRefusalTests {
    private func code<Value>(_ body: () async throws(EnergyError) -> Value) async -> EnergyError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return error.code }
    }

    @Test func `a device of an unknown venue is refused`() async throws {
        let world = try await SchedulerWorld()
        let device = ManagedDevice(
            device: EventSamples.car, venueID: EventSamples.id(99), vehicle: SchedulerWorld.car.vehicle)
        #expect(await code { () async throws(EnergyError) in try await world.scheduler.put(device) } == .notFound)
    }

    @Test func `while the publisher is away, only venues that are known are accepted`() async throws {
        let world = try await SchedulerWorld()
        world.guidanceService.isAway = true
        let put = { () async throws(EnergyError) in _ = try await world.scheduler.put(SchedulerWorld.car) }
        #expect(await code(put) == .unavailable)
        world.guidanceService.isAway = false
        #expect(await code(put) == nil)
        world.guidanceService.isAway = true
        let restarted = try await SchedulerWorld(store: world.store)
        restarted.guidanceService.isAway = true
        let heatPump = { () async throws(EnergyError) in _ = try await restarted.scheduler.put(SchedulerWorld.heatPump)
        }
        #expect(await code(heatPump) == nil)
    }

    @Test(arguments: [
        (Device(id: "", name: "Car", kind: .electricVehicle), 60_000_000 as Int64, 7_000_000 as Int64, 0.9, true),
        (EventSamples.car, 0, 7_000_000, 0.9, true),
        (EventSamples.car, 60_000_000, 0, 0.9, true),
        (EventSamples.car, 60_000_000, 7_000_000, 1.1, true),
        (EventSamples.car, 60_000_000, 7_000_000, .nan, true),
        (EventSamples.car, 60_000_000, 7_000_000, 0.9, false),
        (EventSamples.heatPump, 60_000_000, 7_000_000, 0.9, true),
    ])
    func `a device that cannot be planned is refused`(
        device: Device, capacity: Int64, power: Int64, efficiency: Double, hasTraits: Bool
    ) async throws {
        let world = try await SchedulerWorld()
        let traits = VehicleTraits(
            batteryCapacity: Energy(milliwattHours: capacity), powerMax: SchedulerWorld.power(power),
            efficiency: efficiency)
        let managed = ManagedDevice(
            device: device, venueID: EventSamples.venueID, vehicle: hasTraits ? traits : nil)
        #expect(await code { () async throws(EnergyError) in try await world.scheduler.put(managed) } == .invalidInput)
    }

    @Test(arguments: [
        ("car-1", 1.0, Goal.Target.energy(.zero)), ("car-1", 1, .energy(Energy(milliwattHours: 60_000_001))),
        ("car-1", 1, .energy(Energy(milliwattHours: .max))), ("car-1", 1, .energy(Energy(milliwattHours: .min))),
        ("car-1", 1, .stateOfCharge(0)), ("car-1", 1, .stateOfCharge(101)), ("car-1", 0, .stateOfCharge(50)),
        ("car-1", -1, .stateOfCharge(50)), ("car-1", 337, .stateOfCharge(50)), ("car-1", 1e12, .stateOfCharge(50)),
        ("car-1", 1, .reduce(maxMilliseconds: 1)), ("heat-pump-1", 1, .stateOfCharge(50)),
        ("heat-pump-1", 1, .reduce(maxMilliseconds: 0)), ("heat-pump-1", 1, .reduce(maxMilliseconds: .max)),
    ])
    func `a goal that makes no sense is refused`(deviceID: String, hours: Double, target: Goal.Target) async throws {
        let world = try await SchedulerWorld()
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(SchedulerWorld.heatPump)
        let draft = GoalDraft(
            venueID: EventSamples.venueID, deviceID: deviceID, readyBy: world.hours(hours), target: target)
        #expect(await code { () async throws(EnergyError) in try await world.scheduler.put(draft) } == .invalidInput)
    }

    @Test func `a goal for a device that nobody put is refused`() async throws {
        let world = try await SchedulerWorld()
        let draft = GoalDraft(
            venueID: EventSamples.venueID, deviceID: "car-1", readyBy: world.hours(1), target: .stateOfCharge(50))
        #expect(await code { () async throws(EnergyError) in try await world.scheduler.put(draft) } == .notFound)
    }

    @Test func `every method of the service is answered over the wire`() async throws {
        let world = try await SchedulerWorld()
        var table = MethodTable()
        let divided = DividedScheduler { [scheduler = world.scheduler] (_) async throws(EnergyError) in scheduler }
        try await divided.begin(LogPartition.all)
        SchedulingHandler(scheduler: divided).register(in: &table)
        let client = TableClient(table)
        #expect(try await client.call(Methods.putDevice, SchedulerWorld.car) == SchedulerWorld.car)
        #expect(try await client.call(Methods.listDevices, VenueFilter()).devices == [SchedulerWorld.car])
        let schedule = try await client.call(
            Methods.putGoal,
            GoalDraft(
                venueID: EventSamples.venueID, deviceID: "car-1", readyBy: world.hours(9), target: .stateOfCharge(50)))
        #expect(try await client.call(Methods.listSchedules, ScheduleFilter()).schedules == [schedule])
        let reference = DeviceReference(venueID: EventSamples.venueID, deviceID: "car-1")
        #expect(try await client.call(Methods.deleteGoal, reference) == Empty())
    }
}
