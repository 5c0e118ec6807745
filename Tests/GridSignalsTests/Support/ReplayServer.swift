import EnergyTestSupport
import Foundation
import Glibc
import Synchronization

/// A web service that answers on a port of this machine what a test tells it to. One request per connection.
final class ReplayServer: Sendable {
    struct Request: Sendable {
        let method: String
        /// With the query, as sent.
        let target: String
        /// Names in lower case.
        let headers: [String: String]
        let body: String

        var path: String { target.split(separator: "?").first.map(String.init) ?? target }
        var query: [String: String] {
            let items = URLComponents(string: target)?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
        }
    }

    enum Reply: Sendable {
        case answer(Int, headers: [String: String] = [:], String)
        /// Announces the whole, sends half, and hangs up.
        case half(String)
        /// Announces the whole, sends half, and then nothing until the other side hangs up.
        case slow(String)
        case silence

        static func json(_ body: String, _ headers: [String: String] = [:]) -> Reply {
            .answer(
                200, headers: headers.merging(["Content-Type": "application/json; charset=utf-8"]) { a, _ in a }, body)
        }
    }

    let port: Int
    private let listener: Int32
    private let seen = Mutex<[Request]>([])
    private let arrived: AsyncStream<Request>.Continuation
    /// Requests as they come in.
    let arrivals: AsyncStream<Request>

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { seen.withLock { $0 } }

    init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        (arrivals, arrived) = AsyncStream.makeStream()
        let (listener, port) = try Loopback.listen()
        (self.listener, self.port) = (listener, port)
        Thread.detachNewThread { [weak self] in
            while let connection = Loopback.accept(listener) {
                Thread.detachNewThread { [weak self] in
                    defer { close(connection) }
                    guard let request = Self.read(connection) else { return }
                    guard let self else { return }
                    self.seen.withLock { $0.append(request) }
                    self.arrived.yield(request)
                    Self.send(reply(request), to: connection)
                }
            }
            close(listener)
        }
    }

    deinit {
        // Wakes the thread in accept().
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            if let split = Data(bytes).range(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let words = lines[0].split(separator: " ").map(String.init)
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                    if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
                }
                let body = bytes[split.upperBound...]
                if words.count == 3, body.count >= Int(headers["content-length"] ?? "0") ?? 0 {
                    return Request(
                        method: words[0], target: words[1], headers: headers,
                        body: String(decoding: body, as: UTF8.self))
                }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }

    private static func send(_ reply: Reply, to connection: Int32) {
        switch reply {
        case .answer(let status, let headers, let body):
            let lines = headers.map { "\($0): \($1)\r\n" }.joined()
            let length = status == 304 ? "" : "Content-Length: \(body.utf8.count)\r\n"
            write("HTTP/1.1 \(status) X\r\n\(lines)\(length)Connection: close\r\n\r\n\(body)", to: connection)
        case .half(let body): write(half(body), to: connection)
        case .slow(let body):
            write(half(body), to: connection)
            waitForHangUp(connection)
        case .silence: waitForHangUp(connection)
        }
    }

    private static func half(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            + body.prefix(body.count / 2)
    }

    private static func waitForHangUp(_ connection: Int32) {
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
    }

    private static func write(_ text: String, to connection: Int32) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
