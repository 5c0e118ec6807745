import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

/// Schedules that a car can follow whose power falls near full.
@Suite struct `A car near full` {
    private let now = EventSamples.now

    private struct Car: CustomTestStringConvertible {
        var powerMin: Int64
        var step: Int64?
        var stateOfCharge: Int
        var isAtOnce: Bool
        var testDescription: String {
            "\(powerMin) mW at least, \(step ?? 0) a step, \(stateOfCharge) %\(isAtOnce ? ", now" : "")"
        }
    }

    private static let cars = [11_000_000, 4_140_000, 1_400_000].flatMap { powerMin in
        [60, 78, 88].flatMap { percent in
            [false, true].flatMap { isAtOnce in
                [nil, 690_000].map { step in
                    Car(powerMin: powerMin, step: step, stateOfCharge: percent, isAtOnce: isAtOnce)
                }
            }
        }
    }

    private func record(_ car: Car) -> DeviceRecord {
        let known = SchedulerWorld.car
        let vehicle = VehicleTraits(
            batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: SchedulerWorld.power(11_000_000),
            efficiency: 1, powerMin: SchedulerWorld.power(car.powerMin), powerStep: car.step.map(SchedulerWorld.power),
            taper: .init(percent: 80, powerAtFull: SchedulerWorld.power(2_000_000)))
        var record = DeviceRecord(
            device: ManagedDevice(device: known.device, venueID: known.venueID, vehicle: vehicle), timeZone: .gmt,
            goals: [
                Goal(
                    id: UUID(), venueID: known.venueID, deviceID: known.device.id,
                    readyBy: now.advanced(byMilliseconds: 12 * .millisecondsPerHour), target: .stateOfCharge(100),
                    created: now)
            ])
        record.progress.stateOfCharge = car.stateOfCharge
        record.override = car.isAtOnce ? .chargeNow : nil
        return record
    }

    private func plan(_ car: Car) throws -> DevicePlan { try plan(record(car)) }

    private func plan(_ record: DeviceRecord) throws -> DevicePlan {
        let values = [0.8, 0.2, 0.3, 0.9, 0.1, 0.7, 0.4, 0.6, 0.5, 0.2, 0.3, 0.8].enumerated().map { hour, rating in
            GuidanceValue(
                interval: Interval(
                    start: now.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour), rating: rating)
        }
        let guidance = Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: now, milliseconds: 12 * .millisecondsPerHour), values: values,
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: now,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
        let replanner = Replanner.patient()
        guard case .plan(let plan) = try replanner.decide([record], guidance: [.shift: guidance], now: now)[0]
        else { throw EnergyError(.invalidInput, "kept") }
        return plan
    }

    /// kWh that a car has taken that does as it is told as far as it can.
    private func taken(_ plan: DevicePlan, _ car: Car) -> Double {
        let (start, full) = (60 * Double(80 - car.stateOfCharge) / 100, 60 * Double(100 - car.stateOfCharge) / 100)
        let seconds = 5.0
        return plan.blocks.filter { $0.power > .zero }.reduce(0) { taken, block in
            var taken = taken
            for _ in 0..<Int(Double(block.interval.milliseconds) / 1_000 / seconds) {
                let most = 11 - 9 * max(0, taken - start) / (full - start)
                taken += min(block.power.kilowatts, most) * seconds / 3_600
            }
            return taken
        }
    }

    @Test func `that has not said how full it is is planned as an empty one, whatever it has taken`() throws {
        let empty = record(Car(powerMin: 1_400_000, step: nil, stateOfCharge: 0, isAtOnce: true))
        var unknown = empty
        unknown.progress.stateOfCharge = nil
        unknown.progress.sinceStateOfCharge = Energy(milliwattHours: 90_000_000)
        let (first, second) = (try plan(empty), try plan(unknown))
        let ends = [first, second].map { $0.blocks.last { $0.power > .zero }?.interval.end }
        // A percent at most counts for what it has taken since nobody knows when.
        let difference = try #require(ends[1]).milliseconds(since: try #require(ends[0]))
        #expect(abs(difference) < 30 * .millisecondsPerMinute)
        #expect(first.blocks.contains { $0.power > .zero && $0.power.kilowatts < 10 })
        #expect(second.blocks.contains { $0.power > .zero && $0.power.kilowatts < 10 })
    }

    @Test(arguments: cars) private func `is told what it can do, and reaches its goal by it`(car: Car) throws {
        let plan = try plan(car)
        #expect(plan.planned == plan.required)
        let told = plan.blocks.filter { $0.power > .zero }
        #expect(told.allSatisfy { $0.power.milliwatts >= car.powerMin }, "\(told.map(\.power.milliwatts))")
        // A power between two steps is planned as the lower one and told as the higher.
        let (taken, required) = (taken(plan, car), plan.required.kilowattHours)
        #expect(taken > required - 0.05 && taken < required * 1.03 + 0.05, "\(taken) of \(required)")
    }

    @Test(arguments: cars.filter(\.isAtOnce)) private func `does not wait for anything when asked to charge now`(
        car: Car
    ) throws {
        let plan = try plan(car)
        let end = try #require(plan.blocks.last { $0.power > .zero }?.interval.end)
        let waits = plan.blocks.filter { $0.power == .zero && $0.interval.start < end }
        #expect(waits.isEmpty, "\(waits)")
        #expect(!plan.explanation.contains("room"), "\(plan.explanation)")
    }
}
