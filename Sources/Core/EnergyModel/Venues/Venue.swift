public import Foundation

/// A place where devices use or make electricity, and the contract it buys under.
public struct Venue: Hashable, Sendable, Identifiable {
    public let id: UUID
    /// 1 to 250 UTF-16 units.
    public var name: String
    /// IANA name; every local time of the venue is read on this clock.
    public var timeZone: TimeZone
    /// Grid region of its signals, for example `CISO`; 1 to 64 characters.
    public var region: String
    /// `nil` when no contract is known.
    public var ratePlanID: String?
    /// HomeKit home identifiers that stand for this venue, at most 16.
    public var homeIDs: [UUID]
    /// What counts in its ratings: 0 carbon only .. 1 price only; `nil` for the service's setting.
    public var priceWeight: Double?
    public var changed: Timestamp
    /// Since when it is no more; `nil` while it is. What was submitted for it stays, and stays readable.
    public var removed: Timestamp?

    public init(
        id: UUID, name: String, timeZone: TimeZone, region: String, ratePlanID: String? = nil, homeIDs: [UUID] = [],
        priceWeight: Double? = nil, changed: Timestamp, removed: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.region = region
        self.ratePlanID = ratePlanID
        self.homeIDs = homeIDs
        self.priceWeight = priceWeight
        self.changed = changed
        self.removed = removed
    }
}
