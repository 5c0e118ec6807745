package import EnergyModel

/// Numbers with a decimal point, without a detour over floating point.
package enum ExactNumber {
    /// `value` / 10^`places`, with as many decimals as it has: 1_500_000 with 6 places is `1.5`.
    static func text(_ value: Int64, places: Int) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let sign = value < 0 ? "-" : ""
        return sign + padded.dropLast(places) + (fraction.isEmpty ? "" : "." + fraction)
    }

    package static func kilowattHours(_ energy: Energy) -> String { text(energy.milliwattHours, places: 6) }

    /// Rounded to a ten-millionth, for hours of milliseconds have no end: who multiplies and rounds has each millisecond back.
    static func hours(milliseconds: Int64) -> String {
        text(Int64(clamping: (Int128(milliseconds) * 10_000_000 + 1_800_000) / 3_600_000), places: 7)
    }

    static func seconds(milliseconds: Int64) -> String { text(milliseconds, places: 3) }

    /// Currency units, exactly.
    static func currencyUnits(_ money: Money) -> String { text(money.micros, places: 6) }

    static func grams(_ mass: CarbonMass) -> String { text(mass.milligrams, places: 3) }
}

extension ExactNumber {
    /// A number with a decimal point or comma, times 10^`places`, rounded. Thousands may be apart, in groups of three and by
    /// another character than the decimal one: `1.234,5`, `1,234.5`, `1 234,5`, `1'234.5`. A single point or comma is the
    /// decimal one.
    ///
    /// - Returns: `nil` for anything else, and for what is too large.
    package static func read(_ text: String, places: Int) -> Int64? {
        guard text.utf8.count <= 40,
            let match = ungrouped(text).wholeMatch(of: #/([-−])?([0-9]{1,15})(?:[.,]([0-9]{1,20}))?/#)?.output
        else { return nil }
        let fraction = (match.3 ?? "") + String(repeating: "0", count: places + 1)
        guard let whole = Int64(match.2), let parts = Int64(fraction.prefix(places + 1)) else { return nil }
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        let (scaled, overflows) = whole.multipliedReportingOverflow(by: scale)
        guard !overflows else { return nil }
        let (value, overflowsToo) = scaled.addingReportingOverflow((parts + 5) / 10)
        return overflowsToo ? nil : match.1 == nil ? value : -value
    }
    private static func ungrouped(_ text: String) -> String {
        let grouped =
            #/[-−]?[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]+|(?:,[0-9]{3})+\.[0-9]+|(?:\.[0-9]{3}){2,}|(?:,[0-9]{3}){2,}|(?:[ '’\u{A0}\u{202F}][0-9]{3})+(?:[.,][0-9]+)?)/#
        guard text.wholeMatch(of: grouped) != nil else { return text }
        let last = text.lastIndex { $0 == "." || $0 == "," }
        // The last point or comma is the decimal one, unless there are several of it.
        let decimal = last.flatMap { place in text.count { $0 == text[place] } == 1 ? place : nil }
        return String(
            text.indices.filter { $0 == decimal || text[$0].isNumber || "-−".contains(text[$0]) }.map { text[$0] })
    }
}
