public import Foundation

/// Whom the transport has authenticated, and what they may do. Never taken from a message.
public struct Principal: Hashable, Sendable {
    /// For people, logs and limits.
    public let name: String
    public let permissions: Set<Permission>
    /// The venues that it may see and act for; `nil` is every venue.
    public let venues: Set<UUID>?

    public init(name: String, permissions: Set<Permission>, venues: Set<UUID>? = nil) {
        self.name = name
        self.permissions = permissions
        self.venues = venues
    }

    /// A caller on loopback, ipc or in the same process, where no keys are used.
    public static let local = Principal(name: "local", permissions: Set(Permission.allCases))

    public func has(_ permission: Permission) -> Bool { permissions.contains(permission) }

    public func reaches(_ venueID: UUID) -> Bool { venues?.contains(venueID) ?? true }
}

/// What a principal may be allowed.
public enum Permission: String, CaseIterable, Hashable, Sendable {
    /// Read guidance, signals, rate plans and demand-response events.
    case guidance
    /// Submit events, and read those of one's venues.
    case events
    /// Read insights.
    case insights
    /// Read devices and schedules.
    case schedules
    /// Change what loads do: devices, goals, demand-response events, pushed signals.
    case control
    /// Change venues and rate plans, read the whole log, back it up.
    case admin
}
