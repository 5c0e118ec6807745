internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire

/// Tells subscribers what was stored: one publication per record and device, in log order.
struct EventPublications: Sendable {
    let publisher: any Publisher
    let metrics: IngestMetrics

    /// Does not fail: the log has the events, and who missed them reads it.
    func publish(_ record: LogRecord) {
        for (deviceID, events) in record.events.groupedInOrder(by: \.device.id) {
            let part = LogRecord(
                partition: record.partition, sequence: record.sequence, venueID: record.venueID,
                received: record.received, principal: record.principal, events: events)
            do throws(CallFailure) {
                try publisher.publish(
                    Topics.events(venueID: record.venueID, deviceID: deviceID), part.encoded())
            } catch {
                metrics.publicationFailed()
            }
        }
    }
}
