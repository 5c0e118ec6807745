/// A limit of a problem, to be raised.
enum LimitReference: Hashable, Sendable {
    case importPower
    /// Over all phases, by index of the circuit.
    case power(Int)
    case perPhase(Int)

    static func all(_ problem: PlanProblem) -> [LimitReference] {
        (problem.limits.importPower == nil ? [] : [.importPower])
            + problem.limits.circuits.enumerated().flatMap { index, circuit in
                (circuit.power == nil ? [] : [LimitReference.power(index)])
                    + (circuit.powerPerPhase == nil ? [] : [.perPhase(index)])
            }
    }

    var isPerPhase: Bool { if case .perPhase = self { true } else { false } }

    func name(_ problem: PlanProblem) -> String {
        switch self {
        case .importPower: "import limit"
        case .power(let index), .perPhase(let index): "circuit \(problem.limits.circuits[index].name)"
        }
    }

    /// What rows are called, each once: a circuit of which all three phases are among them is named as a whole.
    static func names(of rows: [LimitRow], _ problem: PlanProblem) -> [String] {
        rows.reduce(into: []) { names, row in
            let isWhole = row.source.isPerPhase && rows.count { $0.source == row.source } == 3
            let name = isWhole ? row.source.name(problem) : row.name
            if !names.contains(name) { names.append(name) }
        }
    }

    /// kW of an ampere, where it was said in amperes.
    func ampere(_ problem: PlanProblem) -> Double? {
        switch self {
        case .importPower: return nil
        case .perPhase(let index): return problem.limits.circuits[index].ampere
        case .power(let index):
            let circuit = problem.limits.circuits[index]
            return circuit.powerPerPhase == nil ? circuit.ampere : nil
        }
    }

    func raise(by power: Double, _ problem: inout PlanProblem) {
        switch self {
        case .importPower: problem.limits.importPower = problem.limits.importPower.map { $0 + power }
        case .power(let index):
            problem.limits.circuits[index].power = problem.limits.circuits[index].power.map { $0 + power }
        case .perPhase(let index):
            problem.limits.circuits[index].powerPerPhase = problem.limits.circuits[index].powerPerPhase.map {
                $0 + power
            }
        }
    }
}
