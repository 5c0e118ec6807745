public import Foundation

/// Writes down who did what. The method table asks it, so that no handler can forget to.
public protocol AuditTrail: Sendable {
    /// Before an action is carried out; what it says is on disk when this returns.
    ///
    /// - Returns: what ``end(_:_:_:)`` is to be told.
    /// - Throws: `unavailable` when it cannot be written: then the action must not be carried out.
    func begin(_ action: AuditedAction) async throws(CallFailure) -> UInt64

    /// The action that `begin` was told of has ended.
    ///
    /// - Parameter failure: `nil` when it was carried out.
    func end(_ number: UInt64, _ action: AuditedAction, _ failure: CallFailure?) async

    /// Something that changes nothing: an action that was refused before it began, or one that only reads. Never keeps it
    /// from being answered, and may count what is repeated.
    ///
    /// - Parameter failure: `nil` for what was read.
    func note(_ action: AuditedAction, _ failure: CallFailure?) async
}

/// Who asks for what. Never anything of the request's body but the venues that it is about.
public struct AuditedAction: Hashable, Sendable {
    public let principal: String
    public let method: String
    /// Sorted; `nil` where it is about all of them, or about none, or was refused before that was known.
    public let venues: [UUID]?

    public init(principal: String, method: String, venues: [UUID]? = nil) {
        self.principal = principal
        self.method = method
        self.venues = venues
    }
}

/// Which calls of a method are written down.
public enum AuditRule: Hashable, Sendable {
    case none
    /// It only reads: the first of many by the same principal, and how many followed.
    case reading
    /// Each, before it is carried out and after.
    case changing
}
