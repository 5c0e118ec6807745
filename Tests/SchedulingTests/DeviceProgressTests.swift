import EnergyModel
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

struct DeviceProgressTests {
    private func minutes(_ minutes: Int64) -> Timestamp {
        EventSamples.now.advanced(byMilliseconds: minutes * .millisecondsPerMinute)
    }

    private func energy(_ milliwattHours: Int64) -> Energy { Energy(milliwattHours: milliwattHours) }

    @Test(arguments: UInt64(0)..<200)
    func `over any sessions the energy since the goal is what the sessions brought after it`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var progress = DeviceProgress()
        var (clock, expected): (Int64, Int64) = (0, 0)
        for session in 0..<5 {
            var total: Int64 = 0
            for state in [Session.State.begin, .active, .active, .active, .end] {
                clock += .random(in: 1...15, using: &random)
                if state != .begin { total += .random(in: 0...1_000_000, using: &random) }
                let event = EventSamples.vehicle(
                    at: minutes(clock), session: EventSamples.id(UInt64(10 + session)), state, energy: total)
                _ = progress.apply(event, goalSet: EventSamples.now)
            }
            expected += total
        }
        #expect(progress.sinceGoal == energy(expected))
        #expect(progress.session == nil)
    }

    @Test func `of the interval in which the goal was set, the part after it counts`() {
        var progress = DeviceProgress()
        _ = progress.apply(EventSamples.vehicle(at: minutes(0), .begin), goalSet: nil)
        _ = progress.apply(EventSamples.vehicle(at: minutes(15), .active, energy: 1_500), goalSet: nil)
        _ = progress.apply(EventSamples.vehicle(at: minutes(30), .active, energy: 3_000), goalSet: minutes(25))
        #expect(progress.sinceGoal == energy(500))
    }

    @Test func `a session whose begin was not seen counts from where it is`() {
        var progress = DeviceProgress()
        let goalSet = EventSamples.now
        _ = progress.apply(EventSamples.vehicle(at: minutes(1), .active, energy: 9_000), goalSet: goalSet)
        _ = progress.apply(EventSamples.vehicle(at: minutes(2), .active, energy: 9_500), goalSet: goalSet)
        #expect(progress.sinceGoal == energy(500))
    }

    @Test func `late, exported and impossible events count nothing`() {
        var progress = DeviceProgress()
        _ = progress.apply(EventSamples.vehicle(at: minutes(5), .begin), goalSet: EventSamples.now)
        let before = progress
        let late = EventSamples.vehicle(at: minutes(4), .active, energy: 5)
        let isNews = progress.apply(late, goalSet: EventSamples.now)
        #expect(!isNews)
        #expect(progress == before)
        for event in [
            EventSamples.vehicle(at: minutes(6), .active, direction: .exported, energy: 5),
            EventSamples.vehicle(at: minutes(6), .active, energy: .min),
            EventSamples.vehicle(at: minutes(6), .active, stateOfCharge: .min, power: .min),
        ] {
            var other = before
            _ = other.apply(event, goalSet: EventSamples.now)
            #expect(other.sinceGoal == .zero)
        }
    }
}
