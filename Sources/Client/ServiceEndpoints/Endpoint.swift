internal import EnergyTransport
internal import ZeroMQTransport

/// Where one service listens: as many publish as request addresses, one pair per replica.
public struct Endpoint: Hashable, Sendable {
    public var requestAddresses: [String]
    public var publishAddresses: [String]

    public init(requestAddresses: [String], publishAddresses: [String]) {
        self.requestAddresses = requestAddresses
        self.publishAddresses = publishAddresses
    }

    static func local(requestPort: Int) -> Endpoint {
        Endpoint(
            requestAddresses: ["tcp://127.0.0.1:\(requestPort)"],
            publishAddresses: ["tcp://127.0.0.1:\(requestPort + 1)"])
    }
}

extension Endpoint {
    /// Whether DNS, or the local network, says where its replicas are.
    public var isListed: Bool { (requestAddresses + publishAddresses).contains(where: ServiceName.isOne) }

    /// As it is listed now; itself where nothing is known. Waits for answers, for some seconds at most.
    public func found() -> Endpoint {
        guard isListed else { return self }
        let replicas = NameLookup.system.replicas(requestAddresses, publishAddresses).filter {
            $0.requestAddress != nil && $0.publishAddress != nil
        }
        guard !replicas.isEmpty else { return self }
        return Endpoint(
            requestAddresses: replicas.compactMap(\.requestAddress),
            publishAddresses: replicas.compactMap(\.publishAddress))
    }
}
