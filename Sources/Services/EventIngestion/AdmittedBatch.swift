internal import EnergyModel
internal import EnergyStore
internal import EnergyWire

/// A batch whose events are valid each by itself and whose sender may submit them.
struct AdmittedBatch: Sendable {
    /// As they will be stored, in the sender's order.
    let events: [Event]
    /// Of each event.
    let marks: [EventMark]
    let principal: String
    let bytes: Int
    /// The events as the sender encoded them; `nil` when they were not sent, or are not stored as they were sent.
    let encoded: [UInt8]?
}

extension EventBatch {
    /// About as encoded, and never much less; what is counted against ``IngestLimits``.
    var approximateBytes: Int {
        events.reduce(16) { $0 + 160 + $1.device.id.utf8.count + $1.device.name.utf8.count }
    }
}
