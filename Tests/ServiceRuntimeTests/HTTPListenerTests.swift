import EnergyTestSupport
import Foundation
import Testing

@testable import ServiceRuntime

@Suite(.timeLimit(.minutes(10))) struct HTTPListenerTests {
    private let clock = ManualClock()

    /// Time stands still unless the test moves it: nothing ends because the machine is slow.
    private func listening(
        answer: @escaping @Sendable (HTTPListener.Request) -> HTTPListener.Response = {
            .init(status: "200 OK", body: "\($0.method) \($0.path)\n")
        },
        _ body: (SocketEndpoint) async throws -> Void
    ) async throws {
        let listener = try HTTPListener(.ip4("127.0.0.1", 0))
        let port = try #require(listener.port)
        let clock = clock
        let running = Task { try await listener.run(clock: clock, answer) }
        do { try await body(.ip4("127.0.0.1", port)) } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        _ = await running.result
    }

    @Test(arguments: [
        "\r\n\r\n", "hello\r\n\r\n", "GET\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET /  HTTP/1.1\r\n\r\n",
        "GET metrics HTTP/1.1\r\n\r\n",
        "GET / HTTP/2\r\n\r\n", "\u{0}\u{1}\u{2} / \u{FFFD}\r\n\r\n",
    ])
    func `garbage is a bad request`(request: String) async throws {
        try await listening { endpoint in
            let connection = try await HTTPConnection.open(endpoint)
            try await connection.send(request)
            #expect(try await connection.answer().hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `a request may come in pieces, and is answered when it is whole`() async throws {
        try await listening { endpoint in
            let connection = try await HTTPConnection.open(endpoint)
            for piece in ["GE", "T /a?b=c HT", "TP/1.1\r\nHost: x\r", "\n\r"] { try await connection.send(piece) }
            #expect(try await http(endpoint, "/b").hasSuffix("\r\n\r\nGET /b\n"))
            try await connection.send("\n")
            #expect(try await connection.answer().hasSuffix("\r\n\r\nGET /a\n"))
        }
    }

    @Test func `half a request, and then nobody, harms nobody`() async throws {
        try await listening { endpoint in
            for _ in 0..<40 { try await HTTPConnection.open(endpoint).send("GET / HTTP/1.1\r\nHo") }
            #expect(try await http(endpoint, "/").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test(arguments: [HTTPListener.headBytesMax, HTTPListener.headBytesMax + 1, 50_000])
    func `a head that is too large is refused, and the refusal arrives`(size: Int) async throws {
        try await listening { endpoint in
            let connection = try await HTTPConnection.open(endpoint)
            try await connection.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: size))
            #expect(try await connection.answer().hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test func `HEAD has the length of the body, and no body`() async throws {
        try await listening { endpoint in
            let answer = try await http(endpoint, "/", method: "HEAD")
            #expect(answer.contains("Content-Length: 7\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n"))
            let old = try await HTTPConnection.open(endpoint)
            try await old.send("HEAD / HTTP/1.0\r\n\r\n")
            #expect(try await old.answer().hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `a hundred connections at once are all answered, again and again`() async throws {
        try await listening { endpoint in
            for _ in 0..<3 {
                let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<100 {
                        group.addTask { try await http(endpoint, "/\(number)").hasSuffix("GET /\(number)\n") }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(answered == 100)
            }
        }
    }

    @Test func `a silent connection does not keep others out`() async throws {
        try await listening { endpoint in
            let silent = try await HTTPConnection.open(endpoint)
            await clock.waitForSleepers(1)
            for _ in 0..<(2 * HTTPListener.connectionsMax) {
                #expect(try await http(endpoint, "/").hasPrefix("HTTP/1.1 200 "))
            }
            try await silent.send("GET /late HTTP/1.1\r\n\r\n")
            #expect(try await silent.answer().hasSuffix("GET /late\n"))
        }
    }

    @Test func `silent connections on every place are ended when their time is over`() async throws {
        try await listening { endpoint in
            var silent: [HTTPConnection] = []
            for _ in 0..<HTTPListener.connectionsMax { silent.append(try await HTTPConnection.open(endpoint)) }
            await clock.waitForSleepers(HTTPListener.connectionsMax)
            async let answer = http(endpoint, "/")
            clock.advance(by: HTTPListener.timeout)
            #expect(try await answer.hasPrefix("HTTP/1.1 200 "))
            for connection in silent { #expect(try await connection.answer() == "") }
        }
    }

    @Test func `an answer has an end, even if another process has a copy of the connection`() async throws {
        let (port, copies) = (Box<UInt16>(0), Box<[Int32]>([]))
        defer { for copy in copies.value { close(copy) } }
        let copying: @Sendable (HTTPListener.Request) -> HTTPListener.Response = { _ in
            let own = descriptors(onPort: port.value)
            #expect(own.count >= 2)
            // A program that is started gets none of them; were it otherwise, it would have them like this.
            for descriptor in own { #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC) }
            copies.set(copies.value + own.map { dup($0) })
            return .init(status: "200 OK", body: "copied\n")
        }
        try await listening(answer: copying) { endpoint in
            if case .ip4(_, let chosen) = endpoint { port.set(chosen) }
            let answer = try await http(endpoint, "/")
            #expect(answer.hasSuffix("copied\n"))
            #expect(copies.value.count >= 2)
        }
    }

    @Test func `the socket that a process left behind is in nobody's way, one in use is`() async throws {
        let folder = try TemporaryFolder()
        let endpoint = SocketEndpoint.ipc("\(folder.path)/h")
        for _ in 0..<2 {
            let listener = try HTTPListener(endpoint)
            let clock = clock
            let running = Task { try await listener.run(clock: clock) { _ in .init(status: "200 OK", body: "") } }
            #expect(try await http(endpoint, "/").hasPrefix("HTTP/1.1 200 "))
            #expect(throws: (any Error).self) { try HTTPListener(endpoint) }
            running.cancel()
            _ = await running.result
        }
    }
}

/// The sockets of this process that are bound to the port.
private func descriptors(onPort port: UInt16) -> [Int32] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return entries.compactMap { Int32($0) }.filter { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        return isKnown && address.sin_family == sa_family_t(AF_INET) && UInt16(bigEndian: address.sin_port) == port
    }
}
