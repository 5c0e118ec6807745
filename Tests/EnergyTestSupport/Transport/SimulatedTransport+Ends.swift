public import EnergyTransport

extension SimulatedTransport {
    public func startServer(
        _ methods: MethodTable, epoch: UInt64, limits: ServerLimits
    ) async throws -> any ServerUnderTest {
        let endpoint = ServerEndpoint(
            publisherID: [UInt8](repeating: 7, count: 16), epoch: epoch, limits: limits, clock: clock,
            handlerExecutor: executor, wake: {})
        endpoint.serve(methods)
        state.withLock { state in
            state.server = endpoint
            for client in state.clients.indices { Self.scheduleConnect(client, &state) }
        }
        return Server(network: self, endpoint: endpoint)
    }

    public func makeClient(limits: ClientLimits) async throws -> any ClientUnderTest {
        let seed = state.withLock { $0.random.next() }
        let endpoint = ClientEndpoint(
            replicas: [Replica(requestAddress: "", publishAddress: "")], limits: limits, clock: clock,
            random: SplitMix64(seed: seed),
            wake: {})
        state.withLock { state in
            state.clients.append(Client(endpoint: endpoint))
            if state.server != nil { Self.scheduleConnect(state.clients.count - 1, &state) }
        }
        return EndpointClient(endpoint: endpoint)
    }

    private var clock: TransportClock {
        TransportClock(
            now: { [weak self] in self?.state.withLock(\.now) ?? .distantFuture },
            unixMilliseconds: { [weak self] in (self?.state.withLock(\.now).nanoseconds ?? 0) / 1_000_000 })
    }

    fileprivate func stopServer() {
        let (server, count) = state.withLock { state in
            defer { state.server = nil }
            return (state.server, state.clients.count)
        }
        server?.close()
        for client in 0..<count { breakConnection(of: client) }
    }

    private struct Server: ServerUnderTest {
        let network: SimulatedTransport
        let endpoint: ServerEndpoint
        var publisher: any Publisher { endpoint }
        var statistics: TransportStatistics { endpoint.statistics }
        func drain(within patience: Duration) async { await endpoint.drain(within: patience) }
        func stop() async { network.stopServer() }
    }
}

/// A client that is nothing but its endpoint.
struct EndpointClient: ClientUnderTest {
    let endpoint: ClientEndpoint
    var statistics: TransportStatistics { endpoint.statistics }
    func close() async { endpoint.close() }
    func call(
        _ method: String, _ body: [UInt8], options: CallOptions
    ) async throws(CallFailure) -> [UInt8] { try await endpoint.call(method, body, options: options) }
    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        endpoint.stream(method, body, options: options)
    }
    func subscribe(_ prefix: String) -> Subscription { endpoint.subscribe(prefix) }
}
