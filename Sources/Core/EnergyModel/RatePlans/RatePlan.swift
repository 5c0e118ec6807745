public import Foundation

/// A contract: what electricity costs, and when.
///
/// A price at a point in time is found in this order:
///
/// 1. The base: the price of the last of ``zones`` that matches, of the tier that the month's energy has reached. With a
///    ``priceSource`` the base is the source's price plus that of the zone, if one matches: a network charge by time of
///    day on top of an exchange's price.
/// 2. The ``datedRates`` that cover the time, in their order: each replaces or multiplies it.
/// 3. The ``charges``: fixed ones first, tax on the sum.
///
/// Whatever is missing leaves the price unknown; it is never taken for 0.
public struct RatePlan: Hashable, Sendable, Identifiable {
    public let id: String
    public var name: String
    /// ISO 4217 code of the prices.
    public var currency: String
    /// The clock that the zones are read on.
    public var timeZone: TimeZone
    /// At most 200. Times that no zone matches have no known price.
    public var zones: [RateZone]
    /// Days that are read as Sundays; at most 100.
    public var holidays: [Holiday]
    /// What is paid for energy that is fed in, as ``zones`` for what is drawn; no tiers and no charges. Empty: unknown.
    public var exportZones: [RateZone]
    /// Where the contract departs from its zones, for example critical-peak events; at most 1,000.
    public var datedRates: [DatedRate]
    public var charges: RateCharges
    /// Name of the price source that the contract passes on, as `Signals/Sources` lists it, with prices in ``currency``;
    /// 1 to 64 bytes, as an identifier, also dots and colons. `nil` with fixed prices.
    public var priceSource: String?
    /// Day of the month, `1...28`, whose first minute begins the count for ``RateZone/tiers``.
    public var billingDay: Int
    /// Energy that is expected to be drawn in a billing month, evenly by days; `nil` when unknown. It says which of the
    /// ``RateZone/tiers`` a time is in. Up to 1 GWh.
    public var monthlyEnergy: Energy?
    public var changed: Timestamp
    /// Since when the plan is no more; `nil` while it is. What was paid by it stays known.
    public var removed: Timestamp?

    public init(
        id: String, name: String, currency: String, timeZone: TimeZone, zones: [RateZone], holidays: [Holiday] = [],
        exportZones: [RateZone] = [], datedRates: [DatedRate] = [], charges: RateCharges = .none,
        priceSource: String? = nil, billingDay: Int = 1, monthlyEnergy: Energy? = nil,
        changed: Timestamp, removed: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.currency = currency
        self.timeZone = timeZone
        self.zones = zones
        self.holidays = holidays
        self.exportZones = exportZones
        self.datedRates = datedRates
        self.charges = charges
        self.priceSource = priceSource
        self.billingDay = billingDay
        self.monthlyEnergy = monthlyEnergy
        self.changed = changed
        self.removed = removed
    }
}

/// How busy, and dear, the contract calls a time.
public enum TariffPeak: String, CaseIterable, Hashable, Sendable, Codable {
    case superOffPeak, offPeak, partialPeak, onPeak, criticalPeak, unknown
}
