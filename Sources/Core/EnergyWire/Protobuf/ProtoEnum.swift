/// A closed Swift enum that is an enum of `proto/`.
///
/// Value 0 is "unspecified" there. A number that is not in the list comes from a later version of the contract.
protocol ProtoEnum: RawRepresentable, Hashable, Sendable where RawValue == String {
    /// What the names of the values begin with, for example `TARIFF_PEAK`.
    static var protoPrefix: String { get }
    /// In the order of their numbers, from 1.
    static var protoValues: [Self] { get }
}

/// A C enum as Swift imports it.
protocol ProtoNumber: RawRepresentable where RawValue == UInt32 {
    init(_ rawValue: UInt32)
}

extension ProtoEnum {
    func proto<Number: ProtoNumber>() -> Number {
        // A value that has no number would have been a bug of this file; 0 is refused by whoever reads it.
        Number(UInt32((Self.protoValues.firstIndex(of: self) ?? -1) + 1))
    }

    /// As in `proto/`, for example `TARIFF_PEAK_ON_PEAK`.
    var protoName: String {
        rawValue.reduce(into: Self.protoPrefix + "_") { name, letter in
            if letter.isUppercase { name += "_" }
            name += letter.uppercased()
        }
    }
}

extension ProtoNumber {
    /// - Returns: `nil` where it is unspecified.
    func valueIfPresent<Value: ProtoEnum>(_ field: StaticString) throws(FieldError) -> Value? {
        rawValue == 0 ? nil : try value(field)
    }

    /// - Parameter unknown: what an unspecified or later value reads as; without it such values are refused.
    func value<Value: ProtoEnum>(_ field: StaticString, unknown: Value? = nil) throws(FieldError) -> Value {
        if 1...UInt32(Value.protoValues.count) ~= rawValue { return Value.protoValues[Int(rawValue) - 1] }
        if let unknown { return unknown }
        let allowed = Value.protoValues.map(\.protoName).joined(separator: ", ")
        throw FieldError(field, "must be one of \(allowed)", value: "\(rawValue)")
    }
}
