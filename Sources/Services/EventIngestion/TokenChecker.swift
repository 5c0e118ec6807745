public import EnergyModel
public import Foundation

/// Knows the guidance tokens that were issued.
public protocol TokenChecker: Sendable {
    /// - Returns: `nil` for a token that was never issued.
    /// - Throws: `.unavailable` with a time to retry when the token is not known here and nobody can be asked.
    func resolve(_ token: UUID) async throws(EnergyError) -> ResolvedToken?

    /// As ``resolve(_:)``, not content with what is remembered, because who asked for guidance grows with time.
    func resolveAgain(_ token: UUID) async throws(EnergyError) -> ResolvedToken?
}

/// Knows the venues.
public protocol VenueChecker: Sendable {
    /// - Throws: `.unavailable` with a time to retry when the venue is not known here and nobody can be asked.
    func isVenue(_ id: UUID) async throws(EnergyError) -> Bool

    /// Remembers nothing of the venue any more: it was erased.
    func forget(venue id: UUID)
}

extension VenueChecker {
    /// For one that remembers nothing.
    public func forget(venue id: UUID) {}
}
