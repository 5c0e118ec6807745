public import EnergyModel
public import Foundation

/// A session of another program's records.
public struct PastSession: Hashable, Sendable {
    /// Of the file, counted from 1.
    public let line: Int
    /// The session that it is in the system that the file is from; `nil` where the file says nothing.
    public let exportedID: UUID?
    /// Tells it from the other sessions of its source, in whichever language and order the file has them.
    public let name: String
    /// The device, charger and vehicle, as the file calls them.
    public let sources: [String]
    /// At most ``lengthMax`` long.
    public let interval: Interval
    /// How long of it the vehicle charged; all of it where the file says nothing. Above 0.
    public let runtimeMilliseconds: Int64
    public let energy: Energy
    public let direction: FlowDirection
    /// Whole percent; `nil` where the file says nothing.
    public let stateOfChargeAtStart: Int?
    public let stateOfChargeAtEnd: Int?

    /// Silences that are longer are not believed (``SessionSegment``).
    public static let lengthMax = SessionSegment.millisecondsMax

    /// The same for the same session of the same file, whenever it is imported.
    public func sessionID(venueID: UUID, deviceID: String) -> UUID {
        UUID(naming: "past session/\(venueID.uuidString)/\(deviceID)/\(name)")
    }

    /// Of all its energy at one power, rounded up. What its highest was nobody knows.
    public var powerMilliwatts: Int64 {
        Int64(
            clamping: (Int128(energy.milliwattHours) * 3_600_000 + Int128(runtimeMilliseconds) - 1)
                / Int128(runtimeMilliseconds))
    }

    /// How many events one has at most.
    public static let eventsMax = 2 * runsMax
    private static let runsMax = 8

    /// Begin and end, and where it did not charge all of the time what lies between: as no file says when in between it
    /// paused, it charges at both ends and in runs that are evenly apart. They claim no power: the energy is spread evenly
    /// over these runs, because nothing else is known of it, and it has no baseline, because a mean taken for its full
    /// power would say that it saved nothing.
    ///
    /// - Parameter token: of guidance that the sender has asked for. The session did not follow it.
    public func events(venueID: UUID, device: Device, token: UUID) -> [Event] {
        let sessionID = sessionID(venueID: venueID, deviceID: device.id)
        func event(
            _ step: String, _ state: Session.State, _ time: Timestamp, energy: Int64, percent: Int? = nil
        ) -> Event {
            Event(
                id: UUID(naming: "\(sessionID.uuidString)/\(step)"), timestamp: time, venueID: venueID, device: device,
                content: .vehicleLoad(
                    VehicleLoad(
                        session: Session(
                            id: sessionID, state: state, wasFollowingGuidance: false, guidanceToken: token),
                        stateOfCharge: percent ?? 0, direction: direction, powerMilliwatts: 0,
                        energyMilliwattHours: energy, isStateOfChargeKnown: percent != nil)))
        }
        let pauses = pauses.enumerated().flatMap { index, pause in
            [
                event("pause \(index)", .active, pause.interval.start, energy: pause.energy),
                event("run \(index)", .active, pause.interval.end, energy: pause.energy),
            ]
        }
        return [event("begin", .begin, interval.start, energy: 0, percent: stateOfChargeAtStart)] + pauses
            + [event("end", .end, interval.end, energy: energy.milliwattHours, percent: stateOfChargeAtEnd)]
    }

    /// Each with what was charged before it, mWh.
    private var pauses: [(interval: Interval, energy: Int64)] {
        let (runs, pauseMilliseconds) = (Int64(Self.runsMax), interval.milliseconds - runtimeMilliseconds)
        return (1..<runs).compactMap { run in
            let charged = runtimeMilliseconds * run / runs
            let paused = { pauseMilliseconds * $0 / (runs - 1) }
            return Interval(
                start: interval.start.advanced(byMilliseconds: charged + paused(run - 1)),
                end: interval.start.advanced(byMilliseconds: charged + paused(run))
            ).map { ($0, energy.milliwattHours * run / runs) }
        }
    }
}

/// Why a row is no session: which column, if it is one, and what would be right.
public struct PastSessionFault: Error, Hashable, Sendable {
    public let line: Int
    /// As the file calls it; empty for the row as a whole.
    public let column: String
    /// What would be right, and what is there.
    public let reason: String

    public init(line: Int, column: String = "", reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// `line 7: Energy (kWh) must be 0 or more, but is -3`
    public var description: String { "line \(line): \(column.isEmpty ? "" : "\(column) ")\(reason)" }
}
