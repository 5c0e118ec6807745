internal import EnergyPlanning

/// Who is to blame, as the subject of a sentence.
extension Shortfall {
    private var names: String { who.joined(separator: " and ") }

    var tooLittleRoom: String {
        who.isEmpty
            ? "its limits leave too little room" : "\(names) \(who.count == 1 ? "leaves" : "leave") too little room"
    }

    /// `car-1 runs`
    var run: String { "\(names) \(who.count == 1 ? "runs" : "run")" }
}
