/// A server and its clients in one process: for single-process runs and for tests. The frames, limits, deadlines and
/// statuses are those of the wire.
///
/// It is itself a client, and the publisher; ``makeClient(limits:)`` makes more clients.
public final class InProcessTransport: RequestClient, Publisher, Subscriber, Sendable {
    private let network: InProcessNetwork
    private let server: ServerEndpoint
    private let client: ClientEndpoint

    /// - Parameters:
    ///   - methods: what is answered; ``serve(_:)`` can say it later, if it is empty.
    ///   - publisherID: 16 bytes.
    ///   - clock: for deadlines and timers.
    ///   - unixMilliseconds: the time of day, stamped on publications; `nil` counts from the transport's start.
    public init<C: Clock>(
        _ methods: MethodTable = MethodTable(), publisherID: [UInt8] = [UInt8](repeating: 0, count: 16),
        epoch: UInt64 = 1, limits: ServerLimits = .init(), clientLimits: ClientLimits = .init(),
        clock: C = ContinuousClock(), unixMilliseconds: (@Sendable () -> Int64)? = nil
    ) where C.Duration == Duration {
        network = InProcessNetwork(clock: clock, unixMilliseconds: unixMilliseconds)
        server = network.attachServer(publisherID: publisherID, epoch: epoch, limits: limits)
        client = network.attachClient(limits: clientLimits)
        if !methods.entries.isEmpty { server.serve(methods) }
    }

    deinit { network.close() }

    /// Begins to answer. To be called once, unless the initialiser was given methods; calls that came before
    /// wait.
    public func serve(_ methods: MethodTable) { server.serve(methods) }

    /// Another client: its calls and subscriptions are counted apart.
    public func makeClient(limits: ClientLimits = .init()) -> some RequestClient & Subscriber {
        InProcessClient(network, limits: limits)
    }

    public func call(
        _ method: String, _ body: [UInt8], options: CallOptions
    ) async throws(CallFailure) -> [UInt8] {
        try await client.call(method, body, options: options)
    }

    public func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        client.stream(method, body, options: options)
    }

    public func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) { try server.publish(topic, body) }
    public func begin(_ epoch: PublicationEpoch) { server.begin(epoch) }

    public func publish(_ publications: [SharedPublication], tail: [UInt8]) throws(CallFailure) {
        try server.publish(publications, tail: tail)
    }
    public func forgetPublications(where isForgotten: @Sendable (_ topic: String) -> Bool) {
        server.forgetPublications(where: isForgotten)
    }

    public func subscribe(_ prefix: String) -> Subscription { client.subscribe(prefix) }

    /// Refuses new calls and returns when the last one has ended, or `patience` is over.
    public func drain(within patience: Duration) async { await server.drain(within: patience) }

    /// Ends every call, stream and subscription, of all clients.
    public func close() { network.close() }

    public var serverStatistics: TransportStatistics { server.statistics }
    public var clientStatistics: TransportStatistics { client.statistics }
}

/// One more client of an ``InProcessTransport``.
private final class InProcessClient: RequestClient, Subscriber {
    private let network: InProcessNetwork
    private let endpoint: ClientEndpoint

    init(_ network: InProcessNetwork, limits: ClientLimits) {
        self.network = network
        endpoint = network.attachClient(limits: limits)
    }

    deinit { network.detachClient(endpoint) }

    func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
        try await endpoint.call(method, body, options: options)
    }

    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        endpoint.stream(method, body, options: options)
    }

    func subscribe(_ prefix: String) -> Subscription { endpoint.subscribe(prefix) }
}
