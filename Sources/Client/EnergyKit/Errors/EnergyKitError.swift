public import Foundation

/// What went wrong, as a program can act on it. For people, each says what happened, why, and what helps.
public enum EnergyKitError: Error, LocalizedError, Hashable, Sendable {
    /// The service has no guidance for the venue now, or could not give it in time.
    case guidanceUnavailable
    /// The insight service is answering another question of this program.
    case inProgress
    /// An event breaks a rule; nothing of its batch was stored.
    case invalidLoadEvent
    /// Never thrown here: the region of a venue is configured, nothing is located.
    case locationServicesDenied
    /// This program may not do that.
    case permissionDenied
    /// Too much at once: wait, and double the wait each time.
    case rateLimitExceeded
    /// The service does not answer, or cannot now.
    case serviceUnavailable
    /// No signal source covers the venue's region.
    case unsupportedRegion
    /// There is no such venue, or this program may not see it.
    case venueUnavailable

    /// What happened.
    public var errorDescription: String? { text.what }
    /// Why.
    public var failureReason: String? { text.why }
    /// What to do about it.
    public var recoverySuggestion: String? { text.help }
    /// What happened and what to do about it, in one text for an alert.
    public var helpAnchor: String? { "\(text.what) \(text.help)" }
}
