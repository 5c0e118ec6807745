public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Logging

/// Publishes what changed. A change that cannot be published is logged and left: whoever needs it asks again when the
/// subscription is joined.
public struct InsightAnnouncer: Sendable {
    private let publisher: any Publisher
    private let logger: Logger

    public init(publisher: any Publisher, logger: Logger) {
        self.publisher = publisher
        self.logger = logger
    }

    public func announce(_ change: InsightChange) {
        let topic = Topics.insights(venueID: change.venueID, deviceID: change.deviceID)
        do throws(CallFailure) { try publisher.publish(topic, change.encoded()) } catch {
            logger.info("insight change not published", metadata: ["topic": "\(topic)", "reason": "\(error.message)"])
        }
    }
}
