import Foundation

/// Measures the planner: one load, five loads behind a fuse, 10,000 cars, EMHASS beside it, and recorded sessions.
///
/// Usage: bench-schedule <python with EMHASS and scipy, or -> [sessions.csv]
let arguments = CommandLine.arguments
let python = arguments.count > 1 && arguments[1] != "-" ? arguments[1] : nil
let sessions = arguments.count > 2 ? arguments[2] : "../shared/data/ev-sessions-acn/caltech.csv"

let one = OneLoad.measure()
SteppedLoad.measure()
let five = FiveLoads.measure()
FiveLoads.measureRanges()
let cars = ManyCars.measure()
let peers = try python.map { try Peers.compare(five, with: $0) } ?? Peers.Answer(gap: "null", emhass: "null")
try SessionReplay.report(sessions)

print(
    #"{"one_load_us":\#(one.rounded(to: 1)),"five_loads_cold_ms":\#(five.median.rounded(to: 1)),"#
        + #""five_loads_cold_ms_max":\#(five.worst.rounded(to: 1)),"cars_10k_s":\#(cars.rounded(to: 3)),"#
        + #""cost_gap_max":\#(peers.gap),"vs_emhass":\#(peers.emhass)}"#)

extension Double {
    func rounded(to digits: Int) -> Double {
        let unit = pow(10, Double(digits))
        return (self * unit).rounded() / unit
    }
}
