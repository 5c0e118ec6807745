public import Foundation

/// How hard a heating or cooling system works.
///
/// - Note: The initialisers refuse nothing: ``EnergyVenue`` does, when the event is submitted.
public struct ElectricHVACLoadEvent: ElectricalLoadEventProtocol {
    public typealias ID = UUID

    /// The event's own: submitting it twice stores it once.
    public let id: UUID
    /// When it occurred. May lie in the past, but not before the session's last event.
    public let timestamp: Date
    public let session: Session
    public let measurement: ElectricalMeasurement
    public let deviceID: String
    let name: String
    let deviceType: ElectricalLoadDevice.DeviceType

    /// The device's name as it is shown: without characters that cannot be, at most 250 UTF-16 units.
    public var deviceName: String { name }

    @available(*, deprecated, message: "Use init(timestamp:measurement:session:device:)")
    public init(timestamp: Date, measurement: ElectricalMeasurement, session: Session, deviceID: String) {
        let device = ElectricalLoadDevice(id: deviceID, name: deviceID, type: .hvac)
        self.init(timestamp: timestamp, measurement: measurement, session: session, device: device)
    }

    public init(timestamp: Date, measurement: ElectricalMeasurement, session: Session, device: ElectricalLoadDevice) {
        id = UUID()
        self.timestamp = timestamp
        self.session = session
        self.measurement = measurement
        deviceID = device.id
        name = device.shownName
        deviceType = device.type
    }
}
