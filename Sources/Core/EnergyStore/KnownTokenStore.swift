public import EnergyModel
public import Foundation

/// Remembers guidance tokens that were found valid, so that events that carry them are taken while nobody can be asked.
public protocol KnownTokenStore: Sendable {
    /// - Returns: `nil` for a token that is not remembered.
    func knownToken(_ token: UUID) async throws(EnergyError) -> ResolvedToken?

    /// Replaces what was remembered of the token. The oldest may be forgotten for it.
    func remember(_ token: ResolvedToken) async throws(EnergyError)
}
