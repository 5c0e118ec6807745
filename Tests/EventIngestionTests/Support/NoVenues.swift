import EnergyModel
import Foundation
import Insights

/// Days are those of UTC.
struct NoVenues: VenueSource {
    func venue(id: UUID) async throws(EnergyError) -> Venue { throw EnergyError(.notFound, "no such venue") }
}
