internal import EnergyModel

/// Amounts as people read them. Numbers only: the unit stands in a heading or is added by the caller.
enum Quantities {
    /// kWh with two decimals, from whole mWh without a detour over floating point; what is there but too little to
    /// show is `<0.01`.
    static func kilowattHours(_ energy: Energy) -> String {
        kilowattHours(energy, hundredths: roundedQuotient(energy.milliwattHours.magnitude, 10_000))
    }

    /// Parts of a whole, with two decimals that sum to those of the whole. Parts that are not those of the whole, or are
    /// negative, are rounded one by one.
    static func kilowattHours(of whole: Energy, parts: [Energy]) -> [String] {
        let amounts = parts.map(\.milliwattHours)
        let sum = amounts.reduce(Int128(0)) { $0 + Int128($1) }
        guard sum == Int128(whole.milliwattHours), sum > 0, amounts.allSatisfy({ $0 >= 0 }) else {
            return parts.map(kilowattHours)
        }
        let total = Int64(roundedQuotient(whole.milliwattHours.magnitude, 10_000))
        let hundredths = LargestRemainder.split(total, by: amounts.map { UInt128($0) })
        return zip(parts, hundredths).map { kilowattHours($0, hundredths: $1.magnitude) }
    }

    private static func kilowattHours(_ energy: Energy, hundredths: UInt64) -> String {
        if hundredths == 0, energy.milliwattHours != 0 { return energy.milliwattHours < 0 ? "-<0.01" : "<0.01" }
        return sign(energy.milliwattHours, of: hundredths) + point(hundredths, digits: 2)
    }

    /// kW with two decimals.
    static func kilowatts(milliwatts: Int64) -> String {
        let hundredths = roundedQuotient(milliwatts.magnitude, 10_000)
        return sign(milliwatts, of: hundredths) + point(hundredths, digits: 2)
    }

    /// Currency units per kWh with three decimals.
    static func price(_ price: Price) -> String {
        let thousandths = roundedQuotient(price.microsPerKilowattHour.magnitude, 1000)
        return sign(price.microsPerKilowattHour, of: thousandths) + point(thousandths, digits: 3)
    }

    /// A ratio with two decimals.
    static func rating(_ rating: Double) -> String {
        guard rating.isFinite, abs(rating) < 1e6 else { return "?" }
        let hundredths = UInt64((abs(rating) * 100).rounded())
        return sign(rating < 0 ? -1 : 1, of: hundredths) + point(hundredths, digits: 2)
    }

    /// Whole g/kWh.
    static func carbonIntensity(_ grams: Double) -> String {
        guard grams.isFinite, abs(grams) < 1e9 else { return "?" }
        return "\(Int(grams.rounded()))"
    }

    /// Whole percent.
    static func percent(_ fraction: Double) -> String {
        guard fraction.isFinite, abs(fraction) < 1e6 else { return "?" }
        return "\(Int((fraction * 100).rounded())) %"
    }

    /// `8.25 %`, with as many decimals as it has: a tax is not rounded.
    static func exactPercent(partsPerMillion: Int64) -> String {
        let magnitude = partsPerMillion.magnitude
        var fraction = String(String(10_000 + magnitude % 10_000).dropFirst())
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let whole = "\(partsPerMillion < 0 ? "-" : "")\(magnitude / 10_000)"
        return fraction.isEmpty ? "\(whole) %" : "\(whole).\(fraction) %"
    }

    /// The two largest units: `3 d 4 h`, `2 h 5 min`, `12 min`, `35 s`. Negative lengths are shown as 0.
    static func length(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        let (minutes, hours, days) = (seconds / 60 % 60, seconds / 3600 % 24, seconds / 86_400)
        if days > 0 { return "\(days) d" + (hours > 0 ? " \(hours) h" : "") }
        if hours > 0 { return "\(hours) h" + (minutes > 0 ? " \(minutes) min" : "") }
        return minutes > 0 ? "\(minutes) min" : "\(seconds) s"
    }

    /// `4:05`, hours and minutes of run time, rounded to the minute.
    static func runtime(milliseconds: Int64) -> String {
        let minutes = roundedQuotient(milliseconds.magnitude, 60_000)
        if minutes == 0, milliseconds > 0 { return "<0:01" }
        return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }

    /// `812 B`, `4.1 kB`, `12.3 MB`: of powers of 1000.
    static func size(bytes: Int) -> String {
        guard bytes >= 1_000 else { return "\(bytes) B" }
        var (tenths, units) = (roundedQuotient(UInt64(bytes), 100), ["kB", "MB", "GB", "TB"][...])
        while tenths >= 10_000, units.count > 1 {
            (tenths, units) = (roundedQuotient(tenths, 1_000), units.dropFirst())
        }
        return "\(point(tenths, digits: 1)) \(units.first ?? "")"
    }

    /// `1 record`, `2 records`
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Nothing is never below nothing.
    private static func sign(_ value: Int64, of shown: UInt64) -> String { value < 0 && shown > 0 ? "-" : "" }

    private static func roundedQuotient(_ value: UInt64, _ divisor: UInt64) -> UInt64 {
        value / divisor + (value % divisor >= divisor / 2 ? 1 : 0)
    }

    private static func point(_ value: UInt64, digits: Int) -> String {
        let text = String(value)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}
