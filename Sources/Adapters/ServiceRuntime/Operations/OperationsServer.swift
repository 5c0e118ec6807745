internal import ServiceLifecycle

/// Answers `/metrics`, `/healthz` (the process lives) and `/readyz` (it serves) over HTTP.
struct OperationsServer: Service {
    private let listener: HTTPListener
    private let metrics: PrometheusRegistry
    private let health: HealthRegistry
    private let clock: any Clock<Duration>
    /// The transport's part of `/metrics`: it is bound after the HTTP address is known to be free.
    var transportMetrics: @Sendable () -> String = { "" }

    /// Connections are accepted from here on, and answered once it runs.
    init(
        address: SocketEndpoint, metrics: PrometheusRegistry, health: HealthRegistry, clock: any Clock<Duration>
    ) throws(ConfigurationError) {
        self.metrics = metrics
        self.health = health
        self.clock = clock
        do { listener = try HTTPListener(address) } catch {
            throw ConfigurationError(
                .init(origin: "\(address)", key: "http.address", reason: "is not an address of this machine"))
        }
    }

    var port: UInt16? { listener.port }

    /// Serves until graceful shutdown, or cancellation.
    func run() async throws {
        let (listener, clock) = (listener, clock)
        do {
            try await cancelWhenGracefulShutdown { try await listener.run(clock: clock) { answer($0) } }
        } catch {
            guard Task.isShuttingDownGracefully || Task.isCancelled else { throw error }
        }
    }

    private func answer(_ request: HTTPListener.Request) -> HTTPListener.Response {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .init(status: "405 Method Not Allowed", body: "only GET and HEAD\n")
        }
        switch request.path {
        case "/metrics":
            return .init(
                status: "200 OK", contentType: PrometheusText.contentType,
                body: metrics.exposition() + transportMetrics() + ProcessMetrics.exposition())
        case "/healthz":
            return .init(status: "200 OK", body: "alive\n")
        case "/readyz":
            let isServing = health.check("")?.isServing ?? false
            let lines = health.list().map { service, health in
                let reason = health.reason.isEmpty ? "" : ": \(health.reason)"
                return "\(service) \(health.isServing ? "serves" : "does not serve")\(reason)\n"
            }
            return .init(status: isServing ? "200 OK" : "503 Service Unavailable", body: lines.joined())
        default:
            return .init(status: "404 Not Found", body: "there are /metrics, /healthz and /readyz\n")
        }
    }
}
