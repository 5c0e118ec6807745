public import EnergyTransport
public import ZeroMQ

/// Calls a service and follows its publications, over ZeroMQ. Connects and reconnects by itself.
///
/// One thread owns all sockets. Keep the client while its streams and subscriptions are in use: they end with it.
public final class ZeroMQClient: RequestClient, Subscriber, Sendable {
    private let endpoint: ClientEndpoint
    private let loop: SocketLoop

    /// - Parameters:
    ///   - requestAddresses: where the service's replicas answer, in order of preference: calls go to the first that is
    ///     connected, and to the next when it is not.
    ///   - publishAddresses: where they publish: all are followed. What was missed is fetched at the request address
    ///     with the same place in its list.
    ///   - security: `nil` talks to services that demand no keys.
    ///   - context: `nil` is the process's own.
    /// - Throws: `invalidArgument` for an address that is malformed or not allowed without keys. A service that is not
    ///   there is no error: its calls fail with `unavailable`.
    public init(
        requestAddresses: [String], publishAddresses: [String], security: ClientSecurity? = nil,
        limits: ClientLimits = .init(), context: Context? = nil
    ) throws(CallFailure) {
        for address in requestAddresses + publishAddresses {
            try TransportAddress.check(address, hasKeys: security != nil)
        }
        do throws(ZeroMQError) {
            let context = if let context { context } else { try Context.shared() }
            let waker = try Waker()
            endpoint = ClientEndpoint(
                requestLinkCount: requestAddresses.count, publishLinkCount: publishAddresses.count, limits: limits,
                clock: .system, wake: { waker.wake() })
            let sockets = try ClientSockets(
                requestAddresses: requestAddresses, publishAddresses: publishAddresses, security: security,
                endpoint: endpoint, context: context)
            loop = try SocketLoop(name: "zmq-client", waker: waker, owner: sockets)
        } catch {
            throw CallFailure(
                .invalidArgument,
                "\((requestAddresses + publishAddresses).joined(separator: ", ")): \(error.reason)")
        }
    }

    deinit { endpoint.close() }

    public func call(
        _ method: String, _ body: [UInt8], options: CallOptions
    ) async throws(CallFailure) -> [UInt8] {
        try await endpoint.call(method, body, options: options)
    }

    public func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        endpoint.stream(method, body, options: options)
    }

    public func subscribe(_ prefix: String) -> Subscription { endpoint.subscribe(prefix) }

    /// Runs tasks on the thread that owns the client's sockets. A task that prefers it (`withTaskExecutorPreference`)
    /// gets its replies without a change of thread, which saves about 25 µs a call; it must not block.
    public var executor: any TaskExecutor { loop.executor }

    /// Fails what is in flight, ends streams and subscriptions, and closes the sockets.
    public func close() async {
        endpoint.close()
        await loop.stop()
    }

    public var statistics: TransportStatistics { endpoint.statistics }
}
