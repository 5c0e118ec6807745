/// Until when an answer is of use to whoever asked: as long, a store tries what fails for now, such as while another server
/// takes the place of one that was lost.
public enum RequestDeadline {
    /// Of the request that is being answered; `nil` for what nobody waits for. May be over, in a task that a request has begun.
    @TaskLocal public static var current: ContinuousClock.Instant?

    /// Runs `body` with that deadline.
    ///
    /// - Throws: what `body` throws.
    public static func with<Value: Sendable>(
        _ deadline: ContinuousClock.Instant?, _ body: () async throws(EnergyError) -> Value
    ) async throws(EnergyError) -> Value {
        let result = await $current.withValue(deadline) { () async -> Result<Value, EnergyError> in
            do throws(EnergyError) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
