/// Carries frames between one server and its clients in the same process, as bytes, exactly as a socket would.
///
/// A task moves them, never the caller's own thread: a handler that ran inside somebody's `publish` could meet locks
/// that are held there.
package final class InProcessNetwork: Sendable {
    private struct Client {
        let endpoint: ClientEndpoint
        /// The run of the server it is connected to, 0 for none.
        var connectedRun: UInt64 = 0
        var prefixes: [String] = []
    }

    private struct State {
        var server: ServerEndpoint?
        /// Grows with every server that is attached.
        var run: UInt64 = 0
        var clients: [ServerEngine.PeerID: Client] = [:]
        var lastPeer: ServerEngine.PeerID = 0
        var isPumping = false
        var isPumpWanted = false
        var timer: Task<Void, Never>?
        var timerTime = MonotonicTime.distantFuture
        var isClosed = false
    }

    private let state = Locked(State())
    package let clock: TransportClock
    private let sleep: @Sendable (Duration) async -> Void

    package init<C: Clock>(
        clock: C, unixMilliseconds: (@Sendable () -> Int64)? = nil
    ) where C.Duration == Duration {
        let start = clock.now
        let now = { @Sendable in MonotonicTime(nanoseconds: start.duration(to: clock.now).nanoseconds) }
        self.clock = TransportClock(
            now: now, unixMilliseconds: unixMilliseconds ?? { now().nanoseconds / 1_000_000 })
        sleep = { try? await clock.sleep(for: $0) }
    }

    /// A server takes the place of the one before, whose clients see their connection break.
    package func attachServer(
        publisherID: [UInt8], epoch: UInt64, limits: ServerLimits
    ) -> ServerEndpoint {
        let server = ServerEndpoint(
            publisherID: publisherID, epoch: epoch, limits: limits, clock: clock, wake: { [weak self] in self?.wake() })
        state.withLock { state in
            state.server = server
            state.run += 1
        }
        wake()
        return server
    }

    package func detachServer() {
        let server = state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        server?.close()
        wake()
    }

    package func attachClient(limits: ClientLimits) -> ClientEndpoint {
        let client = ClientEndpoint(
            replicas: [Replica(requestAddress: "", publishAddress: "")], limits: limits, clock: clock,
            wake: { [weak self] in self?.wake() })
        state.withLock { state in
            state.lastPeer += 1
            state.clients[state.lastPeer] = Client(endpoint: client)
        }
        wake()
        return client
    }

    package func detachClient(_ client: ClientEndpoint) {
        client.close()
        let (server, prefixCount) = state.withLock { state in
            let own = state.clients.filter { $0.value.endpoint === client }
            for peer in own.keys { state.clients[peer] = nil }
            return (state.server, own.values.reduce(0) { $0 + $1.prefixes.count })
        }
        for _ in 0..<prefixCount { server?.receiveUnsubscription() }
    }

    package func close() {
        detachServer()
        let (clients, timer) = state.withLock { state in
            state.isClosed = true
            return (state.clients.values.map(\.endpoint), state.timer)
        }
        timer?.cancel()
        for client in clients { client.close() }
    }

    // MARK: The loop

    private func wake() {
        let isFirst = state.withLock { state in
            state.isPumpWanted = true
            defer { state.isPumping = true }
            return !state.isPumping
        }
        guard isFirst else { return }
        Task { pump() }
    }

    private func pump() {
        while state.withLock({ state in
            defer { state.isPumpWanted = false }
            state.isPumping = state.isPumpWanted
            return state.isPumping
        }) {
            let (server, run, clients) = state.withLock { ($0.server, $0.run, $0.clients.sorted { $0.key < $1.key }) }
            for (peer, client) in clients { connect(client, peer, to: server, run) }
            var next = MonotonicTime.distantFuture
            for (peer, client) in clients {
                next = min(next, client.endpoint.tick())
                carry(from: client.endpoint, peer, to: server)
            }
            if let server {
                next = min(next, server.tick())
                carry(from: server)
            }
            arm(next)
        }
    }

    /// Lets the client see that its server is gone, another one, or there again.
    private func connect(
        _ client: Client, _ peer: ServerEngine.PeerID, to server: ServerEndpoint?, _ run: UInt64
    ) {
        let wanted = server?.isServing == true ? run : 0
        guard client.connectedRun != wanted else { return }
        if client.connectedRun != 0 {
            client.endpoint.requestLinkDown(0)
            client.endpoint.publishLinkDown(0)
        }
        state.withLock { $0.clients[peer]?.connectedRun = wanted }
        guard let server, wanted != 0 else { return }
        for prefix in client.prefixes { server.receiveSubscription(prefix) }
        client.endpoint.publishLinkUp(0)
        client.endpoint.requestLinkUp(0)
    }

    private func carry(from client: ClientEndpoint, _ peer: ServerEngine.PeerID, to server: ServerEndpoint?) {
        var outgoing = ClientEndpoint.Outgoing()
        client.takeOutgoing(&outgoing)
        for change in outgoing.subscriptions {
            state.withLock { state in
                switch change {
                case .subscribe(let prefix): state.clients[peer]?.prefixes.append(prefix)
                case .unsubscribe(let prefix): state.clients[peer]?.prefixes.removeAll { $0 == prefix }
                case .resubscribe: break
                }
            }
            switch change {
            case .subscribe(let prefix), .resubscribe(let prefix, _): server?.receiveSubscription(prefix)
            case .unsubscribe: server?.receiveUnsubscription()
            }
        }
        for (_, frame) in outgoing.requests {
            frame.encoded.withUnsafeBytes { server?.receive($0, from: peer) }
        }
    }

    private func carry(from server: ServerEndpoint) {
        var outgoing = ServerEndpoint.Outgoing()
        server.takeOutgoing(&outgoing)
        guard !outgoing.isEmpty else { return }
        let clients = state.withLock(\.clients)
        for (peer, frame) in outgoing.replies {
            frame.encoded.withUnsafeBytes { clients[peer]?.endpoint.receiveReply($0, on: 0) }
        }
        for (topic, frame) in outgoing.publications {
            let bytes = frame.encoded
            for client in clients.values where client.prefixes.contains(where: { topic.hasPrefix($0) }) {
                Array(topic.utf8).withUnsafeBytes { topic in
                    bytes.withUnsafeBytes { client.endpoint.receivePublication(topic: topic, $0, on: 0) }
                }
            }
        }
    }

    /// Comes again at `time` unless something happens before.
    private func arm(_ time: MonotonicTime) {
        let earlier = state.withLock { state -> Task<Void, Never>? in
            guard time < state.timerTime, !state.isClosed else { return nil }
            let earlier = state.timer
            let wait = clock.now().duration(to: time)
            state.timerTime = time
            state.timer = Task { [weak self, sleep] in
                await sleep(wait)
                if !Task.isCancelled { self?.timerFired() }
            }
            return earlier
        }
        earlier?.cancel()
    }

    private func timerFired() {
        state.withLock { state in
            state.timer = nil
            state.timerTime = .distantFuture
        }
        wake()
    }
}
