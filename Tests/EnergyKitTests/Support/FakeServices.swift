import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints

@testable import EnergyKit

/// The services, played by the test; all behind one address.
final class FakeServices: RequestClient, Subscriber {
    let clock = ManualClock()
    let table: TableClient
    let updates = HandSubscriber()
    /// Subscriptions that are in use.
    let subscriptions = Box(0)

    init(_ add: (inout MethodTable) -> Void = { _ in }) {
        var methods = MethodTable()
        add(&methods)
        table = TableClient(methods)
    }

    /// Runs `body` against these services.
    func use<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let services = EnergyServices(clock: clock) { _ in self }
        return try await EnergyServices.$override.withValue(services, operation: body)
    }

    func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
        try await table.call(method, body, options: options)
    }

    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        table.stream(method, body, options: options)
    }

    func subscribe(_ prefix: String) -> Subscription { updates.subscribe(prefix) }
}

/// Events as an app makes them.
enum Made {
    static let car = ElectricalLoadDevice(id: "car-1", name: "Car", type: .electricVehicle)
    static let heatPump = ElectricalLoadDevice(id: "heat-pump-1", name: "Heat pump", type: .hvac)
    static let start = Date(timeIntervalSince1970: 1_772_366_400)

    static func vehicle(
        at timestamp: Date = start, device: ElectricalLoadDevice = car,
        state: ElectricVehicleLoadEvent.Session.State = .active, session: UUID = UUID(), token: UUID = UUID(),
        stateOfCharge: Int = 55, power: Measurement<UnitPower> = Measurement(value: 7, unit: .kilowatts),
        energy: Measurement<UnitEnergy> = Measurement(value: 3.5, unit: .kilowattHours),
        metrics: ElectricVehicleLoadEvent.ElectricalMeasurement.PerformanceMetrics? = nil
    ) -> ElectricVehicleLoadEvent {
        ElectricVehicleLoadEvent(
            timestamp: timestamp,
            measurement: ElectricVehicleLoadEvent.ElectricalMeasurement(
                stateOfCharge: stateOfCharge, direction: .imported, power: power, energy: energy,
                performanceMetrics: metrics),
            session: ElectricVehicleLoadEvent.Session(
                id: session, state: state, guidanceState: .init(wasFollowingGuidance: true, guidanceToken: token)),
            device: device)
    }

    static func hvac(
        stage: Int = 60, state: ElectricHVACLoadEvent.Session.State = .active
    ) -> ElectricHVACLoadEvent {
        ElectricHVACLoadEvent(
            timestamp: start, measurement: .init(stage: stage),
            session: .init(
                id: UUID(), state: state, guidanceState: .init(wasFollowingGuidance: false, guidanceToken: UUID())),
            device: heatPump)
    }

    static func status(
        _ status: ElectricVehicleStatusEvent.Status = .chargerPluggedIn, venueID: UUID = EventSamples.venueID
    ) -> ElectricVehicleStatusEvent {
        ElectricVehicleStatusEvent(
            timestamp: start, device: car, venueID: venueID, status: status, stateOfCharge: 43,
            energy: Measurement(value: 25, unit: .kilowattHours),
            estimatedRange: Measurement(value: 120, unit: .miles),
            chargingTarget: .init(
                stateOfCharge: 98, estimatedCompletionTime: start.addingTimeInterval(4 * 3600),
                scheduledStartTime: start.addingTimeInterval(2 * 3600)), sessionIdentifier: UUID())
    }

    static func venue(id: UUID = EventSamples.venueID, name: String = "Home") -> Venue {
        Venue(id: id, name: name, timeZone: .gmt, region: "CISO", changed: EventSamples.now)
    }
}
