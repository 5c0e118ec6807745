internal import EnergyTransport
internal import ZeroMQ

/// The server's ROUTER and XPUB, on their loop's thread.
final class ServerSockets: SocketOwner {
    private let requests: BoundSocket
    private let publications: BoundSocket
    private let endpoint: ServerEndpoint
    private let routingID = Message()
    private let part = Message()
    private let rest = Message()
    private var outgoing = ServerEndpoint.Outgoing()
    private var isServing = false
    private var replies: ReplySender
    private let onLoss: @Sendable (TransportLoss) -> Void

    init(
        requests: BoundSocket, publications: BoundSocket, endpoint: ServerEndpoint, limits: ServerLimits,
        onLoss: @escaping @Sendable (TransportLoss) -> Void
    ) {
        self.requests = requests
        self.publications = publications
        self.endpoint = endpoint
        self.onLoss = onLoss
        replies = ReplySender(limits: limits, endpoint: endpoint, onLoss: onLoss)
    }

    var hasWork: Bool { endpoint.isChanged }

    func list(in sockets: inout PollSet) {
        sockets.add(publications.socket)
        // Requests that come too early wait in their queue.
        isServing = isServing || endpoint.isServing
        if isServing { sockets.add(requests.socket) }
    }

    func receive(_ sockets: borrowing PollSet) {
        if sockets.isReady(0) { receiveSubscriptions() }
        if isServing, sockets.isReady(1) { receiveRequests() }
    }

    func send() -> Int64 {
        let next = endpoint.tick()
        sendOutgoing()
        return min(next.nanoseconds, replies.retry(through: requests.socket))
    }

    func stop() {
        endpoint.close()
        sendOutgoing()
        requests.release()
        publications.release()
    }

    // MARK: Receiving

    private func receiveRequests() {
        endpoint.receiveAll { (engine, invocations, now) in
            for _ in 0..<messagesPerTurnMax {
                guard (try? requests.socket.receive(routingID)) == .done else { return }
                if let invocation = receiveRequest(&engine, at: now) { invocations.append(invocation) }
            }
        }
    }

    /// Reads what follows the routing id: a frame, or a REQ client's empty delimiter and a frame. More parts than that
    /// are read and dropped.
    private func receiveRequest(_ engine: inout ServerEngine, at now: MonotonicTime) -> ServerEngine.Invocation? {
        guard routingID.hasMore, (try? requests.socket.receive(part)) == .done else { return nil }
        var peer = routingID.withBytes { Peer(routingID: $0) }
        if part.count == 0, part.hasMore, (try? requests.socket.receive(part)) == .done { peer?.hasDelimiter = true }
        let isTooLong = part.hasMore
        dropRest()
        guard let peer else {
            // Names that peers choose could be each other's.
            engine.statistics.framesUnrecognised += 1
            return nil
        }
        return part.withBytes { bytes in
            guard !isTooLong else {
                engine.receiveTooManyParts(bytes, from: peer.id)
                return nil
            }
            return engine.receive(bytes, from: peer.id, at: now)
        }
    }

    private func dropRest() {
        guard part.hasMore else { return }
        repeat {
            guard (try? requests.socket.receive(rest)) == .done else { return }
        } while rest.hasMore
    }

    private func receiveSubscriptions() {
        for _ in 0..<messagesPerTurnMax {
            guard (try? publications.socket.receive(part)) == .done else { return }
            part.withBytes { bytes in
                switch bytes.first {
                case 1:
                    guard let prefix = String(validating: bytes.dropFirst(), as: UTF8.self) else { return }
                    endpoint.receiveSubscription(prefix)
                case 0: endpoint.receiveUnsubscription()
                default: break  // no subscription
                }
            }
        }
    }

    // MARK: Sending

    private func sendOutgoing() {
        endpoint.takeOutgoing(&outgoing)
        guard !outgoing.isEmpty else { return }
        for (peer, frame) in outgoing.replies { replies.send(frame, to: peer, through: requests.socket) }
        replies.reportChanges()
        outgoing.replies.removeAll(keepingCapacity: true)
        for (topic, frame) in outgoing.publications { publish(topic, frame) }
        outgoing.publications.removeAll(keepingCapacity: true)
    }

    /// Every subscriber with room gets it. One without room misses it: that is counted here, and its gap tells it.
    private func publish(_ topic: String, _ frame: Frame) {
        guard !trySend(topic, frame) else { return }
        endpoint.count { $0.publicationsDropped += 1 }
        onLoss(TransportLoss(.publication, frameCount: 1))
        try? publications.socket.set(.xpubNoDrop, 0)
        _ = trySend(topic, frame)
        try? publications.socket.set(.xpubNoDrop, 1)
    }

    private func trySend(_ topic: String, _ frame: Frame) -> Bool {
        let first = try? publications.socket.send(byteCount: topic.utf8.count, more: true) {
            $0.copyBytes(from: topic.utf8)
        }
        guard first == .done else { return false }
        frame.encode { (byteCount, write) in _ = try? publications.socket.send(byteCount: byteCount) { write($0) } }
        return true
    }
}
