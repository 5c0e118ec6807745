public import ZeroMQ
public import ZeroMQTransport

/// What a client shows services that demand keys, and whom it expects to find there.
public struct ClientKeys: Hashable, Sendable {
    public let own: CurveKeyPair
    /// The public keys of the services; several while one is changed.
    public let services: [ServiceKind: [CurveKey]]

    public init(own: CurveKeyPair, services: [ServiceKind: [CurveKey]]) {
        self.own = own
        self.services = services
    }

    public func security(for service: ServiceKind) -> ClientSecurity? {
        services[service].map { keys in ClientSecurity(keys: own, serverKeys: { keys }) }
    }
}
