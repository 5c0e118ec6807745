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

    /// Whether a row of the model is a part of it.
    func isSource(of row: LimitRow, _ problem: PlanProblem) -> Bool {
        let name = name(problem)
        return isPerPhase ? (1...3).contains { row.name == "\(name), phase \($0)" } : row.name == name
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
