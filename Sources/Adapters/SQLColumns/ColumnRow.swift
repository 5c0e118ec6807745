public import EnergyModel
public import Foundation

/// One row, read by the names of its columns. What a column holds was written here: anything else is damage.
public protocol ColumnRow {
    /// - Throws: ``EnergyError`` `.dataLoss` when there is no such column.
    func value(in column: String) throws(EnergyError) -> ColumnValue
}

extension ColumnRow {
    /// - Throws: ``EnergyError`` `.dataLoss` when the column holds NULL or another type.
    public subscript<Value: ColumnConvertible>(_ column: String) -> Value {
        get throws(EnergyError) {
            guard let value = Value(try value(in: column)) else { throw .damaged(column) }
            return value
        }
    }

    /// - Returns: `nil` for NULL.
    public subscript<Value: ColumnConvertible>(_ column: String) -> Value? {
        get throws(EnergyError) {
            let stored = try value(in: column)
            guard stored != .null else { return nil }
            guard let value = Value(stored) else { throw .damaged(column) }
            return value
        }
    }

    /// One of the words that a type knows.
    public func word<Value: RawRepresentable<String>>(_ column: String) throws(EnergyError) -> Value {
        guard let value = Value(rawValue: try self[column]) else { throw .damaged(column) }
        return value
    }

    public func timeZone(_ column: String) throws(EnergyError) -> TimeZone {
        guard let zone = TimeZone(identifier: try self[column]) else { throw .damaged(column) }
        return zone
    }
}

extension EnergyError {
    public static func damaged(_ column: String) -> EnergyError {
        EnergyError(.dataLoss, "the database holds a damaged \(column)")
    }

    public static func damagedRecord(_ sequence: Int64, inPartition partition: Int) -> EnergyError {
        EnergyError(.dataLoss, "record \(sequence) of the log's partition \(partition) is damaged on disk")
    }
}
