import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import Testing

@Suite struct `A setback` {
    /// A light house: it cools by some 2 K an hour.
    private func house(_ more: String, power: Double = 6) -> String {
        #"""
        {"max_power_kw": \#(power), "thermal": {"resistance_k_per_kw": 5, "capacity_kwh_per_k": 1, "cop": 3,
         "initial_c": 20, "outdoor_c": 10, "comfort_min_c": 20, "comfort_max_c": 22 \#(more)}}
        """#
    }

    @Test func `leaves the temperature at the end as it was asked for`() throws {
        let plan = try Planning.plan(
            [0.2, 0.9, 0.9, 0.2], loads: house(#", "setback_k": 2, "setback_minutes": 240, "final_c": 20"#))
        let temperatures = try #require(plan.loads[0].temperaturesC)
        #expect(temperatures[3] >= 20 - 1e-6)
        #expect(temperatures[2] < 20)
        #expect(plan.loads[0].finalMissingK == 0)
        #expect(plan.loads[0].discomfortKh == 0)
    }

    @Test func `that cannot be made up for by the end says what is missing`() throws {
        let plan = try Planning.plan(
            [0.2, 0.2], loads: house(#", "setback_k": 3, "setback_minutes": 120, "final_c": 22"#, power: 0.5))
        let end = try #require(plan.loads[0].temperaturesC?.last)
        let missing = try #require(plan.loads[0].finalMissingK)
        #expect(missing > 1)
        #expect(abs(22 - end - missing) < 1e-6)
        #expect(abs(try #require(plan.loads[0].discomfortKh) - missing) < 1e-6)
        #expect(plan.loads[0].shortfall != nil)
    }

    @Test func `lasts at least as long as it should`() throws {
        let prices = [0.2, 0.2, 0.9, 0.2, 0.9, 0.2, 0.2, 0.2]
        let depth = #", "setback_k": 2, "setback_minutes": 180"#
        let free = try Planning.plan(prices, loads: house(depth))
        let long = try Planning.plan(prices, loads: house(depth + #", "setback_min_minutes": 180"#))
        #expect(try #require(free.loads[0].setbacks).count > 1)
        let setbacks = try #require(long.loads[0].setbacks)
        let spans = (0...5).map { (Planning.time($0 * 60), Planning.time($0 * 60 + 180)) }
        #expect(setbacks.count == 1)
        #expect(spans.contains { $0 == setbacks[0].start && $1 == setbacks[0].end })
        #expect(long.objective > free.objective)
    }

    @Test(arguments: [nil, 3] as [Int64?])
    func `is over when its goal is, though the plan goes on`(hours: Int64?) throws {
        let start = Timestamp(unixMilliseconds: 1_772_406_000_000)
        func time(_ hours: Int64) -> Timestamp { start.advanced(byMilliseconds: hours * 3_600_000) }
        let slots = [0.2, 0.2, 0.4, 0.2, 0.9, 0.9].enumerated().map { hour, price in
            PlanSlot(interval: Interval(start: time(Int64(hour)), milliseconds: 3_600_000), importPrice: price)
        }
        var need = ThermalNeed(
            resistance: 5, capacity: 1, performance: 3, initial: 20, outdoor: Array(repeating: 10, count: 6),
            comfortMin: Array(repeating: 20, count: 6), comfortMax: Array(repeating: 22, count: 6), setbackDepth: 2,
            setbackMilliseconds: 7_200_000, powerMax: 6)
        need.setbackBefore = hours.map(time)
        let plan = try HomePlanner.patient.plan(
            PlanProblem(slots: slots, loads: [PlannedLoad(name: "house", need: .comfort(need))]))
        let end = try #require(plan.loads[0].setbacks.map(\.end).max())
        #expect(hours == nil ? end > time(4) : end <= time(3), "\(plan.loads[0].setbacks)")
        #expect(plan.loads[0].missing == 0)
    }

    @Test func `is refused a least length above all that it may last`() {
        let text =
            #"{"slots": \#(Planning.slots([0.1])), "loads": ["#
            + house(#", "setback_k": 2, "setback_minutes": 60, "setback_min_minutes": 90"#) + "]}"
        #expect(Planning.refusal(text)?.path == "$.loads[0].thermal.setback_min_minutes")
    }

    @Test(arguments: [
        (#", "setback_k": 2"#, "setback_minutes"), (#", "setback_minutes": 60"#, "setback_k"),
        (#", "setback_k": 2, "setback_min_minutes": 60"#, "setback_minutes"),
    ])
    func `is refused with one half of it only`(said: String, missing: String) {
        let text = #"{"slots": \#(Planning.slots([0.1, 0.2])), "loads": ["# + house(said) + "]}"
        #expect(Planning.refusal(text)?.path == "$.loads[0].thermal.\(missing)")
        #expect(Planning.refusal(text)?.message.hasPrefix("is missing beside setback_") == true)
        let asked = Planning.refusal(text.replacing(said, with: said + #", "\#(missing)": 60"#))
        #expect(asked == nil, "\(asked?.description ?? "")")
    }
}
