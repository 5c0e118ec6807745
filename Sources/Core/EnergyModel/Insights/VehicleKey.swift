public import Foundation

/// A vehicle's name, unique among all venues.
public struct VehicleKey: Hashable, Sendable {
    public let venueID: UUID
    public let deviceID: String

    public init(venueID: UUID, deviceID: String) {
        self.venueID = venueID
        self.deviceID = deviceID
    }

    /// - Returns: `nil` for a session of heating or cooling, which is never plugged in.
    public init?(_ session: CountedSession) {
        guard session.series.kind != .hvac else { return nil }
        self.init(venueID: session.key.venueID, deviceID: session.series.deviceID)
    }
}
