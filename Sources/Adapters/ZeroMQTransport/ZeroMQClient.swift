public import EnergyTransport
public import ZeroMQ

/// Calls a service and follows its publications, over ZeroMQ. Connects and reconnects by itself.
///
/// One thread owns all sockets. Keep the client while its streams and subscriptions are in use: they end with it.
public final class ZeroMQClient: RequestClient, Subscriber, Sendable {
    private let endpoint: ClientEndpoint
    private let loop: SocketLoop
    /// `nil` when all addresses say by themselves where they are.
    private let finder: ReplicaFinder?

    /// - Parameters:
    ///   - requestAddresses: `tcp://HOST:PORT`, `srv://NAME` or `ipc://PATH`, where the service's replicas answer, in any order: a call goes to the one that is connected
    ///     and that its ``CallOptions/affinity`` prefers, and to the next when it is not.
    ///   - publishAddresses: where they publish: all are followed. What was missed is fetched at the request address
    ///     with the same place in its list. A host's name stands for all addresses that it has, each of another replica,
    ///     a service's (`srv://`) for all that DNS lists; they are looked up again every ten seconds.
    ///   - security: `nil` talks to services that demand no keys.
    ///   - context: `nil` is the process's own.
    /// - Throws: `invalidArgument` for an address that is malformed or not allowed without keys. A service that is not
    ///   there is no error: its calls fail with `unavailable`.
    public convenience init(
        requestAddresses: [String], publishAddresses: [String], security: ClientSecurity? = nil,
        limits: ClientLimits = .init(), context: Context? = nil
    ) throws(CallFailure) {
        for address in requestAddresses + publishAddresses {
            try TransportAddress.check(address, hasKeys: security != nil)
        }
        try self.init(
            requestAddresses: requestAddresses, publishAddresses: publishAddresses, security: security, limits: limits,
            context: context, names: .system)
    }

    /// Does not check whether the addresses need keys.
    package init(
        requestAddresses: [String], publishAddresses: [String], security: ClientSecurity?, limits: ClientLimits,
        context: Context?, names: NameLookup
    ) throws(CallFailure) {
        do throws(ZeroMQError) {
            let context = if let context { context } else { try Context.shared() }
            let waker = try Waker()
            let replicas = Replica.pairs(requestAddresses, publishAddresses)
            let found = FoundReplicas()
            endpoint = ClientEndpoint(
                replicas: replicas, limits: limits, clock: .system, wake: { waker.wake() })
            let sockets = try ClientSockets(
                replicas, found: found, security: security, endpoint: endpoint, context: context)
            loop = try SocketLoop(name: "zmq-client", waker: waker, owner: sockets)
            finder = ReplicaFinder(replicas, names: names) { replicas in
                found.put(replicas)
                waker.wake()
            }
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
