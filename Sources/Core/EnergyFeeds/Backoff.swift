/// How long to wait before trying again: doubled with each failure, shortened at random, so that many who lost the same
/// peer do not all come back at once.
public struct Backoff: Hashable, Sendable {
    public let first: Duration
    public let longest: Duration
    private var next: Duration
    private var random: UInt64

    /// - Parameters:
    ///   - first: the longest first wait.
    ///   - longest: no wait is longer.
    ///   - seed: the same seed waits the same times.
    public init(
        first: Duration = .milliseconds(250), longest: Duration = .seconds(15), seed: UInt64 = .random(in: 0 ... .max)
    ) {
        random = seed
        self.first = first
        self.longest = max(first, longest)
        next = first
    }

    /// The wait after one more failure: between half the step and the step, or `atLeast` (what a refusal asked for), but
    /// never more than ``longest``.
    public mutating func failed(atLeast: Duration = .zero) -> Duration {
        let step = next
        next = min(next * 2, longest)
        // A linear congruential generator (Knuth, MMIX): any spread will do.
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let share = 0.5 + Double(random >> 33) / Double(UInt64(1) << 32)
        return min(max(step * share, atLeast), longest)
    }

    /// It worked: the next failure waits the first step again.
    public mutating func succeeded() { next = first }
}
