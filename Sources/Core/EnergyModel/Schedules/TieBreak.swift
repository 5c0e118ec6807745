/// Which of several equally good times to take.
public enum TieBreak: String, Hashable, Sendable, CaseIterable {
    /// A device that is slower than planned still meets its deadline.
    case earlier
    /// The battery stands full for a shorter time.
    case later
}
