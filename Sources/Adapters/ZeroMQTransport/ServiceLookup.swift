internal import CResolver
internal import Glibc

/// Looks up what DNS says of a service (`SRV` records), and on the local network what its machines say themselves.
///
/// - Source: RFC 2782; RFC 6762, section 5.1 (one-shot questions), and RFC 6763 for `_NAME._tcp.local`.
package struct ServiceLookup: Sendable {
    /// `nil` asks the system's name servers.
    package var server: (host: String, port: UInt16)?
    /// Of this host, through which the local network is asked; empty asks through all that reach one.
    package var interfaces: [String] = []
    /// How long machines of the local network may take to answer.
    package var patienceMilliseconds: Int32 = 800

    package init() {}

    private static let messageBytesMax = 65_535
    private static let recordsMax = 256
    /// Whoever answers cannot have a client connect to more.
    private static let placesMax = 64

    /// - Parameter name: `_gt-guidance._tcp.example.org`, or on the local network `_gt-guidance._tcp.local`.
    /// - Returns: `tcp://` addresses of those that are to be asked first, sorted; none where nobody says any.
    package func addresses(of name: String) -> [String] {
        let records = isOfLocalNetwork(name) ? multicast(name) : unicast(name)
        let services = records.filter { $0.type == CRESOLVER_SRV && isOf($0.owner, name) }
        guard let first = services.map(\.priority).min() else { return [] }
        let places = services.filter { $0.priority == first && $0.port > 0 }.flatMap { service in
            hosts(service.host, records).map { "tcp://\($0):\(service.port)" }
        }
        return Array(Set(places).sorted().prefix(Self.placesMax))
    }

    /// Not below a domain: `cluster.local` is Kubernetes' own.
    private func isOfLocalNetwork(_ name: String) -> Bool {
        let labels = name.lowercased().split(separator: ".")
        return labels.count == 3 && labels.last == "local"
    }

    /// A record of the service itself, or of one that is listed under its name.
    private func isOf(_ owner: String, _ name: String) -> Bool {
        let (owner, name) = (owner.lowercased(), name.lowercased())
        return owner == name || owner.hasSuffix(".\(name)")
    }

    /// What came along with the answer, else what the system says.
    private func hosts(_ host: String, _ records: [cresolver_record]) -> [String] {
        let known = records.filter { $0.type == CRESOLVER_A && $0.owner.lowercased() == host.lowercased() }
        return known.isEmpty ? HostLookup.addresses(of: host) : known.map(\.v4)
    }

    private func unicast(_ name: String) -> [cresolver_record] {
        var answer = [UInt8](repeating: 0, count: Self.messageBytesMax)
        let length = cresolver_ask(
            name, CRESOLVER_SRV, server?.host, server?.port ?? 0, &answer, Int32(answer.count))
        return length > 0 ? Self.records(answer.prefix(Int(length))) : []
    }

    private static func records(_ message: ArraySlice<UInt8>) -> [cresolver_record] {
        var records = [cresolver_record](repeating: cresolver_record(), count: recordsMax)
        let count = message.withUnsafeBufferPointer {
            cresolver_read($0.baseAddress, Int32($0.count), &records, Int32(recordsMax))
        }
        return Array(records.prefix(max(0, Int(count))))
    }

    private static func place(_ host: String, _ port: UInt16) -> sockaddr_in? {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        return inet_pton(AF_INET, host, &place.sin_addr) == 1 ? place : nil
    }

    // MARK: The local network

    /// Asks all at once, and listens for as long as they may take.
    private func multicast(_ name: String) -> [cresolver_record] {
        var question = [UInt8](repeating: 0, count: 512)
        let length = cresolver_question(name, CRESOLVER_PTR, &question, Int32(question.count))
        guard length > 0, var group = Self.place("224.0.0.251", 5353) else { return [] }
        let sockets = (interfaces.isEmpty ? Self.interfaces() : interfaces).compactMap(Self.open)
        defer { for socket in sockets { close(socket) } }
        for socket in sockets {
            _ = withUnsafePointer(to: &group) { group in
                group.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(socket, question, Int(length), 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        return listen(sockets)
    }

    private func listen(_ sockets: [Int32]) -> [cresolver_record] {
        var records: [cresolver_record] = []
        var polled = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: Self.messageBytesMax)
        let began = ContinuousClock.now
        while records.count < Self.recordsMax {
            let left = .milliseconds(Int64(patienceMilliseconds)) - (ContinuousClock.now - began)
            guard left > .zero else { break }
            let milliseconds = Int32(left / .milliseconds(1)) + 1
            guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { break }
            for socket in polled where socket.revents & Int16(POLLIN) != 0 {
                let size = recv(socket.fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                if size > 0 { records += Self.records(buffer.prefix(size)) }
            }
        }
        return records
    }

    /// A question goes out through one interface, so each has a socket.
    private static func open(_ interface: String) -> Int32? {
        guard var place = place(interface, 0) else { return nil }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard socket >= 0 else { return nil }
        let size = socklen_t(MemoryLayout<in_addr>.size)
        guard setsockopt(socket, Int32(IPPROTO_IP), IP_MULTICAST_IF, &place.sin_addr, size) == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// IPv4 addresses of this host's interfaces that reach a network.
    private static func interfaces() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let first = list else { return [] }
        defer { freeifaddrs(first) }
        return sequence(first: first) { $0.pointee.ifa_next }.compactMap { entry in
            let (flags, wanted) = (entry.pointee.ifa_flags, UInt32(IFF_UP | IFF_MULTICAST))
            guard flags & wanted == wanted, let address = entry.pointee.ifa_addr,
                address.pointee.sa_family == sa_family_t(AF_INET)
            else { return nil }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Self.text($0.pointee.sin_addr) }
        }
    }

    private static func text(_ address: in_addr) -> String? {
        var (address, buffer) = (address, [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN)))
        guard inet_ntop(AF_INET, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(validating: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension cresolver_record {
    fileprivate var owner: String { Self.text(of: name) }
    fileprivate var host: String { Self.text(of: target) }

    fileprivate var v4: String { [address.0, address.1, address.2, address.3].map { "\($0)" }.joined(separator: ".") }

    private static func text(of name: some Any) -> String {
        withUnsafeBytes(of: name) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
