/// A rating of guidance in a word: what devices that follow it aim for, and what they avoid.
public enum RatingBand: String, CaseIterable, Hashable, Sendable, Codable {
    case good, fair, avoid, unknown

    public static let goodMax = 0.3
    public static let fairMax = 0.6

    /// Of the rating with two decimals, as it is shown: `0.60` is never called avoid.
    ///
    /// - Parameter rating: 0 best .. 1 worst; what is no number is nothing to run on.
    public init(rating: Double) {
        let shown = (rating * 100).rounded() / 100
        self = shown <= Self.goodMax ? .good : shown <= Self.fairMax ? .fair : .avoid
    }
}
