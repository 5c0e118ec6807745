public import EnergyModel
public import Foundation

/// A format that contracts are written in elsewhere.
public enum TariffFormat: String, CaseIterable, Sendable {
    /// OpenEI's Utility Rate Database, version 7 and 8: prices by month and hour.
    case urdb
    /// evcc's `tariffs`: zones of days, hours and months.
    case evcc
    /// OpenADR 3 events with the payloads PRICE and EXPORT_PRICE.
    case openadr
    /// acnportal's schedules: seasons by date, edges at any minute.
    case acnportal
}

/// What a document does not say, and the plan needs.
public struct TariffTerms: Sendable {
    /// Of the plan to be.
    public var id: String
    /// In place of the document's, if it has one.
    public var name: String?
    /// `nil` takes the document's; URDB and acnportal are in USD, evcc is in EUR unless it says otherwise.
    public var currency: String?
    /// The clock that the document's hours are read on: no format names it.
    public var timeZone: TimeZone
    /// Days of the weekend's prices: no format lists them.
    public var holidays: [Holiday]
    /// Of a list of URDB rates, the one with this label.
    public var label: String?

    public init(
        id: String, name: String? = nil, currency: String? = nil, timeZone: TimeZone, holidays: [Holiday] = [],
        label: String? = nil
    ) {
        self.id = id
        self.name = name
        self.currency = currency
        self.timeZone = timeZone
        self.holidays = holidays
        self.label = label
    }
}

/// One of several contracts in a document.
public struct TariffChoice: Hashable, Sendable {
    /// As ``TariffTerms/label`` names it.
    public let label: String
    /// For people: what it is called, whose it is, and when it is in force.
    public let name: String
}

/// A contract that was read from a document.
public struct ImportedTariff: Sendable {
    public let plan: RatePlan
    public let format: TariffFormat
    /// What the document says and a plan does not hold, and what is odd about the plan.
    public let findings: [RatePlanFinding]
}

extension TariffFormat {
    /// Larger files are refused.
    public static let bytesMax = 8 * 1024 * 1024

    /// Reads a contract.
    ///
    /// - Parameters:
    ///   - bytes: JSON; for evcc YAML too.
    ///   - format: `nil` guesses it from the document's members; the result says which it was.
    /// - Throws: ``EnergyError`` `.invalidInput` naming the path in the document, what would be right, and what is there.
    public static func read(
        _ bytes: [UInt8], format: TariffFormat? = nil, _ terms: TariffTerms
    ) throws(EnergyError) -> ImportedTariff {
        let root = try DocumentNode(bytes)
        guard let format = format ?? guess(root) else {
            throw .invalidInput(
                RuleViolation(
                    field: "document",
                    rule: "must have energyratestructure (urdb), zones or grid (evcc), intervals (openadr), or "
                        + "schedule (acnportal)", value: root.summary))
        }
        let draft =
            switch format {
            case .urdb: try URDBTariff.read(root, terms)
            case .evcc: try EvccTariff.read(root, terms)
            case .openadr: try OpenADRTariff.read(root, terms)
            case .acnportal: try ACNPortalTariff.read(root, terms)
            }
        let plan = try draft.plan.withDerivedPeaks().validated()
        return ImportedTariff(plan: plan, format: format, findings: draft.findings + plan.findings())
    }

    /// The contracts among which a document lets one choose; none where it has one, or cannot be read.
    ///
    /// - Parameter bytes: as for ``read(_:format:_:)``.
    public static func choices(_ bytes: [UInt8]) -> [TariffChoice] {
        guard let root = try? DocumentNode(bytes) else { return [] }
        let choices = URDBTariff.choices(root)
        return choices.count > 1 ? choices : []
    }

    /// Writes a contract's prices. Names and peaks are written where the format has a place for them.
    ///
    /// - Returns: JSON, which every one of these programs reads.
    /// - Throws: ``EnergyError`` `.invalidInput` naming each part of the plan that the format cannot hold.
    public func write(_ plan: RatePlan) throws(EnergyError) -> [UInt8] {
        let document =
            switch self {
            case .urdb: try URDBTariff.write(plan)
            case .evcc: try EvccTariff.write(plan)
            case .openadr: try OpenADRTariff.write(plan)
            case .acnportal: try ACNPortalTariff.write(plan)
            }
        return document.json
    }

    private static func guess(_ root: DocumentNode) -> TariffFormat? {
        if root["items"]["0"].exists || root["energyratestructure"].exists { return .urdb }
        if root["schedule"].exists { return .acnportal }
        if ["tariffs", "grid", "zones"].contains(where: { root[$0].exists }) { return .evcc }
        if root["price"].exists, !root["intervals"].exists { return .evcc }
        if ["events", "intervals"].contains(where: { root[$0].exists }) || root["0"]["intervals"].exists {
            return .openadr
        }
        return nil
    }
}

/// A plan before its peaks are known, and what its document said besides.
struct TariffDraft {
    var plan: RatePlan
    var findings: [RatePlanFinding] = []

    init(_ terms: TariffTerms, name: String?, currency: String, zones: [RateZone]) {
        plan = RatePlan(
            id: terms.id, name: terms.name ?? name ?? terms.id, currency: terms.currency ?? currency,
            timeZone: terms.timeZone, zones: zones, holidays: terms.holidays, changed: Timestamp(unixMilliseconds: 0))
    }
}
