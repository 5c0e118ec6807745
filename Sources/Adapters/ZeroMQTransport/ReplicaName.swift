package import Dispatch
package import EnergyTransport
internal import Glibc

/// A name in an address, which stands for one replica or several.
package enum ReplicaName: Hashable, Sendable {
    /// Of a host, `tcp://NAME:PORT`.
    case host(String)
    /// Of a service, `srv://NAME`: DNS, or the machines of the local network, list where it is.
    case service(String)

    /// - Returns: `nil` for an address that says by itself where it is, or is on this host.
    init?(of address: String) {
        if let name = ServiceName.of(address) {
            self = .service(name)
            return
        }
        guard let host = TCPAddress(address)?.host else { return nil }
        var (v4, v6) = (in_addr(), in6_addr())
        guard host != "localhost", inet_pton(AF_INET, host, &v4) != 1, inet_pton(AF_INET6, host, &v6) != 1 else {
            return nil
        }
        self = .host(host)
    }
}

/// What names stand for.
package struct NameLookup: Sendable {
    /// How long a change may stay unknown.
    let interval: DispatchTimeInterval
    /// Of a host's name its IP addresses, as addresses write them; of a service's `tcp://` addresses.
    let lookUp: @Sendable (_ name: ReplicaName) -> [String]

    package init(
        interval: DispatchTimeInterval, lookUp: @escaping @Sendable (_ name: ReplicaName) -> [String]
    ) {
        self.interval = interval
        self.lookUp = lookUp
    }

    /// That of the system. Name servers say mostly that what they said holds longer than this.
    package static let system = NameLookup(interval: .seconds(10)) { name in
        switch name {
        case .host(let host): HostLookup.addresses(of: host)
        case .service(let service): ServiceLookup().addresses(of: service)
        }
    }
}

extension NameLookup {
    /// What the names of services stand for now; one that is not known stays as it is. Waits for answers.
    package func replicas(_ requestAddresses: [String], _ publishAddresses: [String]) -> [Replica] {
        let replicas = Replica.pairs(requestAddresses, publishAddresses)
        let services = replicas.flatMap(\.names).filter { if case .service = $0 { true } else { false } }
        let known = known(services)
        return replicas.flatMap { $0.resolved(known) }
    }

    /// What each of some names stands for now, of those that are known.
    func known(_ names: [ReplicaName]) -> [ReplicaName: [String]] {
        Dictionary(uniqueKeysWithValues: Set(names).map { ($0, lookUp($0)) }).filter { !$0.value.isEmpty }
    }
}
