public import Foundation

/// What is remembered of one session between its events.
public struct SessionProgress: Hashable, Sendable, Identifiable {
    public let id: UUID
    public let venueID: UUID
    public let deviceID: String
    public let kind: Device.Kind
    /// `nil` for a session without a measured direction (HVAC).
    public let direction: FlowDirection?
    public let began: Timestamp
    /// Of its newest event.
    public var last: Timestamp
    /// Since `began`, as of `last`; 0 for a session that measures no energy.
    public var energyMilliwattHours: Int64
    public var isEnded: Bool
    /// Closed by policy: no event came for long. It opens again if one comes that fits.
    public var isAbandoned: Bool

    public init(
        id: UUID, venueID: UUID, deviceID: String, kind: Device.Kind, direction: FlowDirection?, began: Timestamp,
        last: Timestamp, energyMilliwattHours: Int64 = 0, isEnded: Bool = false,
        isAbandoned: Bool = false
    ) {
        self.id = id
        self.venueID = venueID
        self.deviceID = deviceID
        self.kind = kind
        self.direction = direction
        self.began = began
        self.last = last
        self.energyMilliwattHours = energyMilliwattHours
        self.isEnded = isEnded
        self.isAbandoned = isAbandoned
    }
}
