internal import Synchronization

/// Runs a ``ClientEngine`` and a ``SubscriberEngine`` for links: lets callers and consumers wait, and tells the links'
/// loop when there is something to send.
///
/// Request links and publish links are numbered apart. The loop calls the methods under "The links' side", one at a
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

    fileprivate typealias Reply = UnsafeContinuation<Result<[UInt8], CallFailure>, Never>

    private struct State {
        var requests: ClientEngine
        var subscriber: SubscriberEngine
        var callers: [ClientEngine.CallToken: Reply] = [:]
        var fetches: [ClientEngine.CallToken: SubscriberEngine.FetchKey] = [:]
        var waiters: [Waiter: UnsafeContinuation<Void, Never>] = [:]
        var subscriptionChanges: [SubscriptionChange] = []
        var isClosed = false
        /// Since the last tick: there may be frames to send or a timer may be earlier.
        var isChanged = false
        /// Continuations to resume once the lock is let go.
        var effects: [Effect] = []
    }

    /// Who waits for something to take.
    private enum Waiter: Hashable {
        case reader(ClientEngine.CallToken)
        case consumer(SubscriberEngine.SubscriptionID)
    }

    private enum Effect {
        case reply(Reply, Result<[UInt8], CallFailure>)
        case wake(UnsafeContinuation<Void, Never>)
    }

    /// A call on its way to the engine.
    private struct Arrival {
        let token: ClientEngine.CallToken
        let method: String
        let body: [UInt8]
        let options: CallOptions
        let caller: Reply
    }

    private static let fetchTimeout = Duration.seconds(5)

    private let state: Locked<State>
    /// Calls that no update has seen yet. Callers touch this lock only, for an append: if they met the links' loop at the
    /// state, waiting for each other would cost more than the calls. Taken under the state's lock, never around it.
    private let arrivals = Locked<[Arrival]>([])
    private let lastToken = Atomic<ClientEngine.CallToken>(0)
    private let clock: TransportClock
    private let wakeLoop: @Sendable () -> Void

    /// - Parameter wake: tells the links' loop that there is something to send or that a timer has moved.
    package init(
        requestLinkCount: Int, publishLinkCount: Int, limits: ClientLimits, clock: TransportClock,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        wake: @escaping @Sendable () -> Void
    ) {
        self.clock = clock
        wakeLoop = wake
        state = Locked(
            State(
                requests: ClientEngine(linkCount: requestLinkCount, limits: limits, random: random),
                subscriber: SubscriberEngine(linkCount: publishLinkCount, limits: limits)))
    }

    /// Changes the state and then does what follows from it, outside the lock.
    @inline(__always)
    private func update<Value>(_ body: (inout State, MonotonicTime) -> Value) -> Value {
        let now = clock.now()
        var effects: [Effect] = []
        let value = state.withLock { state in
            state.isChanged = true
            admitArrivals(&state, at: now)
            let value = body(&state, now)
            perform(&state, at: now)
            if !state.effects.isEmpty { swap(&effects, &state.effects) }
            return value
        }
        for effect in effects {
            switch effect {
            case .reply(let caller, let result): caller.resume(returning: result)
            case .wake(let waiter): waiter.resume()
            }
        }
        return value
    }

    private func makeToken() -> ClientEngine.CallToken { lastToken.wrappingAdd(1, ordering: .relaxed).newValue }

    private func admitArrivals(_ state: inout State, at now: MonotonicTime) {
        var calls: [Arrival] = []
        arrivals.withLock { swap(&calls, &$0) }
        for call in calls {
            guard !state.isClosed else {
                state.effects.append(.reply(call.caller, .failure(.clientClosed)))
                continue
            }
            state.callers[call.token] = call.caller
            state.requests.begin(call.token, call.method, call.body, call.options, at: now)
        }
    }

    // MARK: The links' side

    /// Replies of one link, as many as `deliver` hands over; the bytes are lent. `deliver` must not use the endpoint.
    package func receiveReplies(on link: Int, _ deliver: ((UnsafeRawBufferPointer) -> Void) -> Void) {
        update { (state, now) in
            deliver { state.requests.receive($0, on: link, at: now) }
        }
    }

    package func receivePublication(
        topic: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, on link: Int
    ) {
        update { (state, now) in state.subscriber.receive(topic: topic, bytes, on: link, at: now) }
    }

    package func requestLinkUp(_ link: Int) { update { (state, now) in state.requests.linkUp(link, at: now) } }

    package func requestLinkDown(_ link: Int) { update { (state, now) in state.requests.linkDown(link, at: now) } }

    package func publishLinkUp(_ link: Int) { update { (state, now) in state.subscriber.linkUp(link, at: now) } }

    package func publishLinkDown(_ link: Int) { update { (state, _) in state.subscriber.linkDown(link) } }

    /// Runs what is due.
    ///
    /// - Returns: when to come again.
    package func tick() -> MonotonicTime {
        update { (state, now) in
            state.isChanged = false
            return min(state.requests.tick(at: now), state.subscriber.tick(at: now))
        }
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
    package var isChanged: Bool { arrivals.withLock { !$0.isEmpty } || state.withLock(\.isChanged) }

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
    private func perform(_ state: inout State, at now: MonotonicTime) {
        while !state.requests.actions.isEmpty || !state.subscriber.actions.isEmpty {
            var (calls, subscriptions): ([ClientEngine.Action], [SubscriberEngine.Action]) = ([], [])
            swap(&calls, &state.requests.actions)
            swap(&subscriptions, &state.subscriber.actions)
            for action in calls { Self.perform(action, &state) }
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

    private func perform(_ action: SubscriberEngine.Action, _ state: inout State, at now: MonotonicTime) {
        switch action {
        case .subscribe(let prefix): state.subscriptionChanges.append(.subscribe(prefix))
        case .unsubscribe(let prefix): state.subscriptionChanges.append(.unsubscribe(prefix))
        case .resubscribe(let prefix, let link): state.subscriptionChanges.append(.resubscribe(prefix, link: link))
        case .eventsReady(let id):
            if let consumer = state.waiters.removeValue(forKey: .consumer(id)) {
                state.effects.append(.wake(consumer))
            }
        case .fetch(let key, let request):
            let token = makeToken()
            state.fetches[token] = key
            // The publisher's request address has the place of its publish address; if their numbers differ, nobody
            // knows which it is.
            let isPaired = state.requests.linkCount == state.subscriber.linkCount
            state.requests.begin(
                token, FetchRequest.method, request.encoded, CallOptions(timeout: Self.fetchTimeout, isIdempotent: true),
                on: isPaired ? key.link : nil, at: now)
        }
    }
}

// MARK: The application's side

extension ClientEndpoint: RequestClient {
    package func call(
        _ method: String, _ body: [UInt8], options: CallOptions
    ) async throws(CallFailure) -> [UInt8] {
        let token = makeToken()
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { (caller: Reply) in
                let call = Arrival(token: token, method: method, body: body, options: options, caller: caller)
                arrivals.withLock { $0.append(call) }
                // Cancelled before there was something to cancel: the cancellation handler found nothing then.
                if Task.isCancelled { cancel(token) }
                wakeLoop()
            }
        } onCancel: {
            cancel(token)
        }
        return try result.get()
    }

    private func cancel(_ token: ClientEngine.CallToken) {
        update { (state, now) in state.requests.cancel(token, at: now) }
        wakeLoop()
    }

    package func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        ReplyStream { [self] in
            let token = makeToken()
            update { (state, now) in
                state.requests.begin(token, method, body, options, isStream: true, at: now)
                if state.isClosed { state.requests.cancelAll(.clientClosed) }
            }
            wakeLoop()
            // The iterator's copies share it; when the last is dropped, so is the call.
            let open = Releaser { [self] in cancel(token) }
            return ReplyStream.AsyncIterator { [self] () async throws(CallFailure) in
                defer { withExtendedLifetime(open) {} }
                return try await nextChunk(token)
            }
        }
    }

    private func nextChunk(_ token: ClientEngine.CallToken) async throws(CallFailure) -> [UInt8]? {
        while true {
            if Task.isCancelled {
                cancel(token)
                throw .cancelledByCaller
            }
            switch update({ (state, _) in state.requests.takeChunk(token) }) {
            case .chunk(let chunk):
                wakeLoop()
                return chunk
            case .end(let result):
                try result.get()
                return nil
            case .wait:
                await wait(.reader(token)) { state in state.requests.hasNews(of: token) }
            }
        }
    }

    /// Waits until there is news for the waiter, or the task is cancelled.
    private func wait(_ key: Waiter, unless isReady: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
                let resumed = state.withLock { state -> UnsafeContinuation<Void, Never>? in
                    if isReady(state) { return waiter }
                    // An iterator has one consumer; if a second one comes, the first looks again.
                    return state.waiters.updateValue(waiter, forKey: key)
                }
                resumed?.resume()
                if Task.isCancelled { release(key) }
            }
        } onCancel: {
            release(key)
        }
    }

    private func release(_ key: Waiter) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: key) }
        waiter?.resume()
    }
}

extension ClientEndpoint: Subscriber {
    package func subscribe(_ prefix: String) -> Subscription {
        Subscription { [self] in
            let id = update { (state, now) in state.subscriber.subscribe(prefix, at: now) }
            wakeLoop()
            let open = Releaser { [self] in
                update { (state, _) in state.subscriber.unsubscribe(id) }
                wakeLoop()
            }
            return Subscription.AsyncIterator { [self] in
                defer { withExtendedLifetime(open) {} }
                return await nextEvent(id)
            }
        }
    }

    private func nextEvent(_ id: SubscriberEngine.SubscriptionID) async -> SubscriptionEvent? {
        while !Task.isCancelled {
            let (event, isClosed) = state.withLock { ($0.subscriber.take(id), $0.isClosed) }
            if let event { return event }
            if isClosed { return nil }
            await wait(.consumer(id)) { state in state.subscriber.hasEvents(id) || state.isClosed }
        }
        return nil
    }
}

/// Does something when the last reference to it is dropped.
private final class Releaser: Sendable {
    private let release: @Sendable () -> Void
    init(_ release: @escaping @Sendable () -> Void) { self.release = release }
    deinit { release() }
}

extension CallFailure {
    static let clientClosed = CallFailure(.unavailable, "the client is closed")
}
