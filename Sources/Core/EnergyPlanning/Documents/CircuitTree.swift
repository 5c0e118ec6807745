/// The circuits of a file, which must be a tree with one name each.
struct CircuitTree {
    /// What the main fuse is called in answers.
    static let fuse = "main fuse"

    private let circuits: [JSONObject]
    private let hasFuse: Bool

    init(_ circuits: [JSONObject], besideFuse hasFuse: Bool) {
        self.circuits = circuits
        self.hasFuse = hasFuse
    }

    /// - Throws: ``ProblemError`` at the first circuit whose name or parent cannot be.
    func check() throws(ProblemError) {
        var names: Set<String> = []
        for circuit in circuits {
            guard let name = circuit.text("name"), !name.isEmpty else {
                throw ProblemError("\(circuit.path).name", "must not be empty")
            }
            guard name != Self.fuse || !hasFuse else {
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
