import EnergyModel
import EnergyTestSupport
import Foundation
import GridSignals
import HTTPFetcher
import Testing

/// A real client against a real server on this machine.
@Suite struct HTTPFetcherTests {
    static let now = Timestamp(unixMilliseconds: 1_800_000_000_000)

    static func fetcher(
        _ limits: HTTPLimits = HTTPLimits(), clock: any Clock<Duration> = ContinuousClock()
    ) throws -> AsyncHTTPFetcher {
        try AsyncHTTPFetcher(limits: limits, clock: clock, wallClock: FixedWallClock(now))
    }

    static func failure(_ reply: ReplayServer.Reply, _ limits: HTTPLimits = HTTPLimits()) async throws -> EnergyError {
        let server = try ReplayServer { _ in reply }
        let fetcher = try fetcher(limits)
        let request = HTTPRequest(
            server.url + "/v1/data", query: [("securityToken", "geheim-1")], headers: [.init("auth-token", "geheim-2")])
        let error = await #expect(throws: EnergyError.self) { try await fetcher.send(request) }
        await fetcher.close()
        let found = try #require(error)
        #expect(!found.message.contains("geheim"))
        return found
    }

    @Test func `an answer is given whole, with the server's time`() async throws {
        let body = String(repeating: #"{"a":1}"#, count: 20_000)
        let server = try ReplayServer { _ in .json(body, ["Date": "Fri, 15 Jan 2027 08:00:07 GMT"]) }
        let fetcher = try Self.fetcher()
        let response = try await fetcher.send(HTTPRequest(server.url + "/v1", query: [("zone", "a b&c")]))
        #expect(response.body == Array(body.utf8))
        #expect(response.date?.milliseconds(since: Self.now) == 7_000)
        #expect(server.requests.first?.target == "/v1?zone=a%20b%26c")
        #expect(server.requests.first?.headers["accept"] == "application/json")
        await fetcher.close()
    }

    @Test(arguments: [401, 403])
    func `a wrong key is named as such, and not shown`(status: Int) async throws {
        let error = try await Self.failure(.answer(status, "geheim-1 is not valid"))
        #expect(error.code == .denied)
        #expect(error.message.contains("/v1/data answered \(status): its key is missing, wrong"))
    }

    @Test func `429 says when to come again`() async throws {
        let seconds = try await Self.failure(.answer(429, headers: ["Retry-After": "120"], ""))
        #expect(seconds.code == .rateLimited)
        #expect(seconds.retryAfterMilliseconds == 120_000)
        let date = try await Self.failure(.answer(429, headers: ["Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT"], ""))
        #expect(date.retryAfterMilliseconds == 60_000)
        // A wait without end is a day.
        let long = try await Self.failure(.answer(429, headers: ["Retry-After": "9223372036854775807"], ""))
        #expect(long.retryAfterMilliseconds == .millisecondsPerDay)
        let none = try await Self.failure(.answer(429, headers: ["Retry-After": "soon"], ""))
        #expect(none.retryAfterMilliseconds == nil)
    }

    @Test(arguments: [500, 502, 503, 504])
    func `a server in trouble is unavailable`(status: Int) async throws {
        let error = try await Self.failure(.answer(status, headers: ["Retry-After": "9"], "<html>"))
        #expect(error.code == .unavailable)
        #expect(error.retryAfterMilliseconds == 9_000)
    }

    @Test func `what is not there is not found`() async throws {
        #expect(try await Self.failure(.answer(404, "")).code == .notFound)
        #expect(try await Self.failure(.answer(400, "")).code == .invalidInput)
    }

    @Test func `half a body is no answer`() async throws {
        let error = try await Self.failure(.half(#"{"data":[1,2,3]}"#))
        #expect(error.code == .unavailable)
        #expect(error.message.contains("in the middle"), "\(error.message)")
    }

    @Test func `another content type is no answer`() async throws {
        let error = try await Self.failure(.answer(200, headers: ["Content-Type": "text/html"], "<html>please log in"))
        #expect(error.code == .unavailable)
        #expect(error.message.contains("answered text/html, not application/json"))
    }

    @Test func `a body beyond the limit is not read on`() async throws {
        let error = try await Self.failure(
            .json(String(repeating: "1", count: 100_000)), HTTPLimits(bodyBytesMax: 10_000))
        #expect(error.code == .unavailable)
        #expect(error.message.contains("10000 bytes"))
    }

    @Test(arguments: [ReplayServer.Reply.slow(#"{"data":[1,2,3]}"#), .silence])
    func `a slow body and a silent server end with the time limit`(reply: ReplayServer.Reply) async throws {
        let server = try ReplayServer { _ in reply }
        let clock = ManualClock()
        let fetcher = try Self.fetcher(clock: clock)
        let task = Task { try await fetcher.send(HTTPRequest(server.url + "/slow")) }
        var arrivals = server.arrivals.makeAsyncIterator()
        _ = await arrivals.next()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: EnergyError.self) { try await task.value }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("did not answer within") == true)
        await fetcher.close()
    }

    @Test func `nobody there is unavailable`() async throws {
        let port = try RefusedPort()
        let fetcher = try Self.fetcher()
        let error = await #expect(throws: EnergyError.self) { try await fetcher.send(HTTPRequest(port.url + "/x")) }
        #expect(error?.code == .unavailable)
        let host = port.url.dropFirst("http://".count)
        #expect(error?.message == "\(host) refuses the connection: nothing answers there")
        await fetcher.close()
    }

    @Test func `what has not changed is not sent again`() async throws {
        let server = try ReplayServer { request in
            if request.headers["if-none-match"] == "\"v1\"" { return .answer(304, "") }
            if request.headers["if-modified-since"] == "yesterday" { return .answer(304, "") }
            return request.path == "/tag"
                ? .json("[1]", ["ETag": "\"v1\""]) : .json("[2]", ["Last-Modified": "yesterday"])
        }
        let fetcher = try Self.fetcher()
        for _ in 0..<3 {
            #expect(try await fetcher.send(HTTPRequest(server.url + "/tag")).body == Array("[1]".utf8))
            #expect(try await fetcher.send(HTTPRequest(server.url + "/date")).body == Array("[2]".utf8))
        }
        #expect(server.requests.filter { $0.headers["if-none-match"] != nil }.count == 2)
        // With another key it is another document.
        _ = try await fetcher.send(HTTPRequest(server.url + "/tag", headers: [.init("auth-token", "other")]))
        #expect(server.requests.last?.headers["if-none-match"] == nil)
        await fetcher.close()
    }

    @Test func `a redirection is followed, with keys for the same host only`() async throws {
        let second = try ReplayServer { _ in .json("[2]") }
        let elsewhere = second.url.replacing("127.0.0.1", with: "localhost")
        let first = try ReplayServer { request in
            switch request.path {
            case "/a": .answer(302, headers: ["Location": "/b"], "")
            case "/b": .json("[1]")
            case "/loop": .answer(301, headers: ["Location": "/loop"], "")
            case "/plain": .answer(302, headers: ["Location": "http://example.com/"], "")
            default: .answer(307, headers: ["Location": elsewhere + "/c"], "")
            }
        }
        let fetcher = try Self.fetcher()
        func get(_ path: String) async throws -> [UInt8] {
            try await fetcher.send(HTTPRequest(first.url + path, headers: [.init("auth-token", "geheim")])).body
        }
        #expect(try await get("/a") == Array("[1]".utf8))
        #expect(first.requests.last?.headers["auth-token"] == "geheim")
        #expect(try await get("/c") == Array("[2]".utf8))
        #expect(second.requests.count == 1)
        #expect(second.requests.first?.headers["auth-token"] == nil)
        await #expect(throws: EnergyError.self) { try await get("/loop") }
        #expect(first.requests.filter { $0.path == "/loop" }.count == 4)
        let plain = await #expect(throws: EnergyError.self) { try await get("/plain") }
        #expect(plain?.message.contains("without https") == true)
        await fetcher.close()
    }

    @Test(arguments: [
        "http://example.com/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "/x", "http://127.0.0.1.example.com/", "",
    ])
    func `only https is asked, or this machine`(url: String) async throws {
        let fetcher = try Self.fetcher()
        let error = await #expect(throws: EnergyError.self) { try await fetcher.send(HTTPRequest(url)) }
        #expect(error?.code == .invalidInput)
        await fetcher.close()
    }

    @Test func `a proxy is taken from the environment, with its exceptions`() async throws {
        let proxy = try ReplayServer { _ in .answer(502, "") }
        let proxies = try HTTPProxies(environment: [
            "https_proxy": proxy.url, "no_proxy": "example.org, .example.net",
        ])
        let fetcher = try AsyncHTTPFetcher(proxies: proxies, wallClock: FixedWallClock(Self.now))
        let error = await #expect(throws: EnergyError.self) {
            try await fetcher.send(HTTPRequest("https://api.example.com/x"))
        }
        #expect(error?.code == .unavailable)
        #expect(proxy.requests.first?.method == "CONNECT")
        #expect(proxy.requests.first?.target == "api.example.com:443")
        await fetcher.close()
        let refusal = #expect(throws: EnergyError.self) {
            try HTTPProxies(environment: ["HTTPS_PROXY": "http://me:geheim@proxy:8080"])
        }
        #expect(refusal?.message.contains("geheim") == false)
    }
}
