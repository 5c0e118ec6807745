import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Testing

@testable import Scheduling

/// Plans that are not proven best when their time is up.
@Suite(.timeLimit(.minutes(10))) struct `A plan made in haste`: HomeLoadWorld {
    /// Finds nothing in less than a minute.
    private struct SlowSolver: PlanSolver {
        func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
            guard timeLimit >= .seconds(60) else { return .nothing }
            return PatientSolver().solve(model, timeLimit: timeLimit)
        }
    }

    private func world(improvingFor time: Duration) async throws -> SchedulerWorld {
        let world = try await SchedulerWorld(
            planning: PlanningSettings(
                solver: SlowSolver(), timeLimit: .seconds(60), improvementTimeLimit: time))
        world.setGuidance(world.guidance([0.9, 0.1, 0.5, 0.3]))
        _ = try await world.scheduler.put(battery(20))
        return world
    }

    private func set(_ world: SchedulerWorld) async throws -> Schedule {
        try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: "battery", readyBy: world.hours(4), target: .stateOfCharge(60)))
    }

    @Test func `says so, and a better one follows that is proven best`() async throws {
        let world = try await world(improvingFor: .seconds(600))
        _ = try await set(world)
        var hasty: Schedule?
        for await publication in world.publisher.publications {
            let schedule = try Schedule(decoding: publication.body)
            guard let hasty else {
                #expect(schedule.optimalityGap > 0 && schedule.explanation.contains("better is not ruled out"))
                hasty = schedule
                continue
            }
            #expect(schedule.revision > hasty.revision && schedule.optimalityGap == 0, "\(schedule)")
            #expect(!schedule.explanation.contains("ruled out"))
            // It waits for the best hour.
            #expect(schedule.blocks.first { $0.power > .zero }?.interval.start == world.hours(1))
            return
        }
    }

    @Test func `is followed as it is where nobody wants a better one`() async throws {
        let world = try await world(improvingFor: .zero)
        _ = try await set(world)
        #expect(await world.scheduler.improving.isEmpty)
    }

    /// Solves only what has no whole numbers, as where those take longer than there is time.
    private struct LinearSolver: PlanSolver {
        func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
            model.isInteger.contains(true) ? .nothing : PatientSolver().solve(model, timeLimit: timeLimit)
        }
    }

    @Test func `lets no home cool down for a car that can wait for days`() async throws {
        let limits = PlanLimits(importPower: 6)
        let world = try await SchedulerWorld(
            planning: PlanningSettings(
                solver: LinearSolver(), others: VenueSettings(limits: limits, objective: .rating),
                timeLimit: .seconds(60), improvementTimeLimit: .zero))
        world.setGuidance(world.guidance((0..<24).map { $0 < 6 ? 0.9 : $0 < 18 ? 0.5 : 0.1 }))
        let car = ManagedDevice(
            device: EventSamples.car, venueID: venueID,
            vehicle: VehicleTraits(
                batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: power(6), powerMin: power(1.4)))
        _ = try await world.scheduler.put(car)
        _ = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: car.device.id, readyBy: world.hours(150),
                target: .energy(Energy(milliwattHours: 30_000_000))))
        let told = try await goal(world, heatPump(20.5), .reduce(maxMilliseconds: 1), hours: 12)
        let schedules = await world.scheduler.schedules(ScheduleFilter()).schedules
        #expect(told.explanation.hasPrefix("Keeps 20.0 to 23.0 °C"), "\(told.explanation)")
        #expect(schedules.count == 2 && schedules.allSatisfy { $0.missing == .zero })
    }
}
