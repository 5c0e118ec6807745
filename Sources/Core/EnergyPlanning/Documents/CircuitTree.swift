import EnergyModel

/// The circuits of a file, which must be a tree with one name each.
struct CircuitTree {
    /// What the main fuse is called in answers.
    static let fuse = VenueLimits.fuseName

    private let circuits: [JSONObject]
    private let hasFuse: Bool

    init(_ circuits: [JSONObject], besideFuse hasFuse: Bool) {
        self.circuits = circuits
        self.hasFuse = hasFuse
    }

    /// - Throws: ``ProblemError`` at the first circuit whose name, parent or load cannot be.
    func check() throws(ProblemError) {
        var names: Set<String> = []
        for circuit in circuits {
            guard let name = circuit.text("name"), !name.isEmpty else {
                throw ProblemError("\(circuit.path).name", "must not be empty")
            }
            guard name != Self.fuse else {
                throw ProblemError("\(circuit.path).name", "must be another, because limits.fuse is called \"\(name)\"")
            }
            guard names.insert(name).inserted else {
                throw ProblemError("\(circuit.path).name", "must be of its own, but \"\(name)\" comes twice")
            }
        }
        for circuit in circuits {
            guard let parent = circuit.text("parent") else { continue }
            guard parent != Self.fuse || !hasFuse else {
                throw ProblemError("\(circuit.path).parent", "must be left out: what has none is behind the fuse")
            }
            guard names.contains(parent) else {
                throw ProblemError("\(circuit.path).parent", "must be the name of a circuit, but is \"\(parent)\"")
            }
            guard !isRound(circuit) else {
                throw ProblemError("\(circuit.path).parent", "must not lead back to itself, but \"\(parent)\" does")
            }
        }
        for (index, circuit) in circuits.enumerated() { try checkLoads(of: circuit, beside: circuits[..<index]) }
    }

    /// A load's power comes through one circuit, and those that feed it.
    private func checkLoads(of circuit: JSONObject, beside others: ArraySlice<JSONObject>) throws(ProblemError) {
        for other in others where !feeds(circuit, other) && !feeds(other, circuit) {
            let there = Set(other.texts("loads"))
            for (index, name) in circuit.texts("loads").enumerated() where there.contains(name) {
                throw ProblemError(
                    "\(circuit.path).loads[\(index)]",
                    "must be on one circuit, and on those that feed it, but \"\(name)\" is on \"\(other.text("name") ?? "")\" "
                        + "too, which neither feeds this one nor is fed by it")
            }
        }
    }

    private func feeds(_ circuit: JSONObject, _ other: JSONObject) -> Bool {
        var next = other.text("parent")
        while let name = next, name != circuit.text("name") {
            next = circuits.first { $0.text("name") == name }?.text("parent")
        }
        return next != nil
    }

    private func isRound(_ circuit: JSONObject) -> Bool {
        var (next, steps) = (circuit.text("parent"), 0)
        while let parent = next, steps <= circuits.count {
            next = circuits.first { $0.text("name") == parent }?.text("parent")
            steps += 1
        }
        return next != nil
    }
}
