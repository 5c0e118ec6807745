public import Foundation

/// A vehicle's name, unique among all venues.
public struct VehicleKey: Hashable, Sendable {
    public let venueID: UUID
    public let deviceID: String

    public init(venueID: UUID, deviceID: String) {
        self.venueID = venueID
        self.deviceID = deviceID
    }

    /// - Returns: `nil` for an event of another kind of device.
    public init?(_ event: Event) {
        switch event.content {
        case .vehicleLoad, .vehicleStatus: self.init(venueID: event.venueID, deviceID: event.device.id)
        case .hvacLoad: return nil
        }
    }
}

/// Since when a vehicle is plugged in and takes no energy, as its events say.
///
/// It follows from the order of the log alone, whatever was set right by hand, so counting again finds the same.
public struct VehicleStay: Hashable, Sendable {
    /// Who waits longer did not wait for better energy: such a stay says nothing about when a session could have begun.
    public static let waitMillisecondsMax = 7 * Int64.millisecondsPerDay

    /// Of the first status that says plugged in, in whatever words, and is not before ``earliest``.
    public private(set) var pluggedIn: Timestamp?
    /// The newest time at which it was unplugged, or reported energy of a session.
    public private(set) var earliest: Timestamp?

    public init(pluggedIn: Timestamp? = nil, earliest: Timestamp? = nil) {
        self.pluggedIn = pluggedIn
        self.earliest = earliest
    }

    /// - Parameter event: the vehicle's next in the log, however late it is.
    public mutating func follow(_ event: Event) {
        let time = event.timestamp.clamped
        switch event.content {
        case .vehicleStatus(let report) where report.status == .unplugged:
            earliest = max(earliest ?? time, time)
            if let known = pluggedIn, known <= time { pluggedIn = nil }
        case .vehicleStatus:
            if let earliest, time < earliest { return }
            pluggedIn = min(pluggedIn ?? time, time)
        case .vehicleLoad:
            // One session ends where the next one of the same stay could have begun.
            earliest = max(earliest ?? time, time)
            pluggedIn = pluggedIn.map { max($0, time) }
        case .hvacLoad: break
        }
    }

    /// - Parameter first: of a session: its first event, which the stay has not followed yet.
    /// - Returns: when the session could have begun; `nil` where nothing is known of a time before it did, or that is
    ///   more than ``waitMillisecondsMax`` before.
    public func pluggedIn(for first: Event) -> Timestamp? {
        let began = first.timestamp.clamped
        guard let pluggedIn, pluggedIn < began,
            began.milliseconds(since: pluggedIn) <= Self.waitMillisecondsMax
        else { return nil }
        return pluggedIn
    }
}
