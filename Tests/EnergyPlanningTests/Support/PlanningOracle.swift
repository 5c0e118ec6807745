import EnergyTestSupport

/// `Tests/Oracles/planning_oracle.py`: scipy's HiGHS, with a model of its own.
enum PlanningOracle {
    static func isInstalled() async throws -> Bool { try await PythonOracle.has("scipy.optimize") }

    /// Runs it for as long as `body` takes, on a thread of its own.
    static func with(_ body: @escaping @Sendable (PythonOracle) throws -> Void) async throws {
        try await onThread {
            let oracle = try PythonOracle("planning_oracle.py")
            defer { try? oracle.stop() }
            try body(oracle)
        }
    }
}
