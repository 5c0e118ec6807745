import Glibc

/// A TCP connection to this machine that says something, and then nothing more. Closed with this value.
final class SilentConnection: Sendable {
    private let descriptor: Int32

    init(port: UInt16, saying bytes: [UInt8]) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    deinit { close(descriptor) }
}
