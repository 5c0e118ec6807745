public import EnergyPlanning
public import Foundation

/// How a scheduler plans.
public struct PlanningSettings: Sendable {
    /// For what has no closed method.
    public var solver: any PlanSolver
    /// Of single venues.
    public var venues: [UUID: VenueSettings]
    /// Of all other venues.
    public var others: VenueSettings
    /// How long the plans of a venue may be worked on after a change, all together; the best found by then are followed.
    public var timeLimit: Duration
    /// How long a better plan is looked for afterwards, where that time was up before one was proven best; 0 for never.
    public var improvementTimeLimit: Duration
    /// How long a preview may take, whose callers wait for it.
    public var previewTimeLimit: Duration
    /// What the time limits of plans count by. A preview counts what its caller waits.
    var clock: any Clock<Duration> = ContinuousClock()
    /// Whether it tells the event-ingestor why a vehicle charges or waits, where the vehicle does not.
    public var tellsStatus: Bool

    public init(
        solver: any PlanSolver, venues: [UUID: VenueSettings] = [:], others: VenueSettings = VenueSettings(),
        timeLimit: Duration = .seconds(4), improvementTimeLimit: Duration = .seconds(30),
        previewTimeLimit: Duration = .seconds(8), tellsStatus: Bool = true
    ) {
        self.solver = solver
        self.venues = venues
        self.others = others
        self.timeLimit = timeLimit
        self.improvementTimeLimit = improvementTimeLimit
        self.previewTimeLimit = previewTimeLimit
        self.tellsStatus = tellsStatus
    }

    func settings(of venueID: UUID) -> VenueSettings { venues[venueID] ?? others }

    func replanner(of venueID: UUID) -> Replanner {
        Replanner(
            planner: HomePlanner(solver: solver, clock: clock), settings: settings(of: venueID), timeLimit: timeLimit,
            clock: clock)
    }
}
