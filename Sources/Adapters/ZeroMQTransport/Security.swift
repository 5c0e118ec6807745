public import EnergyTransport
public import ZeroMQ

/// What a server demands of whoever connects. Without it, only loopback and ipc addresses may be bound.
public struct ServerSecurity: Sendable {
    public let keys: CurveKeyPair
    public let admission: any Admission
    /// What a subscriber needs. Publications go to every subscriber of a topic, so it must also be allowed every venue;
    /// others are refused there, and follow their own venues with `Publications/Follow`.
    public let subscription: Permission

    public init(keys: CurveKeyPair, admission: any Admission, subscription: Permission) {
        self.keys = keys
        self.admission = admission
        self.subscription = subscription
    }
}

/// What a client shows, and whom it expects to find.
public struct ClientSecurity: Sendable {
    public let keys: CurveKeyPair
    /// Those that the service may have, the likeliest first; tried one after the other. Asked for whenever a connection was
    /// refused, so that a key that is changed becomes known.
    public let serverKeys: @Sendable () -> [CurveKey]

    public init(keys: CurveKeyPair, serverKeys: @escaping @Sendable () -> [CurveKey]) {
        self.keys = keys
        self.serverKeys = serverKeys
    }

    public init(keys: CurveKeyPair, serverKey: CurveKey) {
        self.init(keys: keys, serverKeys: { [serverKey] })
    }
}

/// Knows the owners of keys.
public protocol Admission: Sendable {
    /// - Parameter key: a public key as text.
    /// - Returns: `nil` for one that is not, or no longer, let in. Asked for every message: must be quick.
    func principal(ofKey key: String) -> Principal?

    /// Whether one of the keys that are let in stands for just this principal.
    func isCurrent(_ principal: Principal) -> Bool
}
