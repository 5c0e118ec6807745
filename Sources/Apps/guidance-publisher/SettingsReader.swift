import EnergyModel
import EnergyStore
import EnergyWire
import Foundation
import GridSignals
import ServiceRuntime

/// Reads the entries of the guidance-publisher's sections.
enum SettingsReader {
    static let venueMembers = ["id", "name", "time-zone", "region", "rate-plan", "home-ids", "price-weight"]
    static let fileMembers = [
        "path", "region", "label", "kind", "unit", "step", "time-zone", "content", "lag", "time-column", "value-column",
    ]

    static func venue(
        _ entry: inout ConfigurationEntry, planIDs: [String]
    ) throws(ConfigurationError) -> VenueDraft {
        // The built-in venue is of the built-in contract; beside other contracts it has none.
        let isBuiltIn = entry.isDefault
        var draft = VenueDraft(
            id: try entry.optional("id", allowed: "a UUID", parse: UUID.init(uuidString:)),
            name: try entry.string("name"), timeZone: try timeZone(&entry, default: nil),
            region: try entry.string("region"),
            ratePlanID: try entry.optional("rate-plan", allowed: "one of \(planIDs.joined(separator: ", "))") {
                planIDs.contains($0) || isBuiltIn ? $0 : nil
            },
            homeIDs: try homes(&entry),
            priceWeight: try entry.optional("price-weight", allowed: "0 (only carbon) to 1 (only price)") {
                Double($0).flatMap { 0...1 ~= $0 ? $0 : nil }
            })
        if let id = draft.ratePlanID, !planIDs.contains(id) { draft.ratePlanID = nil }
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
        let kinds = SignalKind.allCases.filter { $0.quantity == .carbon }
        let allowed =
            "one of \(kinds.map(\.rawValue).joined(separator: ", ")); prices are pushed to a source with provider: push"
        if let kind = try entry.optional(
            "kind", allowed: allowed, parse: { text in kinds.first { $0.rawValue == text } })
        {
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

    /// A file that cannot be used stops the start.
    static func check(
        _ file: FileProvider, of region: String, _ entry: ConfigurationEntry
    ) async throws(ConfigurationError) {
        do throws(EnergyError) { try await file.check(region: region) } catch {
            throw entry.refusal(
                "path", "\(error.message); allowed: a file that can be read, in the format that the entry says")
        }
    }

    // MARK: Values

    static func timeZone(
        _ entry: inout ConfigurationEntry, default value: TimeZone?
    ) throws(ConfigurationError) -> TimeZone {
        let allowed = "an IANA name, for example Europe/Berlin"
        func zone(_ text: String) -> TimeZone? { TimeZone(identifier: text).flatMap { $0.isPlace ? $0 : nil } }
        if let zone = try entry.optional("time-zone", allowed: allowed, parse: zone) { return zone }
        if let value { return value }
        return try entry.required("time-zone", allowed: allowed, parse: zone)
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

    static func words<Value: CaseIterable & RawRepresentable>(
        _ type: Value.Type
    ) -> String where Value.RawValue == String {
        "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
