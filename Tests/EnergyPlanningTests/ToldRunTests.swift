import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyPlanning

/// The runs that a plan tells keep the rules that it was made by.
@Suite struct `Runs that are told` {
    @Test(arguments: [
        // Blocks that begin with what is just the sun of a slot.
        (15, [0.3, 0.3, 0.1], [1, 1.2, 1], #""energy_kwh": 0.9, "prefer": "late""#),
        (60, [0.1, 0.3, 0.3], [1.2, 2.4, 1], #""energy_kwh": 1.2"#),
    ])
    func `begin and end at whole seconds where their energy says so`(
        minutes: Int, prices: [Double], sun: [Double], load: String
    ) throws {
        let plan = try Planning.plan(
            prices, minutes: minutes, loads: #"{"power_kw": 3.6, "one_block": true, \#(load)}"#
        ) { #", "pv_kw": \#(sun[$0]), "base_load_kw": 0.3"# }
        let times = plan.loads[0].runs.flatMap { [$0.start, $0.end] }
        #expect(!times.isEmpty && times.allSatisfy { !$0.contains(".") }, "\(times)")
    }

    @Test func `have no end of a millisecond for what floating point leaves of a sum`() throws {
        let plan = try Planning.plan(
            [0.1, 0.1, 0.1, 0.1, 0.1], minutes: 15, loads: #"{"power_kw": 3.6, "energy_kwh": 2.7}"#)
        #expect(plan.loads[0].runs.map(\.end) == [Planning.time(45)])
    }

    @Test(arguments: UInt64(0)..<60)
    func `behind a fuse are as few and as far apart as is asked`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let prices = (0..<8).map { _ in Double(Int.random(in: -10...50, using: &random)) / 100 }
        let minutes = [15, 30, 60].randomElement(using: &random) ?? 60
        let (pause, most) = (minutes * Int.random(in: 0...3, using: &random), Int.random(in: 1...3, using: &random))
        let energy = Double(Int.random(in: 10...60, using: &random)) / 80 * 3.7 * Double(minutes * 8) / 60
        let plan = try Planning.plan(
            prices, minutes: minutes,
            loads: """
                {"max_power_kw": 3.7, "energy_kwh": \(energy), "min_pause_minutes": \(pause), "max_runs": \(most),
                 "partial_slots": "\(["last", "any"].randomElement(using: &random) ?? "any")"},
                {"capacity_kwh": 5, "max_charge_kw": 3, "initial_soc": 50}
                """, limits: #"{"fuse": {"current_a": 25}}"#)
        let load = plan.loads[0]
        let text = "seed \(seed): \(load.runs.map { "\($0.start) to \($0.end) at \($0.powerKw) kW" })"
        let breaks = zip(load.runs, load.runs.dropFirst()).map { minute($1.start) - minute($0.end) }.filter { $0 > 0 }
        #expect(breaks.count + 1 == load.starts && load.starts <= most, "\(text)")
        #expect(breaks.allSatisfy { $0 >= Double(pause) - 0.01 }, "\(text)")
    }

    private func minute(_ time: String) -> Double {
        (try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: time.contains("."))))
            .map { $0.timeIntervalSince1970 / 60 } ?? .nan
    }
}
