import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

/// A car of 6 to 16 A, whose plan begins and ends inside the quarters of its guidance.
struct SteppedCarTests {
    private let now = EventSamples.now
    private let step = Power(kilowatts: 0.69)

    private func minutes(_ minutes: Int64) -> Timestamp {
        now.advanced(byMilliseconds: minutes * .millisecondsPerMinute)
    }

    /// Best around hour 18, since 7 min ago, with some noise.
    private func guidance(seed: UInt64) -> Guidance {
        var random = SplitMix64(seed: seed)
        let values = (Int64(0)..<100).map { quarter in
            let day = 2 * Double.pi * Double(quarter) / 96
            return GuidanceValue(
                interval: Interval(start: minutes(15 * quarter - 7), milliseconds: 15 * .millisecondsPerMinute),
                rating: 0.5 + 0.4 * sin(day) + Double.random(in: 0...0.1, using: &random))
        }
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: minutes(-7), milliseconds: 25 * .millisecondsPerHour), values: values,
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: now,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    private func plan(
        _ goals: [(kWh: Double, minute: Int64)], _ shape: ChargingShape, amperes: Bool = true, seed: UInt64
    ) throws -> DevicePlan {
        let vehicle = VehicleTraits(
            batteryCapacity: Energy(kilowattHours: 60), powerMax: Power(kilowatts: 11.04),
            powerMin: Power(kilowatts: 4.14), currentStep: amperes ? .init(milliamperes: 1_000) : nil)
        var record = DeviceRecord(
            device: ManagedDevice(
                device: EventSamples.car, venueID: EventSamples.venueID, vehicle: vehicle,
                rules: ChargingRules(shape: shape)), timeZone: .gmt)
        record.goals = goals.map { goal in
            Goal(
                id: UUID(), venueID: EventSamples.venueID, deviceID: EventSamples.car.id, readyBy: minutes(goal.minute),
                target: .energy(Energy(kilowattHours: goal.kWh)), created: now)
        }
        let replanner = Replanner.patient()
        let decisions = try replanner.decide([record], guidance: [.shift: guidance(seed: seed)], now: now)
        guard case .plan(let plan)? = decisions.first else { throw EnergyError(.invalidInput, "kept") }
        return plan
    }

    private func runs(_ plan: DevicePlan) -> [ScheduleBlock] { plan.blocks.filter { $0.power > .zero } }

    @Test(arguments: UInt64(1)...5)
    func `has its energy in the best hours, with its preconditioning too`(seed: UInt64) throws {
        for precondition in [Int64(0), 30] {
            let shape = ChargingShape(preconditionMilliseconds: precondition * .millisecondsPerMinute)
            let plan = try plan([(23.3, 1_338)], shape, seed: seed)
            #expect(plan.planned == plan.required && plan.required == Energy(kilowattHours: 23.3))
            let early = runs(plan).filter { $0.interval.start < minutes(900) }
            #expect(early.isEmpty, "\(plan)")
            #expect(runs(plan).allSatisfy { $0.power.milliwatts % step.milliwatts == 0 })
            let last = try #require(runs(plan).last)
            #expect((last.interval == Interval(start: minutes(1_308), end: minutes(1_338))) == (precondition > 0))
        }
    }

    @Test(arguments: UInt64(1)...5)
    func `is told a step of its current where goals add up, too`(seed: UInt64) throws {
        let plan = try plan([(7.1, 702), (23.3, 1_338)], ChargingShape(), seed: seed)
        #expect(plan.planned == plan.required)
        #expect(runs(plan).allSatisfy { $0.power.milliwatts % step.milliwatts == 0 }, "\(plan.blocks)")
        #expect(plan.blocks.energy(until: minutes(702)) > 7.1 - 1e-3)
    }

    @Test func `waits for its preconditioning, and not for room, when all else is done`() throws {
        let shape = ChargingShape(preconditionMilliseconds: 30 * .millisecondsPerMinute)
        let plan = try plan([(23.3, 1_338)], shape, seed: 1)
        #expect(plan.blocks.last?.reason == .preconditioning)
        let waits = plan.blocks.filter { $0.power == .zero }.map(\.reason)
        #expect(waits.last == .waitingForPreconditioning)
        // In the rest of the hour that it uses in part, the same hour's later minutes are as good.
        let before: [ScheduleReason] = [.waitingForCleanerEnergy, .laterIsAsGood]
        #expect(waits.dropLast().allSatisfy(before.contains), "\(waits)")
        let only = try self.plan([(4.6, 1_338)], shape, seed: 1)
        #expect(only.explanation.hasPrefix("Waits for the time right before its deadline: starts"))
    }

    @Test(arguments: UInt64(1)...5)
    func `without steps, runs for as long as asked`(seed: UInt64) throws {
        let half = 30 * Int64.millisecondsPerMinute
        let plan = try plan([(23.3, 1_338)], ChargingShape(runMinMilliseconds: half), amperes: false, seed: seed)
        let window = Interval(start: now, milliseconds: 1_338 * .millisecondsPerMinute)
        let lengths = Remainder(of: plan.blocks, in: window).runs.map(\.milliseconds)
        #expect(plan.planned == plan.required && lengths.allSatisfy { $0 >= half }, "\(lengths)")
    }
}
