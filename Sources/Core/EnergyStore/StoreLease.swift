public import EnergyModel

/// The right to be the one process that uses a store which several can reach.
///
/// Who holds it writes, and nobody else: what a former holder still writes is refused by the store. It ends when it was not
/// renewed for ``duration``, by the store's clock.
///
/// - Throws: ``EnergyError`` `.unavailable` when the store cannot be reached now.
public protocol StoreLease: Sendable {
    /// How long it lasts from when it was taken or last renewed.
    var duration: Duration { get }

    /// - Returns: whether it is this process's now: `false` while another's has not ended.
    func take() async throws(EnergyError) -> Bool

    /// - Parameter timeout: how long it may try.
    /// - Returns: `false` when another process has taken it, or the store has lost what was written under it.
    func renew(within timeout: Duration) async throws(EnergyError) -> Bool

    /// Lets the next one have it at once. Nothing is written afterwards.
    func release() async throws(EnergyError)
}
