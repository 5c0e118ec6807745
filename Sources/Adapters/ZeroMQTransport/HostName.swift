package import Dispatch
internal import EnergyTransport
internal import Glibc

/// A host's name in an address, which stands for one replica or several: `tcp://NAME:PORT`.
struct HostName: Hashable, Sendable {
    let name: String

    /// - Returns: `nil` for an address that says by itself where it is, or is on this host.
    init?(of address: String) {
        guard let host = TCPAddress(address)?.host else { return nil }
        var (v4, v6) = (in_addr(), in6_addr())
        guard host != "localhost", inet_pton(AF_INET, host, &v4) != 1, inet_pton(AF_INET6, host, &v6) != 1 else {
            return nil
        }
        name = host
    }
}

/// What names of hosts stand for.
package struct HostNames: Sendable {
    /// How long a change may stay unknown.
    let interval: DispatchTimeInterval
    let lookUp: @Sendable (_ name: String) -> [String]

    package init(interval: DispatchTimeInterval, lookUp: @escaping @Sendable (_ name: String) -> [String]) {
        self.interval = interval
        self.lookUp = lookUp
    }

    /// Those of the system. Name servers say mostly that what they said holds longer than this.
    static let system = HostNames(interval: .seconds(10), lookUp: addresses(ofHost:))

    /// What the system says of a name now (DNS, `/etc/hosts`, multicast DNS where the system is set up for it), as addresses
    /// write it. Waits for an answer.
    ///
    /// A host that is known by addresses of both families is one replica all the same: of the addresses, those of one
    /// family are taken, the one that the system puts first.
    ///
    /// - Returns: none when the name is not known, or nobody answers.
    private static func addresses(ofHost name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0, let first = list else { return [] }
        defer { freeaddrinfo(first) }
        let entries = sequence(first: first) { $0.pointee.ai_next }.filter {
            $0.pointee.ai_family == first.pointee.ai_family
        }
        return Set(entries.compactMap { text(of: $0.pointee) }).sorted()
    }

    private static func text(of entry: addrinfo) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0,
            let text = String(validating: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        else { return nil }
        return entry.ai_family == AF_INET6 ? "[\(text)]" : text
    }
}
