public import EnergyTransport
public import Foundation

/// What a simulator simulates, and where it remembers it.
public struct SimulatorConfiguration: Sendable {
    /// `nil`: the first venue that the guidance-publisher lists, or while it lists none the first example.
    public var venueID: UUID?
    /// Everything random follows from it.
    public var seed: UInt64
    /// Days of history submitted on the first start, `0...365`; clamped.
    public var historyDays: Int
    /// Where the simulator's state survives a restart; created when absent.
    public var stateFile: URL

    public init(venueID: UUID? = nil, seed: UInt64 = 1, historyDays: Int = 14, stateFile: URL) {
        self.venueID = venueID
        self.seed = seed
        self.historyDays = min(365, max(0, historyDays))
        self.stateFile = stateFile
    }
}

/// The services that a simulator talks to. Each may be away for any time.
public struct SimulatorConnections: Sendable {
    public let guidance: any RequestClient
    public let guidanceUpdates: any Subscriber
    public let events: any RequestClient
    public let insights: any RequestClient
    public let schedules: any RequestClient
    public let scheduleUpdates: any Subscriber

    public init(
        guidance: any RequestClient, guidanceUpdates: any Subscriber, events: any RequestClient,
        insights: any RequestClient, schedules: any RequestClient, scheduleUpdates: any Subscriber
    ) {
        self.guidance = guidance
        self.guidanceUpdates = guidanceUpdates
        self.events = events
        self.insights = insights
        self.schedules = schedules
        self.scheduleUpdates = scheduleUpdates
    }
}
