public import EnergyModel

/// Milliseconds since 1970.
extension Timestamp: ColumnConvertible {
    public init?(_ column: ColumnValue) {
        guard let milliseconds = Int64(column) else { return nil }
        self.init(unixMilliseconds: milliseconds)
    }
    public var column: ColumnValue { .integer(unixMilliseconds) }
}

extension ColumnRow {
    public func interval(_ start: String = "start_ms", _ end: String = "end_ms") throws(EnergyError) -> Interval {
        guard let interval = Interval(start: try self[start], end: try self[end]) else { throw .damaged(end) }
        return interval
    }
}
