import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import Foundation
import Testing

/// Thousands of problems: `make oracle-schedule`.
@Suite(
    .enabled("no .venv with scipy for Python: `make test` makes one") { try await PlanningOracle.isInstalled() })
struct `Another solver finds no better plan` {
    private static let count = ProcessInfo.processInfo.environment["ORACLE_PROBLEMS"].flatMap(Int.init) ?? 6
    /// Problems differ from run to run only if told so.
    private static let first = ProcessInfo.processInfo.environment["ORACLE_SEED"].flatMap(Int.init) ?? 1

    @Test(arguments: [
        "solo", "coupled", "switched", "phases", "block", "scarce", "storage", "feedin", "setback", "stepped",
        "amperes", "exclusive",
    ])
    func `objective, needs and limits agree`(kind: String) async throws {
        try await PlanningOracle.with { oracle in
            for seed in Self.first..<Self.first + Self.count {
                let problem = try oracle.ask("problem \(kind) \(seed)")
                let said = try oracle.ask(Self.solve(problem))
                #expect(said == "agrees", "\(kind) \(seed): \(said)")
            }
        }
    }

    private static func solve(_ problem: String) throws -> String {
        let reading = try ProblemReader.read(Array(problem.utf8))
        do throws(EnergyError) {
            let plan = try HomePlanner.patient.plan(reading.problem)
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            guard let bytes = try? encoder.encode(PlanDocument(plan, of: reading)) else { return "plan" }
            return "plan " + String(decoding: bytes, as: UTF8.self)
        } catch {
            return "refused \(error.message)"
        }
    }
}
