internal import EnergyTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// Looks with a plain socket at who listens at an address: libzmq itself only says that no connection came about.
///
/// Blocks, for at most its time and that of a name's resolution.
struct ListenerProbe {
    enum Listener: Hashable {
        case unknownName(String)
        case nobody, silent
        case unreachable(String)
        case otherProgram
        /// What it demands by ZMTP's greeting: `NULL` or `CURVE`.
        case speaksZeroMQ(mechanism: String)
    }

    let address: String
    let milliseconds: Int

    func listener() -> Listener {
        if address.hasPrefix("ipc://") { return socketFile(String(address.dropFirst("ipc://".count))) }
        // Of which nothing could be found.
        if let name = ServiceName.of(address) { return .unknownName(name) }
        guard let place = TCPAddress(address), let port = place.port else { return .unreachable("is no address") }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(place.host, "\(port)", &hints, &found) == 0, let found else {
            return .unknownName(place.host)
        }
        defer { freeaddrinfo(found) }
        var last = Listener.nobody
        var next: UnsafeMutablePointer<addrinfo>? = found
        // As libzmq, but for its choice of one: a name may have an IPv6 address where only IPv4 is listened on.
        while let entry = next?.pointee {
            last = attempt(entry.ai_family, entry.ai_addr, entry.ai_addrlen)
            if case .speaksZeroMQ = last { return last }
            next = entry.ai_next
        }
        return last
    }

    private func socketFile(_ path: String) -> Listener {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard path.utf8.count < target.count else { return false }
            target.copyBytes(from: path.utf8)
            return true
        }
        guard isShort else { return .unreachable("the path is longer than a socket's may be") }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                attempt(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func attempt(_ family: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Listener {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return .unreachable(Self.reason(errno)) }
        defer { close(descriptor) }
        var code = connect(descriptor, address, length) == 0 ? 0 : errno
        if code == EINPROGRESS {
            guard wait(descriptor, Int16(POLLOUT)) else { return .silent }
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        }
        switch code {
        case 0: return greeted(descriptor)
        case ECONNREFUSED, ENOENT: return .nobody
        case ETIMEDOUT, EAGAIN: return .silent
        default: return .unreachable(Self.reason(code))
        }
    }

    /// Whoever speaks ZMTP 3 answers a signature and a version with 64 bytes: signature, version, mechanism, filler. To a
    /// mechanism that is not its own it would say nothing more.
    ///
    /// - Source: https://rfc.zeromq.org/spec/23/
    private func greeted(_ descriptor: Int32) -> Listener {
        let greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0]
        guard send(descriptor, greeting, greeting.count, Int32(MSG_NOSIGNAL)) == greeting.count else {
            return .otherProgram
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64)
        while answer.count < 32, wait(descriptor, Int16(POLLIN)) {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { break }
            answer += part[..<count]
            guard answer[0] == 0xFF else { return .otherProgram }
        }
        guard answer.count >= 32, answer[9] == 0x7F else { return .otherProgram }
        return .speaksZeroMQ(mechanism: String(decoding: answer[12..<32].prefix { $0 != 0 }, as: UTF8.self))
    }

    private func wait(_ descriptor: Int32, _ events: Int16) -> Bool {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        var result: Int32
        repeat { result = poll(&entry, 1, Int32(milliseconds)) } while result < 0 && errno == EINTR
        return result > 0
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
