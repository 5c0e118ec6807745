import EnergyTestSupport

@testable import Scheduling

extension Replanner {
    /// One whose time limits count its own work only.
    static func patient(_ settings: VenueSettings = VenueSettings()) -> Replanner {
        Replanner(planner: .patient, settings: settings, clock: WorkClock())
    }
}
