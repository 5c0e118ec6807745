public import EnergyTransport

/// The peers of a scheduler.
public struct SchedulerConnections: Sendable {
    /// To the guidance-publisher.
    public let guidance: any RequestClient
    public let guidanceUpdates: any Subscriber
    /// To the event-ingestor.
    public let events: any RequestClient
    public let eventUpdates: any Subscriber
    /// Of the scheduler itself: every new schedule goes out here.
    public let publisher: any Publisher
    /// Of the guidance-publisher.
    let guidanceOutage = Outage()
    /// Of the event-ingestor.
    let eventsOutage = Outage()

    public init(
        guidance: any RequestClient, guidanceUpdates: any Subscriber, events: any RequestClient,
        eventUpdates: any Subscriber, publisher: any Publisher
    ) {
        self.guidance = guidance
        self.guidanceUpdates = guidanceUpdates
        self.events = events
        self.eventUpdates = eventUpdates
        self.publisher = publisher
    }
}
