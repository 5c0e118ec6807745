internal import EnergyModel
internal import EnergyProto
internal import Foundation

// How each member of an unpacked C struct becomes a value. Each function is told the field's name in `proto/` and
// throws a ``FieldError`` that names it.

extension ProtobufCBinaryData {
    func uuid(_ field: StaticString) throws(FieldError) -> UUID {
        guard let uuid = try uuidIfPresent(field) else {
            throw FieldError(field, "must be a UUID of 16 bytes", value: "absent")
        }
        return uuid
    }

    /// `nil` for no bytes.
    func uuidIfPresent(_ field: StaticString) throws(FieldError) -> UUID? {
        guard len > 0 else { return nil }
        guard len == 16, let data else {
            throw FieldError(field, "must be a UUID of 16 bytes", value: "\(len) bytes")
        }
        return UUID(uuid: UnsafeRawPointer(data).loadUnaligned(as: uuid_t.self))
    }

    var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: data, count: len)) }
}

extension UnsafeMutablePointer<CChar>? {
    /// Only for strings that `Arena` has unpacked: it knows the length that the sender gave, where C stops at a NUL.
    func string(_ field: StaticString) throws(FieldError) -> String {
        guard let self, UInt(bitPattern: self) != absentString else { return "" }
        let utf8 = UnsafeRawBufferPointer(start: self, count: Arena.byteCount(at: self) - 1)
        // Nearly every name is ASCII, for which the general validation is slow.
        if utf8.allSatisfy({ 1...0x7F ~= $0 }) {
            return String(decoding: utf8.bindMemory(to: UInt8.self), as: UTF8.self)
        }
        guard !utf8.contains(0), let string = String(validating: utf8, as: UTF8.self) else {
            throw FieldError(field, "must be UTF-8 without NUL", value: "\(utf8.count) other bytes")
        }
        return string
    }

    /// `nil` for the empty string.
    func stringIfPresent(_ field: StaticString) throws(FieldError) -> String? {
        let string = try string(field)
        return string.isEmpty ? nil : string
    }

    /// The device that a question is about; `nil` for the empty string. What no device can be called is refused: an answer
    /// without records would say that it used nothing.
    func deviceIDIfPresent(_ field: StaticString) throws(FieldError) -> String? {
        guard let id = try stringIfPresent(field) else { return nil }
        if let violation = NameRules.violation(ofIdentifier: id, field: "device_id") {
            throw FieldError(field, violation.rule, value: id)
        }
        return id
    }

    /// An area's name of the IANA database, or `UTC` or `GMT`: no abbreviation, and no offset.
    func timeZone(_ field: StaticString) throws(FieldError) -> TimeZone {
        let name = try string(field)
        let isArea = name.contains("/") && !name.contains("..")
        guard isArea || name == "UTC" || name == "GMT", name.utf8.count <= 64, let zone = TimeZone(identifier: name)
        else { throw FieldError(field, "must be an IANA time zone, for example Europe/Paris", value: name) }
        return zone
    }

    /// `nil` for the empty string.
    func currencyIfPresent(_ field: StaticString) throws(FieldError) -> String? {
        guard let code = try stringIfPresent(field) else { return nil }
        guard code.utf8.count == 3, code.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else {
            throw FieldError(field, "must be the three capital letters of an ISO 4217 code", value: code)
        }
        return code
    }
}

extension Int64 {
    /// 1970 to 9999: far enough from the ends of 64 bits for any arithmetic in milliseconds.
    func timestamp(_ field: StaticString) throws(FieldError) -> Timestamp {
        guard 0...253_402_300_799_999 ~= self else {
            throw FieldError(field, "must be within the years 1970 to 9999, in Unix milliseconds", value: "\(self)")
        }
        return Timestamp(unixMilliseconds: self)
    }

    /// Up to 2^53, so that sums of a thousand of them stay far from the ends of 64 bits.
    func bounded(_ field: StaticString) throws(FieldError) -> Int64 {
        guard magnitude <= 1 << 53 else {
            throw FieldError(field, "must be within -2^53 to 2^53", value: "\(self)")
        }
        return self
    }

    func energy(_ field: StaticString) throws(FieldError) -> Energy { Energy(milliwattHours: try bounded(field)) }

    func price(_ field: StaticString) throws(FieldError) -> Price { Price(microsPerKilowattHour: try bounded(field)) }

    func power(_ field: StaticString) throws(FieldError) -> Power {
        do { return try Power(milliwatts: self) } catch {
            throw FieldError(field, error.violations.first?.rule ?? error.message, value: "\(self)")
        }
    }
}

extension UInt32 {
    func within(_ range: ClosedRange<UInt32>, _ field: StaticString) throws(FieldError) -> UInt32 {
        guard range ~= self else {
            throw FieldError(field, "must be \(range.lowerBound) to \(range.upperBound)", value: "\(self)")
        }
        return self
    }

    func partition(_ field: StaticString) throws(FieldError) -> Int {
        Int(try within(0...UInt32(LogPartition.count - 1), field))
    }
}

extension Double {
    func finite(_ field: StaticString) throws(FieldError) -> Double {
        guard isFinite else { throw FieldError(field, "must be finite", value: "\(self)") }
        return self
    }
}

extension Optional {
    /// A message inside a message.
    func required<Value: ProtoCoded>(_ field: StaticString) throws(FieldError) -> Value
    where Wrapped == UnsafeMutablePointer<Value.Proto> {
        guard let value: Value = try ifPresent(field) else {
            throw FieldError(field, "must be present", value: "absent")
        }
        return value
    }

    func ifPresent<Value: ProtoCoded>(_ field: StaticString) throws(FieldError) -> Value?
    where Wrapped == UnsafeMutablePointer<Value.Proto> {
        guard let self else { return nil }
        do { return try Value(reading: self.pointee) } catch { throw error.inside(.field(field)) }
    }

    /// A repeated field of messages, of which the caller allows at most `max`.
    func messages<Value: ProtoCoded>(
        _ field: StaticString, count: Int, max: Int
    ) throws(FieldError) -> [Value] where Wrapped == UnsafeMutablePointer<UnsafeMutablePointer<Value.Proto>?> {
        try list(field, count: count, max: max) { (message) throws(FieldError) in try message.required("") }
    }

    func strings(_ field: StaticString, count: Int, max: Int) throws(FieldError) -> [String]
    where Wrapped == UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
        try list(field, count: count, max: max) { (string) throws(FieldError) in try string.string("") }
    }

    /// A repeated field of anything.
    func list<Element, Value>(
        _ field: StaticString, count: Int, max: Int, _ read: (Element) throws(FieldError) -> Value
    ) throws(FieldError) -> [Value] where Wrapped == UnsafeMutablePointer<Element> {
        guard count <= max else {
            throw FieldError(field, "must have at most \(max) elements", value: "\(count) elements")
        }
        guard let self else { return [] }
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count {
            do { values.append(try read(self[index])) } catch {
                throw error.inside(.index(index)).inside(.field(field))
            }
        }
        return values
    }
}

/// protobuf-c's default of a string field: one constant that stands for "absent".
private let absentString: UInt = withUnsafeTemporaryAllocation(of: Energy__V1__Device.self, capacity: 1) { device in
    energy__v1__device__init(device.baseAddress)
    return UInt(bitPattern: device[0].id)
}
