internal import EnergyTransport
internal import ZeroMQ

/// The server's ROUTER and XPUB, on their loop's thread.
final class ServerSockets: SocketOwner {
    private let requests: BoundSocket
    private var publications: BoundSocket
    /// `nil` where no keys are demanded.
    private let doorkeeper: Doorkeeper?
    private let endpoint: ServerEndpoint
    private let routingID = Message()
    private let part = Message()
    private let rest = Message()
    private var outgoing = ServerEndpoint.Outgoing()
    private var isServing = false
    private var doorkeeperIndex: Int?
    private var requestIndex: Int?
    private var replies: ReplySender
    private let onLoss: @Sendable (TransportLoss) -> Void

    init(
        requests: BoundSocket, publications: BoundSocket, doorkeeper: Doorkeeper?, endpoint: ServerEndpoint,
        limits: ServerLimits, onLoss: @escaping @Sendable (TransportLoss) -> Void
    ) {
        self.requests = requests
        self.doorkeeper = doorkeeper
        self.publications = publications
        self.endpoint = endpoint
        self.onLoss = onLoss
        replies = ReplySender(limits: limits, endpoint: endpoint, onLoss: onLoss)
    }

    var hasWork: Bool { endpoint.isChanged || doorkeeper?.hasNews == true }

    func list(in sockets: inout PollSet) {
        sockets.add(publications.socket)
        doorkeeperIndex = doorkeeper.map { sockets.add($0.socket) }
        // Requests that come too early wait in their queue.
        isServing = isServing || endpoint.isServing
        requestIndex = isServing ? sockets.add(requests.socket) : nil
    }

    func receive(_ sockets: borrowing PollSet) {
        if let doorkeeperIndex, sockets.isReady(doorkeeperIndex) { answerKnocks() }
        if sockets.isReady(0) { receiveSubscriptions() }
        if let requestIndex { receiveRequests(isReady: sockets.isReady(requestIndex)) }
    }

    func send() -> Int64 {
        if let doorkeeper, doorkeeper.takeNews() { showOut(by: doorkeeper) }
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

    /// Who may call has changed.
    private func showOut(by doorkeeper: Doorkeeper) {
        endpoint.endCalls { doorkeeper.isCurrent($0) }
        guard doorkeeper.takeOutdatedSubscribers() else { return }
        // The only way to close a connection is to close its socket. The others connect again, and fetch what they miss.
        publications.release()
        do throws(CallFailure) {
            publications = try doorkeeper.bindPublications(publications.address)
            endpoint.forgetSubscriptions()
        } catch {
            // Somebody took the address in between. Better no publications than some for a revoked key.
            onLoss(TransportLoss(.publication, frameCount: 0))
        }
    }

    // MARK: Receiving

    private func answerKnocks() {
        guard let refusedCount = doorkeeper?.answer(), refusedCount > 0 else { return }
        endpoint.count { $0.connectionsRefused += UInt64(refusedCount) }
    }

    /// ROUTER takes one message of each peer in turn, so that who sends much does not keep us from hearing who sends little.
    private func receiveRequests(isReady: Bool) {
        endpoint.receiveTurn { (engine, waiting, now) in
            guard isReady else { return true }
            var byteCount = 0
            for _ in 0..<messagesPerTurnMax {
                guard waiting.hasRoom, byteCount < bytesPerTurnMax else { return false }
                guard (try? requests.socket.receive(routingID)) == .done else { return true }
                if let invocation = receiveRequest(&engine, at: now) { waiting.append(invocation) }
                byteCount += part.count
            }
            return false
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
        guard let principal = doorkeeper.map({ $0.sender(of: part) }) ?? .local else {
            part.withBytes { engine.receiveUnadmitted($0, from: peer.id) }
            return nil
        }
        return part.withBytes { bytes in
            guard !isTooLong else {
                engine.receiveTooManyParts(bytes, from: peer.id)
                return nil
            }
            return engine.receive(bytes, from: peer.id, of: principal, at: now)
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
