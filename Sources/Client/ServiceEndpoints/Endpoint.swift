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
    /// One for each replica.
    public var replicas: [Endpoint] {
        zip(requestAddresses, publishAddresses).map { Endpoint(requestAddresses: [$0], publishAddresses: [$1]) }
    }

    /// Whether DNS, or the local network, says where its replicas are.
    public var isListed: Bool {
        (requestAddresses + publishAddresses).contains { ServiceName.isOne($0) || HostPlaces.name(in: $0) != nil }
    }

    /// As it is listed now; itself where nothing is known. Waits for answers, for as long as the system does.
    public func found() -> Endpoint { listed().placed(HostLookup.addresses(of:)) }

    /// With a replica at each place of a host that has several; the name of one that has none other stays, which says more.
    ///
    /// - Parameter lookUp: of a host's name its IP addresses, as addresses write them.
    package func placed(_ lookUp: (_ host: String) -> [String]) -> Endpoint {
        let placed = replicas.flatMap { (replica) -> [Endpoint] in
            guard let request = replica.requestAddresses.first, let publication = replica.publishAddresses.first,
                let host = HostPlaces.name(in: request), host == HostPlaces.name(in: publication)
            else { return [replica] }
            let places = lookUp(host).prefix(Endpoints.replicasMax)
            guard places.count > 1 else { return [replica] }
            return places.map { place in
                Endpoint(
                    requestAddresses: [HostPlaces.moving(request, from: host, to: place)],
                    publishAddresses: [HostPlaces.moving(publication, from: host, to: place)])
            }
        }
        return Endpoint(
            requestAddresses: placed.flatMap(\.requestAddresses), publishAddresses: placed.flatMap(\.publishAddresses))
    }

    private func listed() -> Endpoint {
        guard (requestAddresses + publishAddresses).contains(where: ServiceName.isOne) else { return self }
        let replicas = NameLookup.system.replicas(requestAddresses, publishAddresses).filter {
            $0.requestAddress != nil && $0.publishAddress != nil
        }
        guard !replicas.isEmpty else { return self }
        return Endpoint(
            requestAddresses: replicas.compactMap(\.requestAddress),
            publishAddresses: replicas.compactMap(\.publishAddress))
    }
}
