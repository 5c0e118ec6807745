import EnergyModel
import EnergyTestSupport
import Foundation

/// Records of the event log.
enum LogSamples {
    static func record(_ sequence: UInt64, _ events: [Event], received: Timestamp = EventSamples.now) -> LogRecord {
        LogRecord(
            partition: LogPartition.of(venueID: EventSamples.venueID), sequence: sequence,
            venueID: EventSamples.venueID, received: received, principal: "local", events: events)
    }

    /// A charge, and one of each other kind of event. To be made once: event ids are made anew each time.
    static func make(received: Timestamp = EventSamples.now) -> [LogRecord] {
        let target = ChargingTarget(
            stateOfCharge: 80, estimatedCompletion: EventSamples.now, scheduledStart: EventSamples.now,
            estimatedRangeMillimetres: 7)
        return [
            record(1, EventSamples.charge(), received: received),
            record(
                2,
                [
                    EventSamples.hvac(.begin), EventSamples.hvac(.active, stage: 40),
                    EventSamples.vehicle(session: UUID(), .begin, direction: .exported, range: 5, temperature: 290_000),
                    EventSamples.status(.unplugged), EventSamples.status(.pluggedIn, range: 4),
                    EventSamples.status(.active(.loadBalancingCompleted), target: target, session: UUID()),
                    EventSamples.status(.idle(.waitingForCleanerEnergy)),
                ], received: received),
        ]
    }
}
