/// Runs a ``ServerEngine`` and a ``PublisherEngine`` for a link: starts handlers, wakes writers, and tells the link's
/// loop when there is something to send.
///
/// The link's loop calls ``receive(_:from:)``, ``tick()`` and ``takeOutgoing(_:)``, one at a time. Handlers begin on the
/// loop's thread; everything else may be called from anywhere. Lock order: the state is the only lock, and nothing
/// foreign (a handler, a continuation, `wake`) runs under it.
package final class ServerEndpoint: Sendable {
    /// What the link is to send.
    package struct Outgoing: ~Copyable {
        package var replies: [(peer: ServerEngine.PeerID, frame: Frame)] = []
        package var publications: [(topic: String, frame: Frame)] = []
        /// Whose requests were not carried out.
        package var refused: Set<RefusedCaller> = []
        package init() {}
        package var isEmpty: Bool { replies.isEmpty && publications.isEmpty }
    }

    struct State {
        var requests: ServerEngine
        var waiting = WaitingCalls()
        var publisher: PublisherEngine
        var isServing = false
        var isClosed = false
        /// Since the last tick: there may be frames to send or a timer may be earlier.
        var isChanged = false
        var handlers: [ServerEngine.CallKey: Task<Void, Never>] = [:]
        /// Calls whose handler is to be cancelled as soon as its task is known.
        var cancelledEarly: Set<ServerEngine.CallKey> = []
        var writers: [UInt64: UnsafeContinuation<Result<Void, CallFailure>, Never>] = [:]
        var lastTicket: UInt64 = 0
        var drainWaiters: [UnsafeContinuation<Void, Never>] = []
    }

    let state: Locked<State>
    private let limits: ServerLimits
    let clock: TransportClock
    /// After so long handlers give way to what has arrived and what is to be sent. One handler is not interrupted.
    private static let turnNanoseconds: Int64 = 2_000_000
    let wake: @Sendable () -> Void
    let followers = Followers()
    /// Where handlers go on after they have suspended; `nil` is the shared pool.
    let handlerExecutor: (any TaskExecutor)?

    /// - Parameter wake: tells the link's loop that there is something to send or that a timer has moved.
    package init(
        publisherID: [UInt8], epoch: UInt64, limits: ServerLimits, clock: TransportClock,
        handlerExecutor: (any TaskExecutor)? = nil, wake: @escaping @Sendable () -> Void
    ) {
        self.limits = limits
        self.clock = clock
        self.wake = wake
        self.handlerExecutor = handlerExecutor
        state = Locked(
            State(
                requests: ServerEngine(methods: MethodTable(), limits: limits),
                publisher: PublisherEngine(publisherID: publisherID, epoch: epoch, limits: limits)))
    }

    /// Begins to answer. Until then the link leaves requests where they are.
    package func serve(_ methods: MethodTable) {
        var methods = methods
        addPublications(to: &methods)
        state.withLock { state in
            precondition(!state.isServing, "a server serves one method table")
            state.isServing = true
            state.isChanged = true
            state.requests.methods = methods
        }
        wake()
    }

    package var isServing: Bool { state.withLock(\.isServing) }

    // MARK: The link's side

    /// A message from a peer; the bytes are lent for this call. The handler, if any, begins before this returns.
    package func receive(_ bytes: UnsafeRawBufferPointer, from peer: ServerEngine.PeerID) {
        let now = clock.now()
        let (invocation, actions) = state.withLock { state in
            (state.requests.receive(bytes, from: peer, at: now), Self.takeActions(&state))
        }
        perform(actions)
        if let invocation { _ = start([invocation], until: .distantFuture) }
    }

    /// One turn of a link: the engine takes many messages under one lock, then handlers begin, for a short time. What
    /// they did not get to waits for the next turn, which ``isChanged`` asks for.
    ///
    /// - Parameter body: reads while there is room; says whether it has read all that had arrived.
    package func receiveTurn(_ body: (inout ServerEngine, inout WaitingCalls, MonotonicTime) -> Bool) {
        let now = clock.now()
        let (waiting, actions) = state.withLock { state in
            var waiting = Self.takeWaiting(&state)
            let isLate = !waiting.isEmpty
            let isAllRead = body(&state.requests, &waiting, now)
            state.requests.noteRead(isAll: isAllRead, at: now)
            if isLate { waiting.takeTurns() }
            return (waiting, Self.takeActions(&state))
        }
        perform(actions)
        guard !waiting.isEmpty else { return }
        let rest = start(waiting.invocations, until: now.advanced(byNanoseconds: Self.turnNanoseconds))
        if !rest.isEmpty { state.withLock { $0.waiting = WaitingCalls(rest) } }
    }

    /// Without those that nobody waits for any more: their handlers do not begin.
    private static func takeWaiting(_ state: inout State) -> WaitingCalls {
        guard !state.waiting.isEmpty else { return WaitingCalls() }
        var waiting = WaitingCalls()
        swap(&waiting, &state.waiting)
        for unwanted in waiting.removeAll(where: { !state.requests.isWanted($0.key) }) {
            state.cancelledEarly.remove(unwanted.key)
            state.requests.finish(unwanted.key, .failure(.callerGone))
        }
        return waiting
    }

    /// A subscription has arrived.
    package func receiveSubscription(_ prefix: String) {
        let unixMs = clock.unixMilliseconds()
        state.withLock { $0.publisher.subscribed(prefix, unixMs: unixMs) }
    }

    /// Every subscriber's connection was closed.
    package func forgetSubscriptions() { state.withLock { $0.publisher.forgetSubscriptions() } }

    /// A subscription has ended.
    package func receiveUnsubscription() { state.withLock { $0.publisher.unsubscribed() } }

    /// Who may call has changed: ends what is in flight for principals that are no more what they were.
    package func endCalls(unless isAsBefore: (Principal) -> Bool) {
        let actions = state.withLock { state in
            state.requests.endCalls(unless: isAsBefore)
            state.isChanged = true
            return Self.takeActions(&state)
        }
        perform(actions)
    }

    /// The link gives the peer up.
    ///
    /// - Parameter hasLeft: its number will not come again.
    package func dropPeer(_ peer: ServerEngine.PeerID, hasLeft: Bool = false) {
        let actions = state.withLock { state in
            if hasLeft { state.requests.noteDeparted(peer) }
            state.requests.dropPeer(peer)
            return Self.takeActions(&state)
        }
        perform(actions)
    }

    /// Of the peer's principal; `nil` when it is not known, or not any more.
    package func principalName(of peer: ServerEngine.PeerID) -> String? {
        state.withLock { $0.requests.peers[peer]?.principal.name }
    }

    /// The link keeps so many frames for each of these peers, which do not read; 0 when it has sent all.
    package func noteUnsent(_ frameCounts: [(peer: ServerEngine.PeerID, frameCount: Int)]) {
        let actions = state.withLock { state in
            for (peer, frameCount) in frameCounts { state.requests.noteUnsent(frameCount, of: peer) }
            state.isChanged = true
            return Self.takeActions(&state)
        }
        perform(actions)
    }

    /// Runs what is due.
    ///
    /// - Returns: when to come again.
    package func tick() -> MonotonicTime {
        let now = clock.now()
        let (next, actions) = state.withLock { state in
            state.isChanged = false
            var next = state.requests.tick(at: now)
            if state.publisher.isDue(at: now) {
                next = min(next, state.publisher.tick(unixMs: clock.unixMilliseconds(), at: now))
            } else {
                next = min(next, state.publisher.nextTick ?? .distantFuture)
            }
            return (next, Self.takeActions(&state))
        }
        perform(actions)
        return next
    }

    /// Takes all there is to send, in order; `outgoing` must be empty, its memory is used again.
    package func takeOutgoing(_ outgoing: inout Outgoing) {
        let actions = state.withLock { state in
            swap(&outgoing.replies, &state.requests.outgoing)
            swap(&outgoing.publications, &state.publisher.outgoing)
            if !state.requests.refused.isEmpty { swap(&outgoing.refused, &state.requests.refused) }
            followers.distribute(outgoing.publications)
            state.requests.statistics.framesSent += UInt64(outgoing.replies.count + outgoing.publications.count)
            state.requests.noteTaken()
            if !state.requests.outgoing.isEmpty { state.isChanged = true }
            return Self.takeActions(&state)
        }
        perform(actions)
    }

    /// Whether a turn, and what there is to send after it, must not wait.
    package var isChanged: Bool { state.withLock { $0.isChanged || !$0.waiting.isEmpty } }

    /// Lets the link count what only it can see.
    package func count(_ update: (inout TransportStatistics) -> Void) {
        state.withLock { update(&$0.requests.statistics) }
    }

    // MARK: The application's side

    package func begin(_ epoch: PublicationEpoch) {
        state.withLock { $0.publisher.begin(epoch) }
        wake()
    }

    package func forgetPublications(where isForgotten: (_ topic: String) -> Bool) {
        state.withLock { $0.publisher.forget(where: isForgotten) }
    }

    package func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) {
        let (now, unixMs) = (clock.now(), clock.unixMilliseconds())
        try state.withLock { (state) throws(CallFailure) in
            guard !state.isClosed else { throw CallFailure(.unavailable, "the publisher has stopped") }
            state.isChanged = true
            try state.publisher.publish(topic, body, unixMs: unixMs, at: now)
        }
        wake()
    }

    package func publish(_ publications: [SharedPublication], tail: [UInt8]) throws(CallFailure) {
        let (now, unixMs) = (clock.now(), clock.unixMilliseconds())
        let failure = state.withLock { (state) -> CallFailure? in
            guard !state.isClosed else { return CallFailure(.unavailable, "the publisher has stopped") }
            state.isChanged = true
            var failure: CallFailure?
            for publication in publications {
                do throws(CallFailure) {
                    try state.publisher.publish(
                        publication.topic, publication.head, tail: tail, sharers: publications.count,
                        sequence: publication.sequence, unixMs: unixMs, at: now)
                } catch { failure = failure ?? error }
            }
            return failure
        }
        wake()
        if let failure { throw failure }
    }

    /// Tells the peers, refuses new calls, and returns when the last call has ended or `patience` is over; what is then
    /// in flight is answered `unavailable` and its handler cancelled.
    package func drain(within patience: Duration) async {
        followers.stop()
        let end = clock.now().advanced(by: patience)
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let effects = state.withLock { state in
                state.isChanged = true
                state.drainWaiters.append(continuation)
                state.requests.beginDraining(until: end)
                if state.requests.callCount == 0 { state.requests.actions.append(.drained) }
                return Self.takeActions(&state)
            }
            perform(effects)
            wake()
        }
    }

    /// Ends every call, and after this nothing is published.
    package func close() {
        let now = clock.now()
        let effects = state.withLock { state in
            state.isClosed = true
            state.isChanged = true
            state.requests.beginDraining(until: now)
            _ = state.requests.tick(at: now)
            return Self.takeActions(&state)
        }
        perform(effects)
        wake()
    }

    package var statistics: TransportStatistics {
        state.withLock { state in
            var sum = state.requests.statistics
            sum.publications = state.publisher.statistics.publications
            sum.subscriptions = state.publisher.statistics.subscriptions
            sum.subscriptionsOpen = state.publisher.statistics.subscriptionsOpen
            sum.callsInFlight = UInt64(state.requests.callCount)
            sum.streamsOpen = UInt64(state.requests.calls.values.count(where: \.isStream))
            sum.peers = UInt64(state.requests.peers.count)
            return sum
        }
    }

    // MARK: Actions

    enum Effect {
        case cancel(Task<Void, Never>)
        case resume(UnsafeContinuation<Result<Void, CallFailure>, Never>, Result<Void, CallFailure>)
        case drained([UnsafeContinuation<Void, Never>])
    }

    /// Turns the engine's actions into what can be done without the lock.
    static func takeActions(_ state: inout State) -> [Effect] {
        guard !state.requests.actions.isEmpty else { return [] }
        var effects: [Effect] = []
        for action in state.requests.actions {
            switch action {
            case .cancelHandler(let key):
                if let task = state.handlers[key] {
                    effects.append(.cancel(task))
                } else if state.requests.calls[key] != nil {
                    state.cancelledEarly.insert(key)
                }
            case .resumeWriter(let ticket, let result):
                if let writer = state.writers.removeValue(forKey: ticket) { effects.append(.resume(writer, result)) }
            case .drained:
                effects.append(.drained(state.drainWaiters))
                state.drainWaiters = []
            }
        }
        state.requests.actions.removeAll(keepingCapacity: true)
        return effects
    }

    func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .cancel(let task): task.cancel()
            case .resume(let writer, let result): writer.resume(returning: result)
            case .drained(let waiters): for waiter in waiters { waiter.resume() }
            }
        }
    }
}

extension ServerEndpoint: Publisher {}
