internal import EnergyTransport

/// Somebody who was not let in, or not let do something.
public struct Refusal: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Has proved to own a key, but nobody knows it.
        case unknownKey
        /// Its key opens the requests, but not the publications.
        case notSubscriber
        /// Shows no key, expects another service's, repeats what somebody else said, or says nothing at all.
        case handshake
        /// Was let in once and is no longer; asks by the connection that it still has.
        case revoked
        /// Chose its routing id, which could be another's.
        case chosenName
        /// Asked for what its permissions or venues do not allow.
        case denied
        /// Sent something that is no frame, or a request whose body is no message.
        case malformed
        /// Asks for too much at once, sends what is too large, or does not read what is answered.
        case excessive
        /// Subscribed to more than a publisher can keep.
        case tooManySubscriptions
    }

    public let reason: Reason
    /// As libzmq says it: an IP address, or `localhost:uid:gid:pid`; `unknown` where nobody can say any more. Empty where
    /// ``name`` says who it was.
    public let address: String
    /// The public key that was shown, if any.
    public let key: String?
    /// Of the principal, where it is known.
    public let name: String?

    public init(_ reason: Reason, address: String = "", key: String? = nil, name: String? = nil) {
        self.reason = reason
        self.address = address
        self.key = key
        self.name = name
    }
}

extension Refusal.Reason {
    init(_ reason: RefusedCaller.Reason) {
        self =
            switch reason {
            case .denied: .denied
            case .excessive: .excessive
            case .malformed: .malformed
            }
    }
}
