import Testing

extension EndToEnd {
    struct Torture {
        /// A few of the rounds of `make torture`.
        @Test(.enabled(if: PythonScript.isInstalled, PythonScript.reason), .timeLimit(.minutes(2)))
        func `what was acknowledged outlives SIGKILL and a torn log, once`() async throws {
            try await PythonScript.run("torture.py", ["ROUNDS": "6"])
        }
    }
}
