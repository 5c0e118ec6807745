internal import EnergyFeeds

extension CommandContext {
    /// Tries again, with growing waits, for as long as a service is unavailable.
    ///
    /// - Parameter onLoss: told of the first failure.
    /// - Returns: `nil` when the task was cancelled meanwhile.
    /// - Throws: what is no matter of waiting.
    func untilAvailable<Value>(
        onLoss: (CommandFailure) -> Void = { _ in }, _ body: () async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value? {
        var backoff = Backoff(longest: .seconds(5))
        var isLost = false
        while !Task.isCancelled {
            do throws(CommandFailure) { return try await body() } catch {
                guard error.exit == .unavailable else { throw error }
                if !isLost { onLoss(error) }
                isLost = true
                try? await clock.sleep(for: backoff.failed())
            }
        }
        return nil
    }
}
