internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation

/// Tells subscribers what was stored: one publication per record and device, in log order.
struct EventPublications: Sendable {
    let publisher: any Publisher
    let metrics: IngestMetrics

    /// Does not fail: the log has the events, and who missed them reads it.
    func publish(_ appended: AppendedRecord) {
        let record = appended.record
        if let first = record.events.first, let encoded = appended.encoded,
            record.events.allSatisfy({ $0.device.id == first.device.id }),
            let body = record.encoded(copyingEventsOf: encoded)
        {
            return publish(body, record.venueID, deviceID: first.device.id)
        }
        for (deviceID, events) in record.events.groupedInOrder(by: \.device.id) {
            let part = LogRecord(
                partition: record.partition, sequence: record.sequence, venueID: record.venueID,
                received: record.received, principal: record.principal, events: events)
            publish(part.encoded(), record.venueID, deviceID: deviceID)
        }
    }

    /// Wakes who reads the log: there is nothing to see in the publication itself.
    func publish(_ erasure: LogRecord) {
        publish(erasure.encoded(), erasure.venueID, deviceID: "-")
    }

    private func publish(_ body: [UInt8], _ venueID: UUID, deviceID: String) {
        do throws(CallFailure) {
            try publisher.publish(Topics.events(venueID: venueID, deviceID: deviceID), body)
        } catch {
            metrics.publicationFailed()
        }
    }
}
