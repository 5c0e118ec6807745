import Foundation
import Testing

@testable import ServiceRuntime

@Suite struct HTTPListenerTests {
    private func listening(_ body: (UInt16) async throws -> Void) async throws {
        let listener = try HTTPListener(.ip4("127.0.0.1", 0))
        let port = try #require(listener.port)
        let running = Task {
            try await listener.run(clock: ContinuousClock()) {
                .init(status: "200 OK", body: "\($0.method) \($0.path)")
            }
        }
        try await body(port)
        running.cancel()
        _ = await running.result
    }

    @Test func `a request is answered by method and path, without its query`() async throws {
        try await listening { port in
            #expect(await rawHTTP(port: port, "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n").hasSuffix("\r\n\r\nGET /a"))
            #expect(await rawHTTP(port: port, "HEAD /a HTTP/1.0\r\n\r\n").hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: [
        "\r\n\r\n", "GET\r\n\r\n", "GET /  HTTP/1.1\r\n\r\n", "GET metrics HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
    ])
    func `what is not HTTP is refused`(text: String) async throws {
        try await listening { #expect(await rawHTTP(port: $0, text).hasPrefix("HTTP/1.1 400")) }
    }

    @Test func `a head without end is refused at its limit`() async throws {
        let text = String(repeating: "x", count: HTTPListener.headBytesMax)
        try await listening { #expect(await rawHTTP(port: $0, text).hasPrefix("HTTP/1.1 431")) }
    }

    @Test func `callers who say nothing keep nobody waiting, and a full house is served in turn`() async throws {
        try await listening { port in
            let silent = (0..<HTTPListener.connectionsMax / 2).map { _ in connected(port) }
            defer { for descriptor in silent { close(descriptor) } }
            await withTaskGroup(of: Bool.self) { group in
                for index in 0..<64 {
                    group.addTask { await httpGet(port: port, "/\(index)").hasSuffix("GET /\(index)") }
                }
                for await isRight in group { #expect(isRight) }
            }
        }
    }
}
