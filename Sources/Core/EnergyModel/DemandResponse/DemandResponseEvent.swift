public import Foundation

/// A time for which a utility, or the owner, asks for less.
///
/// It applies from when it was declared at the earliest, and until it was cancelled: what was known at a time never
/// changes afterwards. One that replaces another ends that one now, and begins now.
public struct DemandResponseEvent: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The grid is at its limit: use nothing that can wait.
        case criticalPeak
        /// Use less.
        case reduce
    }

    /// Which venues it is for.
    public enum Scope: Hashable, Sendable {
        case venue(UUID)
        case region(String)
        case all
    }

    public let id: UUID
    public var kind: Kind
    public var scope: Scope
    /// At most 7 days.
    public var interval: Interval
    /// For people; at most 250 UTF-16 units, may be empty.
    public var reason: String
    /// In place of the contract's price, before its charges. `nil` leaves it.
    public var price: Price?
    /// ISO 4217, of ``price``. Contracts in another currency keep theirs.
    public var currency: String?
    public var declared: Timestamp
    /// `nil` while it stands.
    public var cancelled: Timestamp?
    /// Who declared it, or the file that says so.
    public var source: String

    public init(
        id: UUID, kind: Kind, scope: Scope, interval: Interval, reason: String = "", price: Price? = nil,
        currency: String? = nil, declared: Timestamp = Timestamp(unixMilliseconds: 0), cancelled: Timestamp? = nil,
        source: String = ""
    ) {
        self.id = id
        self.kind = kind
        self.scope = scope
        self.interval = interval
        self.reason = reason
        self.price = price
        self.currency = currency
        self.declared = declared
        self.cancelled = cancelled
        self.source = source
    }

    /// When it applied, or is to apply; `nil` if it was cancelled before, or declared too late.
    public var timeInForce: Interval? {
        Interval(start: max(interval.start, declared), end: cancelled.map { min($0, interval.end) } ?? interval.end)
    }

    public func applies(to venue: Venue) -> Bool {
        switch scope {
        case .venue(let id): venue.id == id
        case .region(let region): venue.region == region
        case .all: true
        }
    }

    /// What it does to the rates of a contract.
    ///
    /// - Parameter currency: of the contract; `nil` without one.
    /// - Returns: `nil` when it never applies.
    public func datedRate(currency: String?) -> DatedRate? {
        timeInForce.map { interval in
            let change = price.flatMap { self.currency == currency ? DatedRate.Change.price($0) : nil }
            return DatedRate(interval: interval, change: change, peak: .criticalPeak)
        }
    }

    /// Whether both ask for the same of the same, whoever said so and when.
    public func asks(theSameAs other: DemandResponseEvent) -> Bool {
        (id, kind, scope, interval, reason) == (other.id, other.kind, other.scope, other.interval, other.reason)
            && (price, currency) == (other.price, other.currency)
    }
}
