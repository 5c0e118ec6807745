internal import FlyingFox
internal import FlyingSocks
internal import Foundation
internal import Logging
internal import ServiceLifecycle

/// Answers `/metrics`, `/healthz` (the process lives) and `/readyz` (it serves) over HTTP.
struct OperationsServer: Service {
    let address: SocketEndpoint
    private let server: HTTPServer

    /// - Precondition: `address` is a TCP address.
    init(address: SocketEndpoint, metrics: PrometheusRegistry, health: HealthRegistry) throws(ConfigurationError) {
        self.address = address
        server = try Self.makeServer(address, OperationsHandler(metrics: metrics, health: health))
    }

    /// Returns once connections are accepted.
    func waitUntilListening() async throws { try await server.waitUntilListening() }

    var port: UInt16? {
        get async {
            switch await server.listeningAddress {
            case .ip4(_, let port)?, .ip6(_, let port)?: port
            default: nil
            }
        }
    }

    /// Serves until graceful shutdown, or cancellation.
    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            do { try await server.run() } catch {
                // Stopping closes the listening socket under the accept loop, which then fails.
                guard Task.isShuttingDownGracefully || Task.isCancelled else { throw error }
            }
        } onCancelOrGracefulShutdown: {
            Task { await server.stop(timeout: 0) }
        }
    }

    private static func makeServer(
        _ address: SocketEndpoint, _ handler: OperationsHandler
    ) throws(ConfigurationError) -> HTTPServer {
        do {
            switch address {
            case .ip4(let host, let port):
                return HTTPServer(address: try .inet(ip4: host, port: port), logger: .disabled, handler: handler)
            case .ip6(let host, let port):
                return HTTPServer(address: try .inet6(ip6: host, port: port), logger: .disabled, handler: handler)
            case .ipc(let path):
                return HTTPServer(address: .unix(path: path), logger: .disabled, handler: handler)
            }
        } catch {
            throw ConfigurationError(
                .init(origin: "\(address)", key: "http.address", reason: "is not an address of this machine"))
        }
    }
}

private struct OperationsHandler: HTTPHandler {
    let metrics: PrometheusRegistry
    let health: HealthRegistry

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method == .GET || request.method == .HEAD else {
            return respond(.methodNotAllowed, "only GET and HEAD\n")
        }
        switch request.path {
        case "/metrics":
            return respond(
                .ok, metrics.exposition() + ProcessMetrics.exposition(), contentType: PrometheusText.contentType)
        case "/healthz":
            return respond(.ok, "alive\n")
        case "/readyz":
            let isServing = health.check("")?.isServing ?? false
            let lines = health.list().map { service, health in
                health.isServing ? "\(service) serves\n" : "\(service) does not serve: \(health.reason)\n"
            }
            return respond(isServing ? .ok : .serviceUnavailable, lines.joined())
        default:
            return respond(.notFound, "there are /metrics, /healthz and /readyz\n")
        }
    }

    private func respond(
        _ status: HTTPStatusCode, _ body: String, contentType: String = "text/plain; charset=utf-8"
    ) -> HTTPResponse {
        HTTPResponse(
            statusCode: status, headers: [.contentType: contentType, HTTPHeader("Cache-Control"): "no-store"],
            body: Data(body.utf8))
    }
}
