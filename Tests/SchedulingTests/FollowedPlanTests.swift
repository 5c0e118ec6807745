import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

/// A car that does what it is told, seen through its reports only, under guidance that changes a little every hour.
struct FollowedPlanTests {
    /// 60 kWh, 6 kW, no losses; begins at 20 %.
    private struct Car {
        var battery: Int64 = 12_000_000
        var session: (id: UUID, energy: Int64)?
        var starts = 0
        let target: Int

        var percent: Int { Int(battery / 600_000) }

        /// One minute by its orders.
        ///
        /// - Returns: what it reports at the end of the minute.
        mutating func live(_ schedule: Schedule?, minute: Int, now: Timestamp) -> [Event] {
            let runs = schedule?.blocks.contains { $0.power > .zero && $0.interval.contains(now) } ?? false
            let end = now.advanced(byMilliseconds: .millisecondsPerMinute)
            if runs && percent < target {
                var events: [Event] = []
                if session == nil {
                    session = (UUID(), 0)
                    starts += 1
                    events.append(report(.begin, at: now))
                }
                battery += 100_000
                session?.energy += 100_000
                if minute % 15 == 14 { events.append(report(.active, at: end)) }
                return events
            }
            guard session != nil else { return [] }
            defer { session = nil }
            return [report(.end, at: now)]
        }

        private func report(_ state: Session.State, at timestamp: Timestamp) -> Event {
            EventSamples.vehicle(
                at: timestamp, session: session?.id ?? UUID(), state, stateOfCharge: percent,
                power: state == .active ? 6_000_000 : 0, energy: session?.energy ?? 0)
        }
    }

    private func guidance(_ base: [Double], hour: Int, _ random: inout SplitMix64) -> Guidance {
        let start = EventSamples.now.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour)
        let values = (0..<24).map { ahead in
            GuidanceValue(
                interval: Interval(
                    start: start.advanced(byMilliseconds: Int64(ahead) * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour),
                rating: min(1, max(0, base[(hour + ahead) % 24] + .random(in: -0.03...0.03, using: &random))))
        }
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: start, milliseconds: .millisecondsPerDay), values: values,
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: start,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    @Test(arguments: UInt64(0)..<12)
    func `a car that follows its schedule is ready in time, and its schedule seldom changes`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let replanner = Replanner.patient()
        let base = (0..<24).map { _ in Double.random(in: 0...1, using: &random) }
        var car = Car(target: Int.random(in: 30...90, using: &random))
        let hours = Int.random(in: 8...30, using: &random)
        var record = DeviceRecord(device: SchedulerWorld.car, timeZone: .gmt)
        record.progress.stateOfCharge = car.percent
        record.goals = [
            Goal(
                id: UUID(), venueID: EventSamples.venueID, deviceID: EventSamples.car.id,
                readyBy: EventSamples.now.advanced(byMilliseconds: Int64(hours) * .millisecondsPerHour),
                target: .stateOfCharge(car.target), created: EventSamples.now)
        ]
        var now = EventSamples.now
        var present: Guidance?
        for minute in 0..<hours * 60 {
            if minute % 60 == 0 { present = guidance(base, hour: minute / 60, &random) }
            let known = present.map { [SuggestedAction.shift: $0] } ?? [:]
            if case .plan(let plan) = try replanner.decide([record], guidance: known, now: now)[0] {
                record.adopt(plan, now: now)
            }
            for event in car.live(record.schedule, minute: minute, now: now) {
                _ = record.progress.apply(event, goalSet: EventSamples.now)
            }
            now = now.advanced(byMilliseconds: .millisecondsPerMinute)
        }
        #expect(car.percent == car.target)
        #expect(record.revision <= 5)
        #expect(car.starts <= 8)
    }
}
