internal import EnergyModel
internal import EnergyWire
public import Foundation
internal import ServiceEndpoints

/// A place where devices use or make electricity.
///
/// Save its ``id``: it leads back to the venue with ``venue(for:)``.
public struct EnergyVenue: Codable, Identifiable, Sendable {
    public typealias ID = UUID

    public let id: UUID
    /// As people know the place.
    public let name: String

    /// All venues that this program may see.
    ///
    /// - Throws: ``EnergyKitError/serviceUnavailable``, ``EnergyKitError/permissionDenied``.
    public static func venues() async throws -> [EnergyVenue] {
        try await EnergyServices.current().perform(.venues) { (services) async throws(EnergyError) in
            try await services.call(.guidance, Methods.listVenues, Empty()).venues.map(EnergyVenue.init)
        }
    }

    /// - Parameter id: of a venue seen before.
    /// - Throws: ``EnergyKitError/venueUnavailable`` when there is no such venue.
    public static func venue(for id: UUID) async throws -> EnergyVenue { try await venue(.id(id)) }

    /// - Parameter homeUniqueIdentifier: of a HomeKit home; the venue's owner names it when adding the venue.
    /// - Throws: ``EnergyKitError/venueUnavailable`` when no venue stands for this home.
    public static func venue(matchingHomeUniqueIdentifier homeUniqueIdentifier: UUID) async throws -> EnergyVenue {
        try await venue(.homeID(homeUniqueIdentifier))
    }

    private static func venue(_ reference: VenueReference) async throws -> EnergyVenue {
        try await EnergyServices.current().perform(.venues) { (services) async throws(EnergyError) in
            let venue = try await services.call(.guidance, Methods.getVenue, reference)
            guard venue.removed == nil else { throw EnergyError(.notFound, "the venue was removed") }
            return EnergyVenue(venue)
        }
    }

    init(_ venue: Venue) {
        id = venue.id
        name = venue.name
    }
}
