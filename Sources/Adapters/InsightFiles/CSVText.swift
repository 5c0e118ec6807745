/// Comma-separated values as spreadsheets read them.
///
/// - Source: RFC 4180; OWASP, "CSV Injection".
public enum CSVText {
    /// Spreadsheets take a file without this mark for one in the machine's old character set.
    public static let byteOrderMark = "\u{FEFF}"

    /// Cells with what would end them in quotes, and the line's end.
    public static func line(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\r\n" }

    /// What came from outside, as a cell that no spreadsheet takes for a formula.
    public static func name(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, dangerous.contains(first) else { return text }
        return "'" + text
    }

    /// A name as it was before ``name(_:)``.
    static func original(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        guard scalars.first == "'", let second = scalars.dropFirst().first, dangerous.contains(second) else {
            return cell
        }
        return String(cell.dropFirst())
    }

    private static let dangerous: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    private static func quoted(_ cell: String) -> String {
        // Scalars: a carriage return and a line feed are one character.
        guard cell.unicodeScalars.contains(where: { [",", "\"", "\r", "\n", ";"].contains($0) }) else { return cell }
        return "\"" + cell.escaping { $0 == "\"" ? "\"\"" : nil } + "\""
    }
}
