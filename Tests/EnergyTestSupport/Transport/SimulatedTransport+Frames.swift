internal import EnergyTransport

extension SimulatedTransport {
    static func schedule(_ event: Event, client: Int, at time: MonotonicTime, _ state: inout State) {
        state.lastOrder += 1
        let connection = client < 0 ? 0 : state.clients[client].connection
        state.events.append(
            Scheduled(time: time, order: state.lastOrder, client: client, connection: connection, event: event))
    }

    /// Takes what the endpoints want to send.
    ///
    /// - Returns: `false` when that is nothing.
    func collect() -> Bool {
        let (server, clients) = state.withLock { ($0.server, $0.clients) }
        var hasSent = false
        for (index, client) in clients.enumerated() {
            var outgoing = ClientEndpoint.Outgoing()
            client.endpoint.takeOutgoing(&outgoing)
            hasSent = hasSent || !outgoing.isEmpty
            for change in outgoing.subscriptions { note(change, of: index) }
            for (_, frame) in outgoing.requests { send(.toServer(frame.encoded), client: index) }
        }
        guard let server else { return hasSent }
        var outgoing = ServerEndpoint.Outgoing()
        server.takeOutgoing(&outgoing)
        hasSent = hasSent || !outgoing.isEmpty
        for (peer, frame) in outgoing.replies {
            guard let index = state.withLock({ $0.clients.firstIndex { $0.connection == peer } }) else {
                server.dropPeer(peer)
                continue
            }
            send(.toClient(frame.encoded), client: index)
        }
        for (topic, frame) in outgoing.publications {
            let (topicBytes, bytes) = (Array(topic.utf8), frame.encoded)
            for index in clients.indices {
                let isWanted = state.withLock { $0.clients[index].served.contains { topic.hasPrefix($0) } }
                if isWanted { send(.publication(topic: topicBytes, bytes), client: index) }
            }
        }
        return hasSent
    }

    private func note(_ change: ClientEndpoint.SubscriptionChange, of client: Int) {
        switch change {
        case .subscribe(let prefix):
            state.withLock { $0.clients[client].prefixes.append(prefix) }
            send(.subscription(prefix), client: client, isReliable: true)
        case .unsubscribe(let prefix):
            state.withLock { state in state.clients[client].prefixes.removeAll { $0 == prefix } }
            send(.unsubscription(prefix), client: client, isReliable: true)
        case .resubscribe(let prefix, _):
            send(.subscription(prefix), client: client, isReliable: true)
        }
    }

    /// - Parameter isReliable: only delayed.
    private func send(_ event: Event, client: Int, isReliable: Bool = false) {
        let isBroken = state.withLock { state -> Bool in
            guard state.clients[client].connection != 0 else { return false }
            let isFaulty = !isReliable && state.now.nanoseconds < faults.end.nanoseconds
            func happens(_ chance: Double) -> Bool {
                isFaulty && chance > 0 && Double.random(in: 0..<1, using: &state.random) < chance
            }
            if happens(faults.breakChance) { return true }
            if happens(faults.dropChance) || (state.isLosingFrames && !isReliable) { return false }
            for _ in 0..<(happens(faults.duplicateChance) ? 2 : 1) {
                let delay = Int64.random(
                    in: faults.delay.lowerBound.nanoseconds...faults.delay.upperBound.nanoseconds, using: &state.random)
                var time = state.now.advanced(byNanoseconds: delay)
                if !(isFaulty && faults.isReordering) { time = Self.inOrder(event, client, time, &state) }
                Self.schedule(event, client: client, at: time, &state)
            }
            return false
        }
        if isBroken { breakConnection(of: client) }
    }

    /// Not before what was sent earlier in the same direction.
    private static func inOrder(
        _ event: Event, _ client: Int, _ time: MonotonicTime, _ state: inout State
    ) -> MonotonicTime {
        switch event {
        case .toServer, .subscription, .unsubscription:
            let time = max(time, state.clients[client].lastToServer)
            state.clients[client].lastToServer = time
            return time
        case .toClient, .publication, .connect, .wake:
            let time = max(time, state.clients[client].lastToClient)
            state.clients[client].lastToClient = time
            return time
        }
    }

    func deliver(_ scheduled: Scheduled) {
        if case .wake(let continuation) = scheduled.event {
            continuation.resume()
            return
        }
        let client = scheduled.client
        let (endpoint, server, isCurrent) = state.withLock { state in
            (
                state.clients[client].endpoint, state.server,
                state.clients[client].connection == scheduled.connection
            )
        }
        guard isCurrent, let server else { return }
        mix(scheduled)
        switch scheduled.event {
        case .toServer(let bytes): bytes.withUnsafeBytes { server.receive($0, from: scheduled.connection) }
        case .toClient(let bytes): bytes.withUnsafeBytes { bytes in endpoint.receiveReplies(on: 0) { $0(bytes) } }
        case .publication(let topic, let bytes):
            topic.withUnsafeBytes { topic in
                bytes.withUnsafeBytes { endpoint.receivePublication(topic: topic, $0, on: 0) }
            }
        case .subscription(let prefix):
            state.withLock { state in
                if !state.clients[client].served.contains(prefix) { state.clients[client].served.append(prefix) }
            }
            server.receiveSubscription(prefix)
        case .unsubscription(let prefix):
            state.withLock { state in state.clients[client].served.removeAll { $0 == prefix } }
        case .connect: connect(client, server)
        case .wake: break
        }
    }

    private func mix(_ scheduled: Scheduled) {
        state.withLock { state in
            var hash = state.trace ^ UInt64(bitPattern: scheduled.time.nanoseconds) ^ scheduled.connection
            switch scheduled.event {
            case .toServer(let bytes), .toClient(let bytes), .publication(_, let bytes):
                for byte in bytes.prefix(128) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            case .subscription, .unsubscription, .connect, .wake: break
            }
            state.trace = hash &* 0x100_0000_01B3 &+ scheduled.order
        }
    }

    // MARK: Connections

    private func connect(_ client: Int, _ server: ServerEndpoint) {
        let (endpoint, prefixes) = state.withLock { state in
            state.lastConnection += 1
            state.clients[client].connection = state.lastConnection
            state.clients[client].served = []
            return (state.clients[client].endpoint, state.clients[client].prefixes)
        }
        endpoint.publishLinkUp(0)
        endpoint.requestLinkUp(0)
        for prefix in prefixes { send(.subscription(prefix), client: client, isReliable: true) }
    }

    func breakConnection(of client: Int) {
        let endpoint = state.withLock { state -> ClientEndpoint? in
            guard state.clients[client].connection != 0 else { return nil }
            state.clients[client].connection = 0
            state.clients[client].served = []
            Self.scheduleConnect(client, &state)
            return state.clients[client].endpoint
        }
        endpoint?.requestLinkDown(0)
        endpoint?.publishLinkDown(0)
    }

    /// As libzmq: a tenth of a second later, with jitter.
    static func scheduleConnect(_ client: Int, _ state: inout State) {
        let wait = Int64.random(in: 1_000_000...200_000_000, using: &state.random)
        schedule(.connect, client: client, at: state.now.advanced(byNanoseconds: wait), &state)
    }
}
