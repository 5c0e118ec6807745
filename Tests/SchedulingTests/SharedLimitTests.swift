import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// What is told to all devices of a home, one asked for after the other, keeps to its fuse.
struct SharedLimitTests: HomeLoadWorld {
    private func car(_ id: String) -> ManagedDevice {
        ManagedDevice(
            device: Device(id: id, name: "A car", kind: .electricVehicle), venueID: venueID,
            vehicle: VehicleTraits(
                batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: power(7), powerMin: power(1.4),
                phases: [1]))
    }

    private var battery: ManagedDevice {
        device(
            "battery", .homeBattery,
            .battery(
                BatteryTraits(
                    capacity: Energy(milliwattHours: 10_000_000), chargeMax: power(3), dischargeMax: power(3),
                    chargeEfficiency: 1, dischargeEfficiency: 1, reservePercent: 10, phases: [1], stateOfCharge: 20)))
    }

    /// kW on the first phase in the middle of a minute.
    private func load(_ schedules: [Schedule], at time: Timestamp) -> Double {
        schedules.reduce(0) { sum, schedule in
            guard let block = schedule.blocks.first(where: { $0.interval.contains(time) }) else { return sum }
            return sum + (block.isDischarging ? -1 : 1) * block.power.kilowatts
        }
    }

    @Test(arguments: UInt64(0)..<24)
    func `an appliance or a battery that is asked for last leaves no car more than there is room for`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let fuse = 5.75
        let world = try await world((0..<12).map { _ in Double.random(in: 0...1, using: &random) })
        _ = try await world.scheduler.put(
            VenueLimits(
                venueID: venueID,
                circuits: [
                    VenueLimits.Circuit(name: "main fuse", powerPerPhase: power(fuse), carriesBaseLoad: true)
                ]))
        var asked: [(ManagedDevice, Goal.Target, Double)] = ["car-1", "car-2"].map {
            (car($0), .energy(Energy(milliwattHours: Int64.random(in: 6...20, using: &random) * 1_000_000)), 10)
        }
        asked.append((dishwasher, .run, 9))
        if seed % 2 == 0 { asked.append((battery, .stateOfCharge(80), 11)) }
        if seed % 3 == 0 { asked.shuffle(using: &random) }
        for (device, target, hours) in asked {
            _ = try await goal(world, device, target, hours: hours)
            let schedules = await world.scheduler.schedules(ScheduleFilter()).schedules
            for minute in 0..<12 * 60 {
                let load = load(schedules, at: world.hours((Double(minute) + 0.5) / 60))
                #expect(load <= fuse + 0.001, "seed \(seed), after \(device.device.id), minute \(minute)")
            }
        }
    }
}
