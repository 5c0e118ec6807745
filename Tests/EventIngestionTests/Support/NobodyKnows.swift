import EnergyModel
import Foundation
import Insights

/// Days are those of UTC.
struct NoVenues: VenueSource {
    func venue(id: UUID) async throws(EnergyError) -> Venue { throw EnergyError(.notFound, "no such venue") }
}

/// Nobody knows what the grid was: everything counts as unknown.
struct NoSignals: SignalSource {
    func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] { [] }
}
