public import EnergyModel
public import Foundation

/// Remembers guidance tokens that were found valid, and venues that were found to exist, so that their events are taken
/// while nobody can be asked.
public protocol KnownTokenStore: Sendable {
    /// - Returns: `nil` for a token that is not remembered.
    func knownToken(_ token: UUID) async throws(EnergyError) -> ResolvedToken?

    /// Replaces what was remembered of the token. The oldest may be forgotten for it.
    func remember(_ token: ResolvedToken) async throws(EnergyError)

    /// Whether the venue is remembered, or has sent events before.
    func isKnownVenue(_ id: UUID) async throws(EnergyError) -> Bool

    /// Remembers that a venue exists, or forgets one that does not.
    func remember(venue id: UUID, exists: Bool) async throws(EnergyError)
}
