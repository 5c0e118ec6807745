public import EnergyModel
public import Foundation

/// Events that break no rule, and are easily changed into ones that do.
public enum EventSamples {
    /// 2026-03-01T12:00:00Z
    public static let now = Timestamp(unixMilliseconds: 1_772_366_400_000)
    public static let venueID = id(1)
    public static let token = id(2)
    public static let car = Device(id: "car-1", name: "Car", kind: .electricVehicle)
    public static let heatPump = Device(id: "heat-pump-1", name: "Heat pump", kind: .hvac)

    /// A UUID that a reader recognises.
    public static func id(_ number: UInt64) -> UUID {
        withUnsafeBytes(of: number.bigEndian) { bytes in
            UUID(
                uuid: (
                    0xE0, 0, 0, 0, 0, 0, 0x40, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6],
                    bytes[7]
                ))
        }
    }

    public static func vehicle(
        id: UUID = UUID(), at timestamp: Timestamp = now, venueID: UUID = venueID, device: Device = car,
        session: UUID = id(3), _ state: Session.State, token: UUID = token, stateOfCharge: Int = 50,
        direction: FlowDirection = .imported, power: Int64 = 0, energy: Int64 = 0, range: Int64? = nil,
        temperature: Int64? = nil, knowsStateOfCharge: Bool = true
    ) -> Event {
        Event(
            id: id, timestamp: timestamp, venueID: venueID, device: device,
            content: .vehicleLoad(
                VehicleLoad(
                    session: Session(id: session, state: state, wasFollowingGuidance: true, guidanceToken: token),
                    stateOfCharge: stateOfCharge, direction: direction, powerMilliwatts: power,
                    energyMilliwattHours: energy, estimatedRangeMillimetres: range,
                    batteryTemperatureMillikelvin: temperature, isStateOfChargeKnown: knowsStateOfCharge)))
    }

    public static func hvac(
        id: UUID = UUID(), at timestamp: Timestamp = now, venueID: UUID = venueID, device: Device = heatPump,
        session: UUID = id(4), _ state: Session.State, token: UUID = token, stage: Int = 0
    ) -> Event {
        Event(
            id: id, timestamp: timestamp, venueID: venueID, device: device,
            content: .hvacLoad(
                HVACLoad(
                    session: Session(id: session, state: state, wasFollowingGuidance: true, guidanceToken: token),
                    stage: stage)))
    }

    public static func status(
        id: UUID = UUID(), at timestamp: Timestamp = now, venueID: UUID = venueID, device: Device = car,
        _ status: VehicleStatus.Status = .pluggedIn, stateOfCharge: Int = 50, energy: Int64 = 30_000_000,
        range: Int64? = nil, target: ChargingTarget? = nil, session: UUID? = nil
    ) -> Event {
        Event(
            id: id, timestamp: timestamp, venueID: venueID, device: device,
            content: .vehicleStatus(
                VehicleStatus(
                    status: status, stateOfCharge: stateOfCharge, energyMilliwattHours: energy,
                    estimatedRangeMillimetres: range, target: target, sessionID: session)))
    }

    /// A whole charge: begin, `actives` events a minute apart, end.
    public static func charge(
        session: UUID = UUID(), venueID: UUID = venueID, device: Device = car, token: UUID = token, actives: Int = 2,
        from start: Timestamp = now.advanced(byMilliseconds: -.millisecondsPerHour)
    ) -> [Event] {
        func event(_ state: Session.State, _ step: Int) -> Event {
            vehicle(
                at: start.advanced(byMilliseconds: Int64(step) * .millisecondsPerMinute), venueID: venueID,
                device: device, session: session, state, token: token, power: state == .active ? 7_200_000 : 0,
                energy: Int64(step) * 120_000)
        }
        return [event(.begin, 0)] + (0..<actives).map { event(.active, $0 + 1) } + [event(.end, actives + 1)]
    }
}

/// A time of day that moves only when a test says so.
public struct FixedWallClock: WallClock {
    public let now: Timestamp
    public init(_ now: Timestamp = EventSamples.now) { self.now = now }
}
