/// Runs a ``ClientEngine`` and a ``SubscriberEngine`` for links: lets callers and consumers wait, and tells the links'
/// loop when there is something to send.
///
/// A replica's request link and its publish link have the same number. The loop calls the methods under "The links' side", one at a
/// time; everything else may be called from anywhere. The state is the only lock, and nothing foreign runs under it.
package final class ClientEndpoint: Sendable {
    package enum SubscriptionChange: Equatable, Sendable {
        case subscribe(String)
        case unsubscribe(String)
        case resubscribe(String, link: Int)
    }

    /// What the links are to send.
    package struct Outgoing: ~Copyable {
        package var requests: [(link: Int, frame: Frame)] = []
        package var subscriptions: [SubscriptionChange] = []
        package init() {}
        package var isEmpty: Bool { requests.isEmpty && subscriptions.isEmpty }
    }

    typealias Reply = UnsafeContinuation<Result<[UInt8], CallFailure>, Never>

    struct State {
        var requests: ClientEngine
        var subscriber: SubscriberEngine
        var callers: [ClientEngine.CallToken: Reply] = [:]
        var fetches: [ClientEngine.CallToken: SubscriberEngine.FetchKey] = [:]
        var waiters: [Waiter: UnsafeContinuation<Void, Never>] = [:]
        var subscriptionChanges: [SubscriptionChange] = []
        /// Publish links that do not let us in, and the streams in their place.
        var refusedLinks: Set<Int> = []
        var follows: [FollowKey: Follow] = [:]
        var isClosed = false
        /// Since the last tick: there may be frames to send or a timer may be earlier.
        var isChanged = false
        /// Continuations to resume once the lock is let go.
        var effects: [Effect] = []
    }

    /// Who waits for something to take.
    enum Waiter: Hashable {
        case reader(ClientEngine.CallToken)
        case consumer(SubscriberEngine.SubscriptionID)
    }

    enum Effect {
        case reply(Reply, Result<[UInt8], CallFailure>)
        case wake(UnsafeContinuation<Void, Never>)
        case cancel(Task<Void, Never>)
    }

    private static let fetchTimeout = Duration.seconds(5)

    let state: Locked<State>
    let clock: TransportClock
    let wakeLoop: @Sendable () -> Void

    /// - Parameters:
    ///   - replicas: each has a request link and a publish link with its number.
    ///   - wake: tells the links' loop that there is something to send or that a timer has moved.
    package init(
        replicas: [Replica], limits: ClientLimits, clock: TransportClock,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        wake: @escaping @Sendable () -> Void
    ) {
        self.clock = clock
        wakeLoop = wake
        state = Locked(
            State(
                requests: ClientEngine(
                    addresses: replicas.map(\.requestAddress), limits: limits, random: random),
                subscriber: SubscriberEngine(linkCount: replicas.count, limits: limits)))
    }

    /// Changes the state and then does what follows from it, outside the lock.
    @inline(__always)
    func update<Value>(_ body: (inout State, MonotonicTime) -> Value) -> Value {
        let now = clock.now()
        var effects: [Effect] = []
        let value = state.withLock { state in
            state.isChanged = true
            let value = body(&state, now)
            Self.perform(&state, at: now)
            if !state.effects.isEmpty { swap(&effects, &state.effects) }
            return value
        }
        for effect in effects {
            switch effect {
            case .reply(let caller, let result): caller.resume(returning: result)
            case .wake(let waiter): waiter.resume()
            case .cancel(let task): task.cancel()
            }
        }
        return value
    }

    // MARK: The links' side

    /// Many messages at once: the engine takes them under one lock, then their callers go on.
    package func receiveReplies(_ body: (inout ClientEngine, MonotonicTime) -> Void) {
        update { (state, now) in body(&state.requests, now) }
    }

    package func receiveReply(_ bytes: UnsafeRawBufferPointer, on link: Int) {
        update { (state, now) in state.requests.receive(bytes, on: link, at: now) }
    }

    package func receivePublication(
        topic: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, on link: Int
    ) {
        update { (state, now) in state.subscriber.receive(topic: topic, bytes, on: link, at: now) }
    }

    package func requestLinkUp(_ link: Int) { update { (state, now) in state.requests.linkUp(link, at: now) } }

    package func requestLinkDown(_ link: Int) { update { (state, now) in state.requests.linkDown(link, at: now) } }

    package func requestLinkRefused(_ link: Int, _ refusal: LinkRefusal) {
        update { (state, _) in state.requests.linkRefused(link, refusal) }
    }

    package func publishLinkUp(_ link: Int) {
        update { (state, now) in
            Self.stopFollowing(on: link, &state)
            state.subscriber.linkUp(link, at: now)
        }
    }

    package func publishLinkDown(_ link: Int) { update { (state, _) in state.subscriber.linkDown(link) } }

    /// The links with this number are to another replica from now on, or to none; neither is up.
    ///
    /// - Parameter number: may be the one after the last.
    /// - Returns: the prefixes that are subscribed to.
    package func relink(_ number: Int, to replica: Replica?) -> [String] {
        update { (state, now) in
            Self.stopFollowing(on: number, &state)
            state.requests.relink(number, to: replica?.requestAddress, at: now)
            state.subscriber.relink(number)
            return state.subscriber.names
        }
    }

    /// Runs what is due.
    ///
    /// - Returns: when to come again.
    package func tick() -> MonotonicTime {
        let next = update { (state, now) in
            state.isChanged = false
            return min(state.requests.tick(at: now), state.subscriber.tick(at: now))
        }
        return min(next, startDueFollows())
    }

    /// Takes all there is to send, in order; `outgoing` must be empty, its memory is used again.
    package func takeOutgoing(_ outgoing: inout Outgoing) {
        state.withLock { state in
            swap(&outgoing.requests, &state.requests.outgoing)
            swap(&outgoing.subscriptions, &state.subscriptionChanges)
            state.requests.statistics.framesSent += UInt64(outgoing.requests.count)
        }
    }

    /// Whether a tick, and what there is to send after it, must not wait.
    package var isChanged: Bool { state.withLock(\.isChanged) }

    /// Lets the link count what only it can see.
    package func count(_ body: (inout TransportStatistics) -> Void) {
        state.withLock { body(&$0.requests.statistics) }
    }

    /// Fails what is in flight and ends every stream and subscription.
    package func close() {
        update { (state, _) in
            state.isClosed = true
            state.requests.cancelAll(.clientClosed)
            state.effects += state.waiters.values.map { .wake($0) }
            state.waiters = [:]
            for link in state.refusedLinks { Self.stopFollowing(on: link, &state) }
        }
        wakeLoop()
    }

    package var statistics: TransportStatistics {
        state.withLock { state in
            var sum = state.requests.statistics
            let subscriber = state.subscriber.statistics
            sum.framesReceived += subscriber.framesReceived
            sum.framesUnrecognised += subscriber.framesUnrecognised
            sum.framesUnexpected += subscriber.framesUnexpected
            sum.connections += subscriber.connections
            sum.connectionsLost += subscriber.connectionsLost
            sum.publicationsReceived = subscriber.publicationsReceived
            sum.publicationsDuplicate = subscriber.publicationsDuplicate
            sum.publicationsRecovered = subscriber.publicationsRecovered
            sum.topicsMissed = subscriber.topicsMissed
            sum.subscriptionsOverflowed = subscriber.subscriptionsOverflowed
            return sum
        }
    }

    // MARK: Engines' actions

    /// Does what the engines ask for, until they ask for nothing more: a fetch may fail as soon as it begins.
    private static func perform(_ state: inout State, at now: MonotonicTime) {
        while !state.requests.actions.isEmpty || !state.subscriber.actions.isEmpty {
            var (calls, subscriptions): ([ClientEngine.Action], [SubscriberEngine.Action]) = ([], [])
            swap(&calls, &state.requests.actions)
            swap(&subscriptions, &state.subscriber.actions)
            for action in calls { perform(action, &state) }
            for action in subscriptions { perform(action, &state, at: now) }
        }
    }

    private static func perform(_ action: ClientEngine.Action, _ state: inout State) {
        switch action {
        case .finish(let token, let result):
            if let caller = state.callers.removeValue(forKey: token) {
                state.effects.append(.reply(caller, result))
            } else if let key = state.fetches.removeValue(forKey: token) {
                state.subscriber.fetched(key, fetchReply(result))
            }
        case .streamReady(let token):
            if let reader = state.waiters.removeValue(forKey: .reader(token)) {
                state.effects.append(.wake(reader))
            }
        }
    }

    private static func fetchReply(_ result: Result<[UInt8], CallFailure>) -> Result<FetchReply, CallFailure> {
        result.flatMap { body in
            guard let reply = FetchReply(decoding: body) else {
                return .failure(CallFailure(.internalError, "the reply is not a FetchReply"))
            }
            return .success(reply)
        }
    }

    private static func perform(_ action: SubscriberEngine.Action, _ state: inout State, at now: MonotonicTime) {
        switch action {
        case .subscribe(let prefix):
            state.subscriptionChanges.append(.subscribe(prefix))
            startFollowing(prefix, &state, at: now)
        case .unsubscribe(let prefix):
            state.subscriptionChanges.append(.unsubscribe(prefix))
            stopFollowing(prefix, &state)
        case .resubscribe(let prefix, let link): state.subscriptionChanges.append(.resubscribe(prefix, link: link))
        case .eventsReady(let id):
            if let consumer = state.waiters.removeValue(forKey: .consumer(id)) {
                state.effects.append(.wake(consumer))
            }
        case .fetch(let key, let request):
            let token = state.requests.makeToken()
            state.fetches[token] = key
            // Where a replica's request address is not known, any may have what it published.
            let isKnown = state.requests.hasServer(key.link)
            state.requests.begin(
                token, FetchRequest.method, request.encoded, CallOptions(timeout: fetchTimeout, isIdempotent: true),
                on: isKnown ? key.link : nil, at: now)
        }
    }
}
