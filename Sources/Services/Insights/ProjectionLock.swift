internal import EnergyModel

/// Lets one at a time change what is counted: a page of the log, a repair, late signals, the end of a rebuild.
actor ProjectionLock {
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func hold<Value: Sendable>(
        _ body: @Sendable () async throws(EnergyError) -> Value
    ) async throws(EnergyError) -> Value {
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        isHeld = true
        defer { release() }
        return try await body()
    }

    /// Hands it over to who waits longest.
    private func release() {
        guard !waiting.isEmpty else {
            isHeld = false
            return
        }
        waiting.removeFirst().resume()
    }
}
