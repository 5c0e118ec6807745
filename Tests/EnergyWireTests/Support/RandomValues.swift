import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation

/// Makes values of every message, with the ends of each range among them.
struct RandomValues {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func bool() -> Bool { .random(using: &random) }
    mutating func one<Element>(of elements: [Element]) -> Element { elements[int(0...elements.count - 1)] }
    mutating func maybe<Value>(_ value: (inout RandomValues) -> Value) -> Value? { bool() ? value(&self) : nil }
    mutating func list<Value>(_ sizes: ClosedRange<Int>, _ value: (inout RandomValues) -> Value) -> [Value] {
        (0..<int(sizes)).map { _ in value(&self) }
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int(int64(Int64(range.lowerBound)...Int64(range.upperBound)))
    }
    mutating func int64(_ range: ClosedRange<Int64>) -> Int64 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: .random(in: range, using: &random)
        }
    }
    mutating func uint32() -> UInt32 { one(of: [0, 1, .max, .random(in: 0 ... .max, using: &random)]) }
    mutating func uint64() -> UInt64 { one(of: [0, 1, .max, .random(in: 0 ... .max, using: &random)]) }
    mutating func wide() -> Int64 { int64(-(1 << 53)...1 << 53) }
    mutating func double() -> Double {
        one(of: [0, -0.0, 1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .random(in: 0...1, using: &random)])
    }

    mutating func uuid() -> UUID {
        let (high, low) = (UInt64.random(in: 0 ... .max, using: &random), UInt64.random(in: 0 ... .max, using: &random))
        var bytes = [UInt8]()
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: high >> shift)) }
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: low >> shift)) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Never empty: where a text may be absent, empty means absent.
    mutating func text() -> String {
        let alphabet: [Character] = ["a", "Z", "0", " ", "-", "'", "é", "€", "漢", "👩‍👩‍👧", "\u{1}", "\u{7f}", "\u{FFFF}"]
        return one(of: ["x", String(repeating: "ü", count: 250), String(list(1...20) { $0.one(of: alphabet) })])
    }

    mutating func deviceID() -> String { one(of: ["car-1", "a", "Ann's 2nd car", String(repeating: "x", count: 64)]) }

    mutating func timestamp() -> Timestamp { Timestamp(unixMilliseconds: int64(0...253_402_300_799_999)) }
    mutating func interval() -> Interval {
        let start = int64(0...253_402_300_799_998)
        let end = int64(start + 1...253_402_300_799_999)
        guard
            let interval = Interval(
                start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
        else { preconditionFailure("start is before end") }
        return interval
    }
    mutating func timeZone() -> TimeZone {
        let names = [
            "America/Los_Angeles", "UTC", "Asia/Kolkata", "Australia/Lord_Howe", "Etc/GMT+12", "Asia/Kathmandu",
        ]
        guard let zone = TimeZone(identifier: one(of: names)) else { preconditionFailure("no such time zone") }
        return zone
    }
    mutating func currency() -> String { one(of: ["EUR", "USD", "AAA", "ZZZ"]) }
    mutating func price() -> Price { Price(microsPerKilowattHour: wide()) }
    mutating func energy() -> Energy { Energy(milliwattHours: wide()) }
    mutating func power() -> Power {
        guard let power = try? Power(milliwatts: int64(Power.range)) else { preconditionFailure("in range") }
        return power
    }
    mutating func int32() -> Int { int(Int(Int32.min)...Int(Int32.max)) }
}
