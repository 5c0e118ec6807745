import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// A home with a battery, an appliance and heating, for the tests of what the service makes of them.
protocol HomeLoadWorld {}

extension HomeLoadWorld {
    var venueID: UUID { EventSamples.venueID }

    func device(_ id: String, _ kind: Device.Kind, _ load: HomeLoad) -> ManagedDevice {
        ManagedDevice(device: Device(id: id, name: "A load", kind: kind), venueID: venueID, load: load)
    }

    func power(_ kilowatts: Double) -> Power { Power(kilowatts: kilowatts) }

    /// 2 kW for half an hour, then 1 kW for an hour: 2 kWh.
    var dishwasher: ManagedDevice {
        let minute = Int64.millisecondsPerMinute
        return device(
            "dishwasher", .appliance,
            .appliance(
                ApplianceTraits(
                    steps: [
                        .init(milliseconds: 30 * minute, power: power(2)),
                        .init(milliseconds: 60 * minute, power: power(1)),
                    ], phases: [1])))
    }

    func battery(_ percent: Double, reserve: Int = 10) -> ManagedDevice {
        device(
            "battery", .homeBattery,
            .battery(
                BatteryTraits(
                    capacity: Energy(milliwattHours: 10_000_000), chargeMax: power(5), dischargeMax: power(5),
                    chargeEfficiency: 1, dischargeEfficiency: 1, reservePercent: reserve, stateOfCharge: percent)))
    }

    func heatPump(_ indoor: Double, setback: Double = 0) -> ManagedDevice {
        var climate = ClimateTraits(
            resistance: 5, capacity: 4, performance: 3, comfortMin: 20, comfortMax: 23, powerMax: power(3),
            indoor: indoor, outdoor: 5)
        climate.setback = setback
        return device("heat-pump-1", .hvac, .climate(climate))
    }

    func goal(
        _ world: SchedulerWorld, _ device: ManagedDevice, _ target: Goal.Target, hours: Double,
        weekly: WeeklyTime? = nil
    ) async throws -> Schedule {
        _ = try await world.scheduler.put(device)
        return try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: device.device.id, readyBy: world.hours(hours), target: target,
                weekly: weekly))
    }

    func world(
        _ ratings: [Double], prices: [Double]? = nil, store: any ScheduleStore = InMemoryScheduleStore()
    ) async throws -> SchedulerWorld {
        let world = try await SchedulerWorld(
            store: store,
            planning: .patient(others: VenueSettings(objective: prices == nil ? .rating : .money)))
        world.setGuidance(world.guidance(ratings, prices: prices))
        return world
    }
}
