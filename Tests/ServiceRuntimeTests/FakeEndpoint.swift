import EnergyTransport
import Foundation
import Synchronization

@testable import ServiceRuntime

/// What happened, in order.
final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A transport that carries nothing and writes down what it is told.
final class FakeEndpoint: ServiceEndpoint, Publisher {
    let journal: Journal
    private let table = Mutex(MethodTable())

    init(_ journal: Journal) { self.journal = journal }

    var publisher: any Publisher { self }
    var methods: MethodTable { table.withLock { $0 } }

    func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) { journal.add("publish \(topic)") }
    func serve(_ methods: MethodTable) async throws {
        table.withLock { $0 = methods }
        journal.add("serve")
    }
    func drain(within timeout: Duration) async { journal.add("drain within \(timeout)") }
    func close() async { journal.add("close endpoint") }

    /// Calls a unary method as the transport would.
    func call(_ method: String, _ body: [UInt8]) async throws -> [UInt8] {
        guard case .unary(let handler)? = methods.entries[method]?.handler else {
            throw CallFailure(.unimplemented, method)
        }
        return try await handler(body, RequestContext(principal: Principal.local, timeout: .seconds(1)))
    }
}

final class FakeConnection: ServiceConnection {
    let journal: Journal
    init(_ journal: Journal) { self.journal = journal }

    func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
        throw CallFailure(.unavailable, "nobody is there")
    }
    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        ReplyStream { .init { () async throws(CallFailure) in nil } }
    }
    func subscribe(_ prefix: String) -> Subscription { Subscription { .init { nil } } }
    func close() async { journal.add("close connection") }
}

/// One HTTP request over a connection of its own, and all that comes back.
func httpGet(_ endpoint: SocketEndpoint, _ path: String, method: String = "GET") async -> String {
    await rawHTTP(endpoint, "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
}

/// Off the shared threads, because it blocks.
func rawHTTP(_ endpoint: SocketEndpoint, _ request: String) async -> String {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let descriptor = connected(to: endpoint)
            defer { close(descriptor) }
            guard descriptor >= 0, write(descriptor, request, request.utf8.count) > 0 else {
                continuation.resume(returning: "")
                return
            }
            var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                answer += buffer.prefix(count)
            }
            continuation.resume(returning: String(decoding: answer, as: UTF8.self))
        }
    }
}

/// A connection to a port or path of this machine; less than 0 if there is none.
func connected(to endpoint: SocketEndpoint) -> Int32 {
    let descriptor: Int32
    var isConnected = false
    switch endpoint {
    case .ip4(_, let port), .ip6(_, let port):
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                isConnected = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    case .ipc(let path):
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                isConnected = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
    guard !isConnected else { return descriptor }
    close(descriptor)
    return -1
}

/// A port of this machine on which somebody listens, and the socket that does.
func takenPort() -> (port: UInt16, descriptor: Int32) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = bind(descriptor, $0, length)
            _ = listen(descriptor, 1)
            _ = getsockname(descriptor, $0, &length)
        }
    }
    return (UInt16(bigEndian: address.sin_port), descriptor)
}
