internal import Synchronization

/// How often a transaction has begun. From the second time on it may find what it has committed itself, when the answer to
/// that was lost.
final class Attempts: Sendable {
    private let count = Atomic(0)

    /// - Returns: 1 for the first.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
