public import EnergyTransport

/// The in-process transport, with servers that can be exchanged.
public final class InProcessTransportUnderTest: TransportUnderTest {
    private let network = InProcessNetwork(clock: ContinuousClock())

    public init() {}

    public func startServer(
        _ methods: MethodTable, epoch: UInt64, limits: ServerLimits
    ) async throws -> any ServerUnderTest {
        let endpoint = network.attachServer(
            publisherID: [UInt8](repeating: 7, count: 16), epoch: epoch, limits: limits)
        endpoint.serve(methods)
        return Server(network: network, endpoint: endpoint)
    }

    public func makeClient(limits: ClientLimits) async throws -> any ClientUnderTest {
        Client(network: network, endpoint: network.attachClient(limits: limits))
    }

    private struct Server: ServerUnderTest {
        let network: InProcessNetwork
        let endpoint: ServerEndpoint
        var publisher: any Publisher { endpoint }
        var statistics: TransportStatistics { endpoint.statistics }
        func drain(within patience: Duration) async { await endpoint.drain(within: patience) }
        func stop() async { network.detachServer() }
    }

    private struct Client: ClientUnderTest {
        let network: InProcessNetwork
        let endpoint: ClientEndpoint
        var statistics: TransportStatistics { endpoint.statistics }
        func close() async { network.detachClient(endpoint) }
        func call(
            _ method: String, _ body: [UInt8], options: CallOptions
        ) async throws(CallFailure) -> [UInt8] { try await endpoint.call(method, body, options: options) }
        func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
            endpoint.stream(method, body, options: options)
        }
        func subscribe(_ prefix: String) -> Subscription { endpoint.subscribe(prefix) }
    }
}
