internal import EnergyPlanning
internal import Foundation

/// What is in the way, as sentences.
extension Shortfall {
    /// The cause, then what is in the way besides.
    var causes: [(cause: Cause, who: [String])] { [(cause, who)] + also.map { ($0.cause, $0.who) } }

    /// What helps, each by itself, at most three of them; empty where nothing was seen to.
    ///
    /// - Parameter own: what helps besides, known without trying it.
    func help(own: [String] = []) -> String {
        let all = own + remedies
        return all.isEmpty ? "" : "; what helps: \(all.prefix(3).joined(separator: "; or "))"
    }

    /// Goes on after "because".
    static func tooLittleRoom(_ who: [String]) -> String {
        who.isEmpty
            ? "its limits leave too little room"
            : "\(names(who)) \(whole(who).count == 1 ? "leaves" : "leave") too little room"
    }

    /// Of the names after the first, which says that it is about what runs anyway.
    static func tooLittleBeside(_ who: [String]) -> String {
        "what runs anyway leaves too little of \(names(Array(who.dropFirst())))"
    }

    /// `car-1 runs`
    static func run(_ who: [String]) -> String { "\(names(who)) \(who.count == 1 ? "runs" : "run")" }

    private static func names(_ who: [String]) -> String { whole(who).joined(separator: " and ") }

    /// All three phases of a circuit are the circuit.
    static func whole(_ who: [String]) -> [String] {
        who.reduce(into: []) { said, name in
            let circuit = name.range(of: ", phase ", options: .backwards).map { String(name[..<$0.lowerBound]) }
            let all = circuit.flatMap { circuit in
                (1...3).allSatisfy { who.contains("\(circuit), phase \($0)") } ? circuit : nil
            }
            if !said.contains(all ?? name) { said.append(all ?? name) }
        }
    }
}
