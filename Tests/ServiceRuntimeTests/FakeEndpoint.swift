import EnergyTransport
import Foundation
import ServiceRuntime
import Synchronization

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
func httpGet(port: UInt16, _ path: String, method: String = "GET") async -> String {
    await rawHTTP(port: port, "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
}

/// Off the shared threads, because it blocks.
func rawHTTP(port: UInt16, _ request: String) async -> String {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let descriptor = connected(port)
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

/// A connection to a port of this machine; less than 0 if there is none.
func connected(_ port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    guard !isConnected else { return descriptor }
    close(descriptor)
    return -1
}

/// A port that was free a moment ago.
func freePort() -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = bind(descriptor, $0, length)
            _ = getsockname(descriptor, $0, &length)
        }
    }
    return UInt16(bigEndian: address.sin_port)
}
