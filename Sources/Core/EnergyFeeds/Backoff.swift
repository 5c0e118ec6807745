/// How long to wait before trying again: doubled with each failure, shortened at random, so that many who lost the same
/// peer do not all come back at once.
public struct Backoff: Hashable, Sendable {
    public let first: Duration
    public let longest: Duration
    private var next: Duration

    /// - Parameters:
    ///   - first: the longest first wait.
    ///   - longest: no wait is longer.
    public init(first: Duration = .milliseconds(250), longest: Duration = .seconds(15)) {
        self.first = first
        self.longest = max(first, longest)
        next = first
    }

    /// The wait after one more failure: between half the step and the step, or `atLeast` (what a refusal asked for), but
    /// never more than ``longest``.
    public mutating func failed(atLeast: Duration = .zero) -> Duration {
        let step = next
        next = min(next * 2, longest)
        return min(max(step * Double.random(in: 0.5...1), atLeast), longest)
    }

    /// It worked: the next failure waits the first step again.
    public mutating func succeeded() { next = first }
}
