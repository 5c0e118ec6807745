import EnergyModel
import EnergyWire
import Foundation

/// The message that all of them carry.
enum Sample {
    static let batch = EventBatch(events: [
        Event(
            id: UUID(), timestamp: Timestamp(unixMilliseconds: 1_790_000_000_000), venueID: UUID(),
            device: Device(id: "car-1", name: "My Electric Vehicle", kind: .electricVehicle),
            content: .vehicleLoad(
                VehicleLoad(
                    session: Session(id: UUID(), state: .active, wasFollowingGuidance: true, guidanceToken: UUID()),
                    stateOfCharge: 55, direction: .imported, powerMilliwatts: 7_000_000,
                    energyMilliwattHours: 3_500_000)))
    ])

    /// What a server does with it: nothing but the reply.
    static func answer(_ batch: EventBatch) -> SubmitResult {
        SubmitResult(accepted: batch.events.count, duplicates: 0)
    }
}
