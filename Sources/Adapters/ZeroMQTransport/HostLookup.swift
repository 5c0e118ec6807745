internal import Glibc

/// Looks up the addresses of hosts.
package enum HostLookup {
    /// What the system says of a name now (DNS, `/etc/hosts`, multicast DNS where the system is set up for it), as addresses
    /// write it. Waits for an answer.
    ///
    /// A host that is known by addresses of both families is one replica all the same: of the addresses, those of one
    /// family are taken, the one that the system puts first.
    ///
    /// - Returns: none when the name is not known, or nobody answers.
    package static func addresses(of name: String) -> [String] {
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
