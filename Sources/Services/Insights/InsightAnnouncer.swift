public import EnergyModel
public import EnergyTransport
internal import EnergyWire

/// Publishes what changed. A change that cannot be published is reported and left: whoever needs it asks again when the
/// subscription is joined.
public struct InsightAnnouncer: Sendable {
    private let publisher: any Publisher
    private let onFailure: @Sendable (InsightChange, CallFailure) -> Void

    /// - Parameter onFailure: for logs and metrics.
    public init(publisher: any Publisher, onFailure: @escaping @Sendable (InsightChange, CallFailure) -> Void) {
        self.publisher = publisher
        self.onFailure = onFailure
    }

    public func announce(_ change: InsightChange) {
        let topic = Topics.insights(venueID: change.venueID, deviceID: change.deviceID)
        do throws(CallFailure) { try publisher.publish(topic, change.encoded()) } catch { onFailure(change, error) }
    }
}
