internal import EnergyTransport
internal import Foundation

/// Ports of the loopback that nobody uses just now, each given out once. They are below those that the system gives to
/// outgoing connections: none of these takes a port between here and its use.
public enum Ports {
    private static let last = Locked(20_000 + Int(getpid()) % 5_000)

    public static func next() -> Int {
        last.withLock { last in
            repeat { last += 1 } while !isFree(last)
            return last
        }
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = Loopback.socket()
        defer { close(descriptor) }
        return Loopback.with(port: port) { bind(descriptor, $0, $1) } == 0
    }
}

/// Sockets of 127.0.0.1, for what tests bind and connect themselves.
public enum Loopback {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// A port of its own, listening.
    ///
    /// - Returns: a descriptor, to be closed by who accepts, when that fails: closed by anybody else, its number could be
    ///   another socket's while connections are still accepted on it.
    public static func listen(backlog: Int32 = 64) throws -> (descriptor: Int32, port: Int) {
        let (descriptor, port) = try bound()
        guard Foundation.listen(descriptor, backlog) == 0 else { throw failure("listen", closing: descriptor) }
        return (descriptor, port)
    }

    /// A port that nobody else gets, and at which nobody listens.
    public static func bound() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket()
        guard descriptor >= 0, with(port: 0, { bind(descriptor, $0, $1) }) == 0 else {
            throw failure("bind", closing: descriptor)
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        guard isNamed else { throw failure("getsockname", closing: descriptor) }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// - Returns: the connection, or `nil` if nobody takes it.
    public static func accept(_ listener: Int32) -> Int32? {
        while true {
            let connection = Foundation.accept(listener, nil, nil)
            if connection >= 0 { return connection }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    static func socket() -> Int32 {
        Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    static func with(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func failure(_ call: String, closing descriptor: Int32) -> Failure {
        let reason = String(cString: strerror(errno))
        if descriptor >= 0 { close(descriptor) }
        return Failure(description: "\(call) on 127.0.0.1: \(reason)")
    }
}
