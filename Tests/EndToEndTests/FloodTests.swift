import Testing

extension EndToEnd {
    struct Flood {
        /// Some seconds of `make flood`, which says nothing about times.
        @Test(.enabled(if: PythonScript.isInstalled, PythonScript.reason), .timeLimit(.minutes(2)))
        func `a flood loses no event, fills no memory and no log, and is counted`() async throws {
            try await PythonScript.run("flood.py", ["FLOOD_SECONDS": "5", "MOST_TIMES": "0"])
        }
    }
}
