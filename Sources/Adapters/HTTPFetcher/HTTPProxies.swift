internal import AsyncHTTPClient
public import EnergyModel
internal import Foundation
internal import GridSignals
internal import NIOCore

/// Which requests go through a proxy.
public struct HTTPProxies: Hashable, Sendable {
    struct Server: Hashable, Sendable {
        let host: String
        let port: Int
    }

    var server: Server?
    /// Hosts that are reached directly: `example.com` stands for its subdomains as well, `*` for all.
    var exceptions: [String] = []

    /// None.
    public init() {}

    /// As curl and others read them: `https_proxy` or `HTTPS_PROXY`, else `all_proxy` or `ALL_PROXY`; `no_proxy` or
    /// `NO_PROXY`. Proxies that want a user's name are not supported.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput` naming the variable, never its value.
    public init(environment: [String: String]) throws(EnergyError) {
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { !(environment[$0] ?? "").isEmpty }), let text = environment[name] else {
            return
        }
        let url = URLComponents(string: text.contains("://") ? text : "http://" + text)
        guard let url, let host = url.host, !host.isEmpty, url.scheme == "http", url.user == nil else {
            throw EnergyError(.invalidInput, "\(name) must be like http://host:port, without a user")
        }
        server = Server(host: host, port: url.port ?? 1080)
        exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }.filter { !$0.isEmpty }
    }

    func isDirect(_ host: String) -> Bool {
        let host = host.lowercased()
        if server == nil || host == "localhost" || host == "::1" || host.hasPrefix("127.") { return true }
        return exceptions.contains { exception in
            let domain = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
            return exception == "*" || host == domain || host.hasSuffix("." + domain)
        }
    }
}

/// One client for what goes directly, one for what goes through the proxy.
struct Clients: Sendable {
    private let direct: HTTPClient
    private let proxied: HTTPClient?
    private let proxies: HTTPProxies

    init(_ limits: HTTPLimits, _ proxies: HTTPProxies) {
        self.proxies = proxies
        direct = Self.client(limits, proxy: nil)
        proxied = proxies.server.map { Self.client(limits, proxy: .server(host: $0.host, port: $0.port)) }
    }

    private static func client(_ limits: HTTPLimits, proxy: HTTPClient.Configuration.Proxy?) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(limits.connectTimeout.nanoseconds)), proxy: proxy)
        // Polling once in minutes is no reason to hold connections; HTTP/2 would not pay.
        configuration.httpVersion = .http1Only
        // When to try again is the caller's to say.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(10)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func client(for url: String) -> HTTPClient {
        guard let proxied, let host = URLComponents(string: url)?.host, !proxies.isDirect(host) else { return direct }
        return proxied
    }

    func close() async throws {
        try await direct.shutdown()
        try await proxied?.shutdown()
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 1_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
