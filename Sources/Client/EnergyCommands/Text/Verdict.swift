/// A rating in a word: up to 0.3 Good, up to 0.6 Fair, above Avoid.
enum Verdict: String, Sendable {
    case good = "Good"
    case fair = "Fair"
    case avoid = "Avoid"

    static let goodMax = 0.3
    static let fairMax = 0.6

    /// Of the rating as it is shown, with two decimals: `0.60` is never called Avoid. What is no number is nothing to
    /// run on: Avoid.
    init(rating: Double) {
        let shown = (rating * 100).rounded() / 100
        self = shown <= Verdict.goodMax ? .good : shown <= Verdict.fairMax ? .fair : .avoid
    }

    var color: Style.Color {
        switch self {
        case .good: .green
        case .fair: .yellow
        case .avoid: .red
        }
    }
}
