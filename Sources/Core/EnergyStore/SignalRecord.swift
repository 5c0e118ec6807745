public import EnergyModel

/// One value of a region's signal, and what was made of it when it was learned.
public struct SignalRecord: Hashable, Sendable {
    public let interval: Interval
    /// In the unit of the kind's quantity: gCO2eq/kWh, or millionths of the currency unit per kWh.
    public let value: Double
    public let isEstimated: Bool
    public let kind: SignalKind
    /// `unknown` for a price.
    public let cleanliness: Cleanliness
    public let source: String
    /// When the source made it known, if it says so.
    public let issued: Timestamp?
    /// ISO 4217, of a price; `nil` otherwise.
    public let currency: String?

    public init(
        interval: Interval, value: Double, isEstimated: Bool, kind: SignalKind, cleanliness: Cleanliness,
        source: String, issued: Timestamp? = nil, currency: String? = nil
    ) {
        self.interval = interval
        self.value = value
        self.isEstimated = isEstimated
        self.kind = kind
        self.cleanliness = cleanliness
        self.source = source
        self.issued = issued
        self.currency = currency
    }

    /// The part of it inside `interval`, `nil` if there is none.
    public func clamped(to interval: Interval) -> SignalRecord? {
        self.interval.intersection(interval).map { with($0, issued: issued) }
    }

    private func with(_ interval: Interval, issued: Timestamp?) -> SignalRecord {
        SignalRecord(
            interval: interval, value: value, isEstimated: isEstimated, kind: kind, cleanliness: cleanliness,
            source: source, issued: issued, currency: currency)
    }

    /// Whether both say the same of the same time. A source that says it again, later, has not said anything new.
    func agrees(with other: SignalRecord) -> Bool {
        with(interval, issued: nil) == other.with(other.interval, issued: nil)
    }

    /// Whether both say the same value, whatever their time. The class is of the day it was given on: another one alone
    /// corrects nothing.
    func measures(theSameAs other: SignalRecord) -> Bool {
        (value, isEstimated, kind, source, currency)
            == (other.value, other.isEstimated, other.kind, other.source, other.currency)
    }

    /// Both as one, if `next` follows at once and starts inside the same interval, saying the same.
    func joined(with next: SignalRecord) -> SignalRecord? {
        guard next.interval.start == interval.end,
            let whole = Interval(start: interval.start, end: next.interval.end)
        else { return nil }
        let joined = with(whole, issued: issued)
        return joined.clamped(to: next.interval)?.agrees(with: next) == true ? joined : nil
    }
}
