internal import EnergyPlanning

/// What is in the way, as sentences.
extension Shortfall {
    /// The cause, then what is in the way besides.
    var causes: [(cause: Cause, who: [String])] { [(cause, who)] + also.map { ($0.cause, $0.who) } }

    /// What helps, each by itself, at most three of them; empty where nothing was seen to.
    var help: String { remedies.isEmpty ? "" : "; what helps: \(remedies.prefix(3).joined(separator: "; or "))" }

    /// Goes on after "because".
    static func tooLittleRoom(_ who: [String]) -> String {
        who.isEmpty
            ? "its limits leave too little room"
            : "\(names(who)) \(who.count == 1 ? "leaves" : "leave") too little room"
    }

    /// Of the names after the first, which says that it is about what runs anyway.
    static func tooLittleBeside(_ who: [String]) -> String {
        "what runs anyway leaves too little of \(names(Array(who.dropFirst())))"
    }

    /// `car-1 runs`
    static func run(_ who: [String]) -> String { "\(names(who)) \(who.count == 1 ? "runs" : "run")" }

    private static func names(_ who: [String]) -> String { who.joined(separator: " and ") }
}
