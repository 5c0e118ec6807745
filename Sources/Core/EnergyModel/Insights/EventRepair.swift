public import Foundation

/// A data point that was wrong, set right by hand. The log keeps what was sent; what is counted is this.
public struct EventRepair: Hashable, Sendable, Identifiable {
    public enum Action: Hashable, Sendable {
        /// As if the event had never come; its session ends all the same if it was the end.
        case ignore
        /// The counter stood at this.
        case energy(Energy)
    }

    public let venueID: UUID
    public let sessionID: UUID
    public let eventID: UUID
    public let action: Action
    /// Up to 500 UTF-16 units.
    public let reason: String
    /// Who repaired it.
    public let principal: String
    public let made: Timestamp

    /// An event's id belongs to its venue.
    public struct ID: Hashable, Sendable {
        public let venueID: UUID
        public let eventID: UUID

        public init(venueID: UUID, eventID: UUID) {
            self.venueID = venueID
            self.eventID = eventID
        }
    }

    public var id: ID { ID(venueID: venueID, eventID: eventID) }

    public init(
        venueID: UUID, sessionID: UUID, eventID: UUID, action: Action, reason: String, principal: String,
        made: Timestamp
    ) {
        self.venueID = venueID
        self.sessionID = sessionID
        self.eventID = eventID
        self.action = action
        self.reason = reason
        self.principal = principal
        self.made = made
    }
}
