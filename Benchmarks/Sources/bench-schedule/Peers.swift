import EnergyModel
import EnergyPlanning
import Foundation

/// EMHASS and HiGHS on the same five loads: `schedule/peers.py`.
enum Peers {
    struct Answer {
        /// JSON
        var gap: String
        var emhass: String
    }

    /// EMHASS takes half a minute for one at gap 0.
    private static let count = 3

    static func compare(_ five: FiveLoads, with python: String) throws -> Answer {
        let file = FileManager.default.temporaryDirectory.appending(path: "bench-schedule-\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(five.instances.prefix(count).map { line($0) + "\n" }.joined().utf8).write(to: file)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: python)
        process.arguments = ["Benchmarks/schedule/peers.py", file.path]
        process.environment = ["PYTHONDONTWRITEBYTECODE": "1"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        print(text, terminator: "")
        guard let last = text.split(separator: "\n").last,
            let answer = try? JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any],
            let gap = answer["cost_gap_max"] as? Double, let emhass = answer["vs_emhass"],
            let bytes = try? JSONSerialization.data(withJSONObject: emhass, options: .sortedKeys)
        else { return Answer(gap: "null", emhass: "null") }
        return Answer(gap: "\(gap)", emhass: String(decoding: bytes, as: UTF8.self))
    }

    private static func line(_ instance: FiveLoads.Instance) -> String {
        let problem = instance.problem
        let slots = problem.slots.map { slot in
            #"{"start":"\#(text(slot.interval.start))","end":"\#(text(slot.interval.end))","#
                + #""price":\#(slot.importPrice),"base_load_kw":\#(slot.baseLoad.reduce(0, +))}"#
        }
        let loads = problem.loads.compactMap { load -> String? in
            guard case .energy(let need) = load.need, let goal = need.goals.last else { return nil }
            return #"{"name":"\#(load.name)","power_kw":\#(need.powerMax),"energy_kwh":\#(goal.energy),"#
                + #""partial_slots":"last","min_run_minutes":\#(load.shape.runMin / 60_000),"#
                + #""min_pause_minutes":\#(load.shape.pauseMin / 60_000)}"#
        }
        return #"{"problem":{"slots":[\#(slots.joined(separator: ","))],"loads":[\#(loads.joined(separator: ","))],"#
            + #""limits":{"import_kw":\#(problem.limits.importPower ?? 0)}},"#
            + #""objective":\#(instance.plan.totals.objective),"ms":\#(instance.milliseconds)}"#
    }

    /// All are in March 2026, at one hour from UTC.
    private static func text(_ time: Timestamp) -> String {
        let minutes = (time.unixMilliseconds - Days.start.unixMilliseconds) / 60_000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "2026-03-\(two(2 + minutes / 1440))T\(two(minutes / 60 % 24)):\(two(minutes % 60)):00+01:00"
    }
}
