internal import EnergyModel
internal import Foundation

/// The home that was looked at last, kept by the browser: pages whose address names none are about it.
enum VenueChoice {
    private static let name = "venue"

    static func venueID(_ request: PageRequest) -> UUID? { request.cookie(name).flatMap(UUID.init(uuidString:)) }

    /// - Returns: `nil` where the browser need not be told: the address names none, or the one that it keeps.
    static func header(_ context: PageContext, _ request: PageRequest) -> (name: String, value: String)? {
        guard request["venue"] != nil, !request.isRefresh, venueID(request) != context.venue.id else { return nil }
        let id = context.venue.id.uuidString.lowercased()
        return ("set-cookie", "\(name)=\(id); Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly")
    }
}
