import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GridSignals
import ServiceRuntime

/// Reads the entries of the guidance-publisher's sections.
enum SettingsReader {
    static let ratePlanMembers = ["id", "name", "currency", "time-zone", "zones", "price-source"]
    static let venueMembers = ["id", "name", "time-zone", "region", "rate-plan", "home-ids"]
    static let fileMembers = [
        "path", "region", "label", "kind", "unit", "step", "time-zone", "content", "lag", "time-column", "value-column",
    ]
    private static let zoneMembers = ["price", "peak", "days", "months", "from", "to"]

    static func ratePlan(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> RatePlan {
        let plan = RatePlan(
            id: try entry.string("id"), name: try entry.string("name"), currency: try entry.string("currency"),
            timeZone: try timeZone(&entry, default: nil), zones: try entry.entries("zones", allowed: zoneMembers, zone),
            priceSource: try entry.optional("price-source", allowed: "the name of a price source") { $0 },
            changed: Timestamp(unixMilliseconds: 0))
        if let violation = plan.violations.first { throw entry.refusal("id", "\(violation)") }
        return plan
    }

    static func venue(
        _ entry: inout ConfigurationEntry, planIDs: [String]
    ) throws(ConfigurationError) -> VenueDraft {
        let draft = VenueDraft(
            id: try entry.optional("id", allowed: "a UUID", parse: UUID.init(uuidString:)),
            name: try entry.string("name"), timeZone: try timeZone(&entry, default: nil),
            region: try entry.string("region"),
            ratePlanID: try entry.optional("rate-plan", allowed: "one of \(planIDs.joined(separator: ", "))") {
                planIDs.contains($0) ? $0 : nil
            },
            homeIDs: try homes(&entry))
        let venue = Venue(
            id: draft.id ?? UUID(), name: draft.name, timeZone: draft.timeZone, region: draft.region,
            ratePlanID: draft.ratePlanID, homeIDs: draft.homeIDs, changed: Timestamp(unixMilliseconds: 0))
        if let violation = venue.violations.first { throw entry.refusal("name", "\(violation)") }
        return draft
    }

    static func file(
        _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> (region: String, provider: FileProvider) {
        let path = try entry.string("path")
        let region = try entry.string("region")
        var format = FileFormat(
            label: try entry.required("label", allowed: words(LabelConvention.self), parse: LabelConvention.init))
        if let kind = try entry.optional("kind", allowed: words(SignalKind.self), parse: SignalKind.init) {
            format.kind = kind
        }
        if let unit = try entry.optional("unit", allowed: words(CarbonUnit.self), parse: CarbonUnit.init) {
            format.unit = unit
        }
        if let step = try duration("step", &entry) { format.stepMilliseconds = step }
        format.timeZone = try timeZone(&entry, default: .gmt)
        let lag = try duration("lag", &entry) ?? 0
        let isForecast = try entry.optional("content", allowed: "one of measured, forecast") {
            ["measured": false, "forecast": true][$0]
        }
        format.content = isForecast ?? false ? .forecast : .measured(lagMilliseconds: lag)
        format.timeColumn = try entry.string("time-column", default: format.timeColumn)
        format.valueColumn = try entry.string("value-column", default: format.valueColumn)
        do throws(EnergyError) { return (region, try FileProvider(path: path, format: format)) } catch {
            throw entry.refusal("path", error.message)
        }
    }

    private static func zone(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> RateZone {
        RateZone(
            price: try entry.required("price", allowed: "a number with at most 6 decimals", parse: price),
            peak: try entry.required("peak", allowed: words(TariffPeak.self), parse: TariffPeak.init),
            weekdays: try bits("days", ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], &entry),
            months: try bits(
                "months", ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], &entry),
            startMinute: try entry.optional("from", allowed: "HH:MM up to 23:59") { minute($0, in: 0...1_439) } ?? 0,
            endMinute: try entry.optional("to", allowed: "HH:MM from 00:01 to 24:00") { minute($0, in: 1...1_440) }
                ?? 1_440)
    }

    // MARK: Values

    private static func timeZone(
        _ entry: inout ConfigurationEntry, default value: TimeZone?
    ) throws(ConfigurationError) -> TimeZone {
        let allowed = "an IANA name, for example Europe/Berlin"
        if let zone = try entry.optional("time-zone", allowed: allowed, parse: TimeZone.init(identifier:)) {
            return zone
        }
        if let value { return value }
        return try entry.required("time-zone", allowed: allowed, parse: TimeZone.init(identifier:))
    }

    private static func homes(_ entry: inout ConfigurationEntry) throws(ConfigurationError) -> [UUID] {
        let texts = try entry.strings("home-ids")
        let ids = texts.compactMap { UUID(uuidString: $0) }
        guard ids.count == texts.count else { throw entry.refusal("home-ids", "must be UUIDs") }
        return ids
    }

    private static func duration(
        _ name: String, _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> Int64? {
        try entry.optional(name, allowed: "a duration, for example 1h") { text in
            Duration(text: text).flatMap { $0 >= .zero ? $0.wholeMilliseconds : nil }
        }
    }

    private static func bits(
        _ name: String, _ words: [String], _ entry: inout ConfigurationEntry
    ) throws(ConfigurationError) -> UInt32 {
        var bits: UInt32 = 0
        for text in try entry.strings(name) {
            guard let bit = words.firstIndex(of: text.lowercased()) else {
                throw entry.refusal(name, "'\(text)' is not one of \(words.joined(separator: ", "))")
            }
            bits |= 1 << UInt32(bit)
        }
        return bits
    }

    private static func words<Value: CaseIterable & RawRepresentable>(
        _ type: Value.Type
    ) -> String where Value.RawValue == String {
        "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// Decimal text to millionths, without passing through floating point.
    private static func price(_ text: String) -> Price? {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { "0"..."9" ~= $0 } }),
            parts[0].count <= 9, parts.count == 1 || parts[1].count <= 6,
            let whole = Int64(parts[0]),
            let fraction = Int64(
                (parts.count == 2 ? parts[1] : "")
                    + String(repeating: "0", count: 6 - (parts.count == 2 ? parts[1].count : 0)))
        else { return nil }
        let micros = whole * 1_000_000 + fraction
        return Price(microsPerKilowattHour: isNegative ? -micros : micros)
    }

    private static func minute(_ text: String, in range: ClosedRange<Int>) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), let hours = Int(parts[0]),
            let minutes = Int(parts[1]), 0...59 ~= minutes, hours >= 0
        else { return nil }
        let minute = hours * 60 + minutes
        return range.contains(minute) ? minute : nil
    }
}
