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
enum Loopback {
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
}
