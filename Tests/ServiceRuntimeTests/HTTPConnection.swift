import EnergyTestSupport
import Foundation

@testable import ServiceRuntime

/// A connection on which a test says what it wants, and as much of it as it wants.
final class HTTPConnection: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// - Parameter endpoint: of TCP on 127.0.0.1, or a path.
    static func open(_ endpoint: SocketEndpoint) async throws -> HTTPConnection {
        try await onThread {
            switch endpoint {
            case .ipc(let path):
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
                return try connected(AF_UNIX, &address)
            case .ip4(_, let port), .ip6(_, let port):
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                return try connected(AF_INET, &address)
            }
        }
    }

    private static func connected<Address>(_ family: Int32, _ address: inout Address) throws -> HTTPConnection {
        let connection = HTTPConnection(
            socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection.descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return connection
    }

    func send(_ text: String) async throws {
        try await onThread {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// All that comes until the other side ends.
    ///
    /// - Throws: when it ends by a reset.
    func answer() async throws -> String {
        try await onThread {
            var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
            while true {
                let count = recv(self.descriptor, &buffer, buffer.count, 0)
                guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
                guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                answer += buffer.prefix(count)
            }
        }
    }
}

/// One whole request and its answer.
func http(_ endpoint: SocketEndpoint, _ path: String, method: String = "GET") async throws -> String {
    let connection = try await HTTPConnection.open(endpoint)
    try await connection.send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    return try await connection.answer()
}
