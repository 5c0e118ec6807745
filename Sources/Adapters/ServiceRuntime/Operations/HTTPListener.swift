internal import FlyingSocks
internal import Foundation

/// As much of HTTP/1.1 as a scraper and a probe need: one request per connection, without a body.
///
/// The sockets are FlyingSocks'. Its HTTP server, FlyingFox, would load libcurl, OpenSSL and GnuTLS into every service:
/// 5 MiB of the 40 that a service may take, for a proxy that nobody uses here.
struct HTTPListener: Sendable {
    struct Request: Hashable, Sendable {
        let method: String
        /// Without the query.
        let path: String
        /// Of the header `Authorization`.
        var authorization: String?
    }

    struct Response: Hashable, Sendable {
        let status: String
        var contentType = "text/plain; charset=utf-8"
        let body: String
        /// Further ones, as `Name: value`.
        var headers: [String] = []
    }

    /// A request's head may have so many bytes.
    static let headBytesMax = 8 * 1024
    /// Connections beyond it wait in the kernel.
    static let connectionsMax = 16
    static let timeout: Duration = .seconds(5)
    /// So long it waits when the process has no descriptors or memory left for a connection.
    static let pause: Duration = .milliseconds(100)
    /// So much is read, and dropped, of what comes after a request's head.
    static let restBytesMax = 64 * 1024

    private let socket: Socket

    /// Binds and listens.
    init(_ address: SocketEndpoint) throws { socket = try Self.listen(address) }

    /// Of a TCP address.
    var port: UInt16? {
        switch try? socket.sockname() {
        case .ip4(_, let port), .ip6(_, let port): port
        case .unix, nil: nil
        }
    }

    /// Answers until the task is cancelled.
    func run(clock: any Clock<Duration>, _ answer: @escaping @Sendable (Request) -> Response) async throws {
        defer { try? socket.close() }
        let pool = SocketPool.ePoll()
        try await pool.prepare()
        let listening = try AsyncSocket(socket: socket, pool: pool)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await pool.run() }
            tasks.addTask { try await accept(listening, pool, clock, answer) }
            // Neither ends by itself: the first that does takes the other with it.
            defer { tasks.cancelAll() }
            try await tasks.next()
        }
    }

    private func accept(
        _ listening: AsyncSocket, _ pool: SocketPool<ePoll>, _ clock: any Clock<Duration>,
        _ answer: @escaping @Sendable (Request) -> Response
    ) async throws {
        try await withThrowingDiscardingTaskGroup { connections in
            let slots = AsyncStream<Void>.makeStream()
            for _ in 0..<Self.connectionsMax { slots.continuation.yield() }
            for await _ in slots.stream {
                let connection = try await Self.next(listening, clock)
                Self.keepFromChildren(connection.socket)
                connections.addTask {
                    await Self.serve(connection, clock, answer)
                    await Self.finishTurn(pool)
                    try? connection.close()
                    slots.continuation.yield()
                }
            }
        }
    }

    /// What goes wrong with one connection is that connection's end, nothing more.
    private static func serve(
        _ connection: AsyncSocket, _ clock: any Clock<Duration>, _ answer: @escaping @Sendable (Request) -> Response
    ) async {
        await withTaskGroup { race in
            race.addTask { try? await converse(connection, answer) }
            race.addTask { try? await clock.sleep(for: timeout) }
            await race.next()
            race.cancelAll()
        }
    }

    private static func converse(
        _ connection: AsyncSocket, _ answer: @escaping @Sendable (Request) -> Response
    ) async throws {
        let (request, response) = respond(to: try await readHead(connection), answer)
        try await connection.write(encode(response, withBody: request?.method != "HEAD"))
        // Says the end of the answer, whoever else may hold this socket.
        shutdown(connection.socket.file.rawValue, Int32(SHUT_WR))
        // Closed with bytes unread, TCP would reset the connection, and the peer might never see the answer.
        var rest = restBytesMax
        while rest > 0 { rest -= try await connection.read(atMost: rest).count }
    }

    /// Returns when the pool has done what it was doing. It resumes who waits for a socket first, and takes the socket
    /// off its books second: a socket closed in between would stay there, and the next one with its number unheard.
    private static func finishTurn(_ pool: isolated SocketPool<ePoll>) {}

    /// - Returns: everything up to the empty line, or the first ``headBytesMax`` bytes.
    private static func readHead(_ connection: AsyncSocket) async throws -> [UInt8] {
        var head: [UInt8] = []
        while head.count < headBytesMax, !head.endsHead {
            head += try await connection.read(atMost: headBytesMax - head.count)
        }
        return head
    }

    private static func respond(
        to head: [UInt8], _ answer: (Request) -> Response
    ) -> (request: Request?, response: Response) {
        guard head.endsHead else {
            return (nil, Response(status: "431 Request Header Fields Too Large", body: "at most 8 KiB\n"))
        }
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else {
            return (nil, Response(status: "400 Bad Request", body: "this is not HTTP/1.1\n"))
        }
        let request = Request(
            method: String(words[0]), path: String(words[1].prefix { $0 != "?" }),
            authorization: value(of: "authorization", in: head))
        return (request, answer(request))
    }

    /// - Returns: `nil` when it is not there, or more than once.
    private static func value(of name: String, in head: [UInt8]) -> String? {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst()
        let values = lines.compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == name else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return values.count == 1 ? values[0] : nil
    }

    private static func encode(_ response: Response, withBody: Bool) -> Data {
        let body = Data(response.body.utf8)
        let head = [
            "HTTP/1.1 \(response.status)", "Content-Type: \(response.contentType)", "Content-Length: \(body.count)",
            "Cache-Control: no-store", "Connection: close",
        ]
        let text = (head + response.headers + ["", ""]).joined(separator: "\r\n")
        return Data(text.utf8) + (withBody ? body : Data())
    }
}

extension [UInt8] {
    fileprivate var endsHead: Bool { firstRange(of: Array("\r\n\r\n".utf8)) != nil }
}
