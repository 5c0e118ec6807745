public import EnergyTransport
public import ZeroMQ

/// Answers requests on one address and publishes on another, over ZeroMQ.
///
/// One thread owns both sockets. Handlers begin on it, so they must not block; what they await is awaited elsewhere.
public final class ZeroMQServer: Sendable {
    private let endpoint: ServerEndpoint
    private let loop: SocketLoop

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
    ///   - onLoss: is told what had to be given up, on the sockets' thread: it must not block.
    ///   - context: `nil` is the process's own.
    /// - Throws: `failedPrecondition` for an address that is in use or cannot be bound; `invalidArgument` for one that
    ///   is not allowed without keys. The message names the address.
    public init(
        requestAddress: String, publishAddress: String, publisherID: [UInt8], epoch: UInt64,
        limits: ServerLimits = .init(), onLoss: @escaping @Sendable (TransportLoss) -> Void = { _ in },
        context: Context? = nil
    ) throws(CallFailure) {
        guard publisherID.count == 16 else {
            throw CallFailure(.invalidArgument, "a publisher id has 16 bytes, not \(publisherID.count)")
        }
        let (usedContext, waker): (Context, Waker)
        do throws(ZeroMQError) {
            usedContext = if let context { context } else { try Context.shared() }
            waker = try Waker()
        } catch {
            throw CallFailure(.failedPrecondition, "no more sockets can be had: \(error.reason)")
        }
        let requests = try BoundSocket(.router, requestAddress, context: usedContext, set: SocketSettings.applyRouter)
        let publications = try BoundSocket(
            .xpub, publishAddress, context: usedContext, set: SocketSettings.applyPublisher)
        self.requestAddress = requests.address
        self.publishAddress = publications.address
        endpoint = ServerEndpoint(
            publisherID: publisherID, epoch: epoch, limits: limits, clock: .system, wake: { waker.wake() })
        let sockets = ServerSockets(
            requests: requests, publications: publications, endpoint: endpoint, limits: limits,
            onLoss: onLoss)
        do throws(ZeroMQError) {
            loop = try SocketLoop(name: "zmq-server", waker: waker, owner: sockets)
        } catch {
            throw CallFailure(.failedPrecondition, "no thread can be started: \(error.reason)")
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

    public var statistics: TransportStatistics { endpoint.statistics }
}
