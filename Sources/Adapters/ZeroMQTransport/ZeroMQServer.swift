public import EnergyTransport
public import ZeroMQ

/// Answers requests on one address and publishes on another, over ZeroMQ.
///
/// One thread owns both sockets. Handlers begin on it, so they must not block; what they await is awaited elsewhere.
public final class ZeroMQServer: Sendable {
    private let endpoint: ServerEndpoint
    private let loop: SocketLoop
    private let waker: Waker
    private let news = AdmissionNews()

    /// Where requests are answered, with the port that a wildcard became.
    public let requestAddress: String
    /// Where publications go out, likewise.
    public let publishAddress: String

    /// Binds both addresses. Calls wait until ``serve(_:)`` has been called.
    ///
    /// - Parameters:
    ///   - requestAddress: `tcp://127.0.0.1:<port>` (`*` for any port) or `ipc://<path>`.
    ///   - publishAddress: the same.
    ///   - publisherID: the 16 bytes of the store's UUID.
    ///   - epoch: greater than at every earlier start with this id.
    ///   - security: `nil` allows loopback and ipc only, and lets in whoever finds them.
    ///   - onRefusal: is told who was not let in, or not let do something, on the sockets' thread: it must not block.
    ///   - onLoss: is told what had to be given up, on the sockets' thread: it must not block.
    ///   - context: `nil` is the process's own; with `security` one of the server's own, because a context has one
    ///     doorkeeper.
    /// - Throws: `failedPrecondition` for an address that is in use or cannot be bound; `invalidArgument` for one that
    ///   is not allowed without keys. The message names the address. With `security`, also when the addresses
    ///   let in a client that nobody knows.
    public init(
        requestAddress: String, publishAddress: String, publisherID: [UInt8], epoch: UInt64,
        limits: ServerLimits = .init(), security: ServerSecurity? = nil,
        onRefusal: @escaping @Sendable (Refusal) -> Void = { _ in },
        onLoss: @escaping @Sendable (TransportLoss) -> Void = { _ in }, context: Context? = nil
    ) throws(CallFailure) {
        guard publisherID.count == 16 else {
            throw CallFailure(.invalidArgument, "a publisher id has 16 bytes, not \(publisherID.count)")
        }
        let (usedContext, waker, doorkeeper, stranger): (Context, Waker, Doorkeeper?, CurveKeyPair)
        do throws(ZeroMQError) {
            usedContext =
                if let context { context } else if security != nil { try Context() } else { try Context.shared() }
            waker = try Waker()
            stranger = try CurveKeyPair.make()
            // Before any socket is bound: one that nobody guards lets everybody in.
            doorkeeper = try security.map { [news] (security) throws(ZeroMQError) in
                try Doorkeeper(
                    security, context: usedContext, news: news, strangerKey: stranger.publicKey, onRefusal: onRefusal)
            }
        } catch {
            throw CallFailure(.failedPrecondition, "no more sockets can be had: \(error.reason)")
        }
        self.waker = waker
        let (requests, publications): (BoundSocket, BoundSocket)
        if let doorkeeper {
            requests = try doorkeeper.bindRequests(requestAddress)
            publications = try doorkeeper.bindPublications(publishAddress)
        } else {
            requests = try BoundSocket(.router, requestAddress, context: usedContext, set: SocketSettings.applyRouter)
            publications = try BoundSocket(
                .xpub, publishAddress, context: usedContext, set: SocketSettings.applyPublisher)
        }
        self.requestAddress = requests.address
        self.publishAddress = publications.address
        endpoint = ServerEndpoint(
            publisherID: publisherID, epoch: epoch, limits: limits, clock: .system, wake: { waker.wake() })
        let sockets = ServerSockets(
            context: usedContext, requests: requests, publications: publications, doorkeeper: doorkeeper,
            endpoint: endpoint, limits: limits, onRefusal: onRefusal, onLoss: onLoss)
        do throws(ZeroMQError) {
            loop = try SocketLoop(name: "zmq-server", waker: waker, owner: sockets)
        } catch {
            throw CallFailure(.failedPrecondition, "no thread can be started: \(error.reason)")
        }
        guard let security else { return }
        for (address, isPublishing) in [(self.requestAddress, false), (self.publishAddress, true)] {
            try StrangerTest.run(
                at: address, isPublishing: isPublishing, as: stranger, serverKey: security.keys.publicKey)
        }
    }

    deinit { endpoint.close() }

    /// Publishes to whoever subscribes at ``publishAddress``.
    public var publisher: any Publisher { endpoint }

    /// Begins to answer. To be called once; calls that came before wait.
    ///
    /// `energy.v1.Publications/Fetch` is answered from the retained publications unless the table has its own.
    public func serve(_ methods: MethodTable) { endpoint.serve(methods) }

    /// Tells the callers, refuses new calls with `unavailable`, and returns when the last call has ended. Calls that are
    /// still in flight after `patience` are answered `unavailable`, and their handlers cancelled.
    public func drain(within patience: Duration) async { await endpoint.drain(within: patience) }

    /// Ends what is in flight and closes the sockets. The last answers are sent if their peers take them within 1 s.
    public func close() async {
        endpoint.close()
        await loop.stop()
    }

    /// The security's ``Admission`` answers differently now: what is in flight for those who lost a permission is ended,
    /// and subscribers who may subscribe no longer are shown out.
    public func admissionChanged() {
        news.announce()
        waker.wake()
    }

    public var statistics: TransportStatistics { endpoint.statistics }
}
