/// How a statement says where its values go.
public enum ValueMark: Sendable {
    /// `?`, as SQLite has it.
    case question
    /// `$1`, as PostgreSQL has it.
    case numbered

    /// - Parameter place: from 1.
    func text(_ place: Int) -> String {
        switch self {
        case .question: "?"
        case .numbered: "$\(place)"
        }
    }
}
