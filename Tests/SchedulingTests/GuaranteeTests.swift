import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// What is had even above the ceilings, beside what is not.
@Suite struct `A guaranteed share`: HomeLoadWorld {
    private let car = SchedulerWorld.car

    private func world(_ prices: [Double], _ rules: ChargingRules) async throws -> SchedulerWorld {
        let world = try await world(prices, prices: prices)
        _ = try await world.scheduler.put(car)
        _ = try await world.scheduler.put(
            RulesDraft(venueID: venueID, deviceID: car.device.id, rules: rules))
        return world
    }

    private func put(
        _ world: SchedulerWorld, _ kilowattHours: Double, hours: Double, guaranteed: Int, keepsOthers: Bool = false
    ) async throws -> Schedule {
        try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: car.device.id, readyBy: world.hours(hours),
                target: .energy(Energy(kilowattHours: kilowattHours)), keepsOthers: keepsOthers,
                guaranteedPercent: guaranteed))
    }

    /// kWh of each hour, to a tenth.
    private func hourly(_ schedule: Schedule, _ world: SchedulerWorld) -> [Double] {
        (0..<8).map { hour in
            let taken = [hour + 1, hour].map { schedule.blocks.energy(until: world.hours(Double($0))) }
            return ((taken[0] - taken[1]) * 10).rounded() / 10
        }
    }

    private let ceiling = Price(microsPerKilowattHour: 300_000)

    @Test func `of an earlier goal stays beside a later one, which keeps to the ceiling`() async throws {
        let world = try await world([0.5, 0.4, 0.5, 0.5, 0.1, 0.6, 0.6, 0.6], ChargingRules(priceMax: ceiling))
        #expect(hourly(try await put(world, 6, hours: 2, guaranteed: 100), world) == [0, 6, 0, 0, 0, 0, 0, 0])
        let both = try await put(world, 18, hours: 8, guaranteed: 0, keepsOthers: true)
        #expect(hourly(both, world) == [0, 6, 0, 0, 6, 0, 0, 0], "\(both.explanation)")
        let reasons = both.blocks.filter { $0.power > .zero }.map(\.reason)
        #expect(reasons == [.guaranteed, .deadline], "\(reasons)")
        #expect(both.missing == Energy(kilowattHours: 6), "\(both.explanation)")
    }

    @Test func `counts what the minimum of charge brings, and what is below the ceiling`() async throws {
        let world = try await world(
            [0.5, 0.4, 0.5, 0.5, 0.1, 0.6, 0.6, 0.6], ChargingRules(stateOfChargeMin: 50, priceMax: ceiling))
        try await world.scheduler.apply([
            LogRecord(
                partition: 0, sequence: 1, venueID: venueID, received: world.now, principal: "local",
                events: [EventSamples.status(at: world.now, stateOfCharge: 40)])
        ])
        let without = hourly(try await put(world, 24, hours: 8, guaranteed: 0), world)
        #expect(without[1...3] == [0, 0, 0] && without[4] == 6, "\(without)")
        let needed = without[0] + 6
        for percent in [50, 75, 100] {
            let schedule = try await put(world, 24, hours: 8, guaranteed: percent)
            let share = max(needed, 24 * Double(percent) / 100)
            let hours = hourly(schedule, world)
            #expect(abs(hours.reduce(0, +) - share) < 0.15, "\(percent) %: \(hours), \(schedule.explanation)")
            #expect(hours[0] >= without[0] && hours[4] == 6)
        }
    }
}
