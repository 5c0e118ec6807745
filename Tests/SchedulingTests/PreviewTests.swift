import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// A home in which everything moves for everything: roof, battery, cars and a dishwasher behind a fuse.
@Suite struct `Previews of a full home`: HomeLoadWorld {
    /// From 10:00, in a contract from 0.18 to 0.50 per kWh, and 4 kW of sun at most.
    private func world(_ seconds: Double) async throws -> SchedulerWorld {
        var planning = PlanningSettings(
            solver: PatientSolver(), others: VenueSettings(objective: .money), timeLimit: .seconds(2),
            previewTimeLimit: .seconds(seconds))
        planning.clock = WorkClock()
        let world = try await SchedulerWorld(planning: planning)
        func price(_ hour: Int) -> Double {
            switch (hour + 10) % 24 {
            case 22, 23: 0.2
            case 0, 1: 0.22
            case 2, 3: 0.18
            case 4, 5: 0.24
            case 11, 12, 13: 0.25
            case 17, 18, 19, 20: 0.5
            default: 0.3
            }
        }
        world.setGuidance(world.guidance(Array(repeating: 0.5, count: 40), prices: (0..<40).map(price), carbon: 300))
        _ = try await world.scheduler.put(
            VenueLimits(
                venueID: venueID, exportPower: power(3),
                circuits: [.init(name: "fuse", powerPerPhase: power(5.75), carriesBaseLoad: true)],
                baseLoad: Array(repeating: power(0.2), count: 3), exportPrice: Price(microsPerKilowattHour: 80_000)))
        let sun = (0..<40).map { hour -> VenueForecast.Value in
            let local = (hour + 10) % 24
            let kw = local >= 7 && local < 17 ? 4 * sin(Double(local - 7) / 10 * .pi) : 0
            return .init(
                interval: Interval(start: world.hours(Double(hour)), milliseconds: .millisecondsPerHour),
                power: power(max(0, kw)))
        }
        _ = try await world.scheduler.put(VenueForecast(venueID: venueID, photovoltaics: sun))
        _ = try await goal(world, battery(60, reserve: 20), .stateOfCharge(30), hours: 21)
        func car(_ id: String) -> ManagedDevice {
            ManagedDevice(
                device: Device(id: id, name: "A car", kind: .electricVehicle), venueID: venueID,
                vehicle: VehicleTraits(
                    batteryCapacity: Energy(kilowattHours: 60), powerMax: power(11), efficiency: 1))
        }
        _ = try await goal(world, car("car-1"), .energy(Energy(kilowattHours: 20)), hours: 32)
        _ = try await world.scheduler.put(dishwasher)
        _ = try await world.scheduler.put(car("car-2"))
        return world
    }

    @Test(
        arguments: [0.3, 2], [("dishwasher", Goal.Target.run, 7.0), ("car-2", .energy(Energy(kilowattHours: 20)), 21)])
    func `cost what energy costs, whatever was found in their time`(
        seconds: Double, asked: (id: String, target: Goal.Target, hours: Double)
    ) async throws {
        let world = try await world(seconds)
        let preview = try await world.scheduler.preview(
            GoalDraft(
                venueID: venueID, deviceID: asked.id, readyBy: world.hours(asked.hours), target: asked.target))
        let costs = [preview.best, preview.planned, preview.atOnce].map { Double($0.costMicros ?? .max) / 1e6 }
        #expect(costs == costs.sorted(), "\(costs)")
        // What is not exported is worth 0.08 at least, and none costs more than the dearest hour.
        let energy = preview.planned.planned.kilowattHours
        #expect(costs.allSatisfy { 0...0.5 * energy ~= $0 }, "\(costs)")
    }

    @Test func `of a car that is not home yet say what it would cost at once all the same`() async throws {
        func atOnce(isUnplugged: Bool) async throws -> GoalPreview {
            let world = try await world(2)
            if isUnplugged {
                let device = Device(id: "car-2", name: "A car", kind: .electricVehicle)
                try await world.scheduler.apply([
                    LogRecord(
                        partition: LogPartition.of(venueID: venueID), sequence: 1, venueID: venueID,
                        received: world.now, principal: "local",
                        events: [EventSamples.status(at: world.now, device: device, .unplugged)])
                ])
            }
            return try await world.scheduler.preview(
                GoalDraft(
                    venueID: venueID, deviceID: "car-2", readyBy: world.hours(21),
                    target: .energy(Energy(kilowattHours: 20))))
        }
        let preview = try await atOnce(isUnplugged: true)
        let begin = preview.atOnce.blocks.first { $0.power > .zero }?.interval.start
        #expect(
            begin == (try await atOnce(isUnplugged: false)).atOnce.blocks.first { $0.power > .zero }?.interval.start)
        #expect(preview.atOnce.costMicros ?? 0 > preview.planned.costMicros ?? 0)
    }

    /// At once it may charge although its rules say that it is away: that is cheaper, and no plan.
    @Test func `of a car that is away plan it for when it is there, however cheap it is now`() async throws {
        let world = try await SchedulerWorld(planning: .patient(others: VenueSettings(objective: .money)))
        world.setGuidance(
            world.guidance(Array(repeating: 0.5, count: 8), prices: [0.1, 0.1, 0.1, 0.1, 0.5, 0.5, 0.5, 0.5]))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        let absence = try #require(Interval(start: world.now, end: world.hours(4)))
        _ = try await world.scheduler.put(
            RulesDraft(
                venueID: venueID, deviceID: EventSamples.car.id, rules: ChargingRules(absences: [.once(absence)])))
        let preview = try await world.scheduler.preview(
            GoalDraft(
                venueID: venueID, deviceID: EventSamples.car.id, readyBy: world.hours(8),
                target: .energy(Energy(kilowattHours: 6))))
        for course in [preview.planned, preview.best] {
            #expect(course.missing == .zero)
            let runs = course.blocks.filter { $0.power > .zero }
            #expect(!runs.isEmpty && runs.allSatisfy { $0.interval.start >= absence.end }, "\(course.explanation)")
        }
    }
}
