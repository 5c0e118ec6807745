import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Testing

@testable import Scheduling

/// A building's schedule, and what it is forecast to be outdoors by now.
struct OutdoorForecastTests: HomeLoadWorld {
    /// A heat pump that was planned for 5 °C outdoors.
    private func planned(_ ratings: [Double]) async throws -> (SchedulerWorld, Schedule) {
        let world = try await world(ratings)
        let schedule = try await goal(world, heatPump(21), .reduce(maxMilliseconds: 1), hours: 8)
        return (world, schedule)
    }

    private func schedule(_ world: SchedulerWorld, outdoor celsius: Double) async throws -> Schedule {
        let outdoor = VenueForecast.Temperature(
            interval: Interval(start: world.hours(0), milliseconds: .millisecondsPerDay), celsius: celsius)
        _ = try await world.scheduler.put(VenueForecast(venueID: EventSamples.venueID, outdoor: [outdoor]))
        await world.scheduler.evaluate([.init(venueID: EventSamples.venueID, deviceID: "heat-pump-1")])
        return try #require(await world.scheduler.schedules(ScheduleFilter()).schedules.first)
    }

    @Test(arguments: [-8.0, 15]) func `a plan that would leave the band by then is made anew`(celsius: Double)
        async throws
    {
        let (world, before) = try await planned([0.2, 0.9, 0.2, 0.9, 0.2, 0.9, 0.2, 0.9])
        let after = try await schedule(world, outdoor: celsius)
        #expect(after.revision > before.revision)
        let record = try #require(try await world.store.load().records.first)
        for hour in 1...8 {
            let indoor = try #require(record.state(at: world.hours(Double(hour)), outdoor: { _ in celsius }))
            #expect((19.9...23.1).contains(indoor), "hour \(hour): \(indoor)")
        }
    }

    @Test func `one that still is as comfortable as can be stays`() async throws {
        let (world, before) = try await planned([0.2, 0.9, 0.2, 0.9, 0.2, 0.9, 0.2, 0.9])
        let after = try await schedule(world, outdoor: 4.9)
        #expect(after.revision == before.revision)
    }
}
