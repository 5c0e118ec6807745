public import Foundation

/// What one column of one row holds, in the words that SQL databases share.
public enum ColumnValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
    /// A database without a type for it keeps its 16 bytes.
    case uuid(UUID)
}

/// A value that stands in one column. Absence is `nil` here and NULL there.
public protocol ColumnConvertible: Sendable {
    /// `nil` for a column of another type, or out of range.
    init?(_ column: ColumnValue)
    var column: ColumnValue { get }
}

extension Int64: ColumnConvertible {
    public init?(_ column: ColumnValue) {
        guard case .integer(let number) = column else { return nil }
        self = number
    }
    public var column: ColumnValue { .integer(self) }
}

extension Int: ColumnConvertible {
    public init?(_ column: ColumnValue) {
        guard case .integer(let number) = column else { return nil }
        self.init(exactly: number)
    }
    public var column: ColumnValue { .integer(Int64(self)) }
}

extension Bool: ColumnConvertible {
    /// 0 and 1: not every database has a type for it.
    public init?(_ column: ColumnValue) {
        switch column {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
    public var column: ColumnValue { .integer(self ? 1 : 0) }
}

extension Double: ColumnConvertible {
    public init?(_ column: ColumnValue) {
        switch column {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
    public var column: ColumnValue { .real(self) }
}

extension String: ColumnConvertible {
    public init?(_ column: ColumnValue) {
        guard case .text(let text) = column else { return nil }
        self = text
    }
    public var column: ColumnValue { .text(self) }
}

extension Data: ColumnConvertible {
    public init?(_ column: ColumnValue) {
        guard case .bytes(let bytes) = column else { return nil }
        self = bytes
    }
    public var column: ColumnValue { .bytes(self) }
}

extension UUID: ColumnConvertible {
    public init?(_ column: ColumnValue) {
        switch column {
        case .uuid(let id): self = id
        case .bytes(let bytes) where bytes.count == 16:
            var raw: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            withUnsafeMutableBytes(of: &raw) { $0.copyBytes(from: bytes) }
            self.init(uuid: raw)
        default: return nil
        }
    }
    public var column: ColumnValue { .uuid(self) }
}
