public import EnergyModel
public import Foundation
public import SQLColumns

/// What stands for a `$1` of a statement: one value, or an array of them (`unnest($1::bigint[])`).
public enum PostgreSQLValue: Hashable, Sendable {
    case one(ColumnValue)
    case array([ColumnValue])
}

/// A Swift value that may stand for a `$1`. `nil` is NULL.
public protocol PostgreSQLParameter: Sendable {
    var parameter: PostgreSQLValue { get }
}

extension PostgreSQLParameter where Self: ColumnConvertible {
    public var parameter: PostgreSQLValue { .one(column) }
}
extension Int: PostgreSQLParameter {}
extension Int64: PostgreSQLParameter {}
extension Bool: PostgreSQLParameter {}
extension Double: PostgreSQLParameter {}
extension String: PostgreSQLParameter {}
extension Data: PostgreSQLParameter {}
extension UUID: PostgreSQLParameter {}
extension Timestamp: PostgreSQLParameter {}
extension ColumnValue: PostgreSQLParameter {
    public var parameter: PostgreSQLValue { .one(self) }
}
extension PostgreSQLValue: PostgreSQLParameter {
    public var parameter: PostgreSQLValue { self }
}
extension Array: PostgreSQLParameter where Element: ColumnConvertible {
    public var parameter: PostgreSQLValue { .array(map(\.column)) }
}
