/// A rating in a word: up to 0.3 Good, up to 0.6 Fair, above Avoid.
enum Verdict: String, Sendable {
    case good = "Good"
    case fair = "Fair"
    case avoid = "Avoid"

    static let goodMax = 0.3
    static let fairMax = 0.6

    /// What is no number is nothing to run on: Avoid.
    init(rating: Double) { self = rating <= Verdict.goodMax ? .good : rating <= Verdict.fairMax ? .fair : .avoid }

    var color: Style.Color {
        switch self {
        case .good: .green
        case .fair: .yellow
        case .avoid: .red
        }
    }
}
