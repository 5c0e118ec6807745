internal import EnergyTransport
internal import Glibc

/// What the names of hosts in addresses stand for.
enum HostPlaces {
    /// - Returns: `nil` for an address that says by itself where it is, or is on this host.
    static func name(in address: String) -> String? {
        guard let host = TCPAddress(address)?.host, host != "localhost" else { return nil }
        var (v4, v6) = (in_addr(), in6_addr())
        guard inet_pton(AF_INET, host, &v4) != 1, inet_pton(AF_INET6, host, &v6) != 1 else { return nil }
        return host
    }

    static func moving(_ address: String, from host: String, to place: String) -> String {
        address.replacing("tcp://\(host):", with: "tcp://\(place):", maxReplacements: 1)
    }
}
