internal import Foundation

extension ColumnValue {
    /// Byte by byte: Swift takes é for e and its accent, and databases do not.
    public static func isSame(_ first: ColumnValue, _ second: ColumnValue) -> Bool {
        guard case (.text(let first), .text(let second)) = (first, second) else { return first == second }
        return first.utf8.elementsEqual(second.utf8)
    }

    /// In the order of a key: numbers by size, everything else byte by byte, as SQLite and PostgreSQL's collation "C" have it.
    public static func precedes(_ first: ColumnValue, _ second: ColumnValue) -> Bool {
        switch (first, second) {
        case (.integer(let first), .integer(let second)): first < second
        case (.text(let first), .text(let second)): first.utf8.lexicographicallyPrecedes(second.utf8)
        case (.bytes(let first), .bytes(let second)): first.lexicographicallyPrecedes(second)
        case (.uuid(let first), .uuid(let second)):
            withUnsafeBytes(of: first.uuid) { first in
                withUnsafeBytes(of: second.uuid) { first.lexicographicallyPrecedes($0) }
            }
        default: false
        }
    }
}
