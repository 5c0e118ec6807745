internal import ServiceLifecycle

/// Answers `/metrics`, `/healthz` (the process lives) and `/readyz` (it serves) over HTTP.
struct OperationsServer: Service {
    private let listener: HTTPListener
    private let metrics: PrometheusRegistry
    private let health: HealthRegistry
    private let clock: any Clock<Duration>
    /// `nil` answers everybody.
    private let logins: HTTPLogins?
    /// The transport's part of `/metrics`: it is bound after the HTTP address is known to be free.
    var transportMetrics: @Sendable () -> String = { "" }

    /// Connections are accepted from here on, and answered once it runs.
    init(
        address: SocketEndpoint, metrics: PrometheusRegistry, health: HealthRegistry, clock: any Clock<Duration>,
        logins: HTTPLogins? = nil
    ) throws(ConfigurationError) {
        self.metrics = metrics
        self.health = health
        self.clock = clock
        self.logins = logins
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
        // Open to everybody: it says nothing but that the process lives.
        if request.path == "/healthz" { return .init(status: "200 OK", body: "alive\n") }
        switch logins?.check(request.authorization) {
        case .welcome, nil: return answerKnown(request)
        case .unknown:
            return .init(
                status: "401 Unauthorized", body: "this needs a login\n",
                headers: ["WWW-Authenticate: Basic realm=\"Gridtide\", charset=\"UTF-8\""])
        case .tooMany(let seconds):
            return .init(
                status: "429 Too Many Requests", body: "too many attempts\n", headers: ["Retry-After: \(seconds)"])
        }
    }

    private func answerKnown(_ request: HTTPListener.Request) -> HTTPListener.Response {
        switch request.path {
        case "/metrics":
            return .init(
                status: "200 OK", contentType: PrometheusText.contentType,
                body: metrics.exposition() + transportMetrics() + ProcessMetrics.exposition() + loginMetrics)
        case "/readyz":
            let isServing = health.check("")?.isServing ?? false
            let lines = health.list().map { service, health in
                let reason = health.reason.isEmpty ? "" : ": \(health.reason)"
                return "\(service) \(health.isServing ? "serves" : "does not serve")\(reason)\n"
            }
            let body = lines.joined() + (health.left.map { "\($0)\n" } ?? "")
            return .init(status: isServing ? "200 OK" : "503 Service Unavailable", body: body)
        default:
            return .init(status: "404 Not Found", body: "there are /metrics, /healthz and /readyz\n")
        }
    }

    private var loginMetrics: String {
        guard let logins else { return "" }
        let name = "gridtide_http_logins_failed_total"
        return PrometheusText.header(name, type: "counter", help: "Attempts to log in with a wrong name or password.")
            + "\(name) \(logins.failureCount)\n"
    }
}
