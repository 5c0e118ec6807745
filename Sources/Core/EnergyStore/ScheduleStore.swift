public import EnergyModel
public import Foundation

/// Keeps devices, goals, schedules, progress, and the place in the event log that the progress was counted up to.
public protocol ScheduleStore: Sendable {
    /// Everything, from one moment.
    ///
    /// - Throws: ``EnergyError`` `.unavailable`.
    func load() async throws(EnergyError) -> ScheduleStoreContent

    /// Replaces what is stored under the records' venues and device ids, and moves the positions of the named partitions
    /// forward. All of it is durable when this returns, or nothing of it when it throws: progress and position never
    /// part, so an event is counted once.
    ///
    /// - Parameter positions: a position behind the stored one is ignored.
    func save(_ records: [DeviceRecord], positions: [LogHead]) async throws(EnergyError)

    /// Replaces what was set of a venue. One without limits and forecast is forgotten.
    func save(_ setup: VenueSetup) async throws(EnergyError)

    /// Removes the devices of a subject with everything that is kept of them, also from unused places of the files.
    ///
    /// - Returns: how many rows, or the like, were removed of what.
    func erase(_ subject: DataSubject) async throws(EnergyError) -> [ErasedCount]

    /// Remembers which log the positions are of.
    ///
    /// - Parameter anew: forgets the positions that there are.
    func adopt(log id: UUID?, anew: Bool) async throws(EnergyError)
}

public struct ScheduleStoreContent: Hashable, Sendable {
    /// Sorted by venue, then device id.
    public var records: [DeviceRecord]
    /// Sorted by venue; those of which nothing was set are absent.
    public var venues: [VenueSetup]
    /// Sorted by partition; those that were never saved are absent.
    public var positions: [LogHead]
    /// The log that they are of; `nil` until it was said.
    public var logID: UUID?

    public init(
        records: [DeviceRecord] = [], venues: [VenueSetup] = [], positions: [LogHead] = [], logID: UUID? = nil
    ) {
        self.records = records
        self.venues = venues
        self.positions = positions
        self.logID = logID
    }
}

/// What was set of a venue by request.
public struct VenueSetup: Hashable, Sendable {
    public var venueID: UUID
    /// `nil`: those of the scheduler's settings.
    public var limits: VenueLimits?
    public var forecast: VenueForecast?
    /// `nil`: that of the scheduler's settings.
    public var objective: VenueObjective?

    public init(
        venueID: UUID, limits: VenueLimits? = nil, forecast: VenueForecast? = nil, objective: VenueObjective? = nil
    ) {
        self.venueID = venueID
        self.limits = limits
        self.forecast = forecast
        self.objective = objective
    }

    public var isEmpty: Bool { limits == nil && forecast == nil && objective == nil }
}
