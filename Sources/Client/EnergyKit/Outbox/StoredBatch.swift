internal import Foundation

/// What stands in one file of an outbox: events added together.
struct StoredBatch: Codable {
    let venueID: UUID
    let events: [StoredEvent]
}

/// One event of any kind.
enum StoredEvent: Codable {
    case vehicle(ElectricVehicleLoadEvent)
    case hvac(ElectricHVACLoadEvent)
    case status(ElectricVehicleStatusEvent)

    /// `nil` for an event that is none of EnergyKit's.
    init?(_ event: any ElectricalLoadEventProtocol) {
        switch event {
        case let event as ElectricVehicleLoadEvent: self = .vehicle(event)
        case let event as ElectricHVACLoadEvent: self = .hvac(event)
        case let event as ElectricVehicleStatusEvent: self = .status(event)
        default: return nil
        }
    }

    var event: any ElectricalLoadEventProtocol {
        switch self {
        case .vehicle(let event): event
        case .hvac(let event): event
        case .status(let event): event
        }
    }

    var id: UUID {
        switch self {
        case .vehicle(let event): event.id
        case .hvac(let event): event.id
        case .status(let event): event.id
        }
    }
}
