internal import EnergyTransport
internal import ZeroMQ

/// The server's ROUTER and XPUB, on their loop's thread.
final class ServerSockets: SocketOwner {
    /// Told in one turn.
    private static let refusalsMax = 100

    private let context: Context
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
    private var visitorIndices: [Int] = []
    private var replies: ReplySender
    private var subscriptions = SubscriptionAccount()
    /// To be told when no lock is held; what is beyond the most is only counted.
    private var refusals: [Refusal] = []
    private let onRefusal: @Sendable (Refusal) -> Void
    private let onLoss: @Sendable (TransportLoss) -> Void

    init(
        context: Context, requests: BoundSocket, publications: BoundSocket, doorkeeper: Doorkeeper?,
        endpoint: ServerEndpoint,
        limits: ServerLimits, onRefusal: @escaping @Sendable (Refusal) -> Void,
        onLoss: @escaping @Sendable (TransportLoss) -> Void
    ) {
        self.context = context
        self.requests = requests
        self.onRefusal = onRefusal
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
        visitorIndices =
            doorkeeper == nil ? [] : [sockets.add(requests.monitor), sockets.add(publications.monitor)]
    }

    func receive(_ sockets: borrowing PollSet) {
        if let doorkeeperIndex, sockets.isReady(doorkeeperIndex) { answerKnocks() }
        if sockets.isReady(0) { receiveSubscriptions() }
        if let requestIndex { receiveRequests(isReady: sockets.isReady(requestIndex)) }
        if visitorIndices.contains(where: { sockets.isReady($0) }) { noteVisitors() }
        for refusal in refusals { onRefusal(refusal) }
        refusals.removeAll(keepingCapacity: true)
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
        if doorkeeper.takeOutdatedSubscribers() { bindPublicationsAnew(by: doorkeeper) }
    }

    /// The only way to close a connection is to close its socket. The others connect again, and fetch what they miss.
    private func bindPublicationsAnew(by doorkeeper: Doorkeeper?) {
        _ = subscriptions.clear()
        publications.release()
        do throws(CallFailure) {
            let address = publications.address
            publications =
                if let doorkeeper {
                    try doorkeeper.bindPublications(address)
                } else {
                    try BoundSocket(.xpub, address, context: context, set: SocketSettings.applyPublisher)
                }
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

    /// Handshakes that came to no good end, which the doorkeeper was never asked about.
    private func noteVisitors() {
        let failed = requests.takeFailedHandshakes() + publications.takeFailedHandshakes()
        guard !failed.isEmpty else { return }
        endpoint.count { $0.handshakesFailed += UInt64(failed.count) }
        for address in failed { note(Refusal(.handshake, address: address)) }
    }

    private func note(_ refusal: Refusal) {
        guard refusals.count < Self.refusalsMax else { return }
        refusals.append(refusal)
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
            if doorkeeper != nil { note(.chosenName) }
            return nil
        }
        guard let principal = doorkeeper.map({ $0.sender(of: part) }) ?? .local else {
            part.withBytes { engine.receiveUnadmitted($0, from: peer.id) }
            note(.revoked)
            return nil
        }
        let malformedCount = engine.malformedCount
        defer { if engine.malformedCount != malformedCount { note(.malformed, of: principal) } }
        return part.withBytes { bytes in
            guard !isTooLong else {
                engine.receiveTooManyParts(bytes, from: peer.id)
                return nil
            }
            return engine.receive(bytes, from: peer.id, of: principal, at: now)
        }
    }

    /// Of the message's last part.
    private func note(_ reason: Refusal.Reason, of principal: Principal? = nil) {
        let address = part.senderAddress ?? Visitors.unknown
        note(Refusal(reason, address: address, key: part.senderName, name: principal?.name))
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
            let isTooMuch = part.withBytes { bytes in
                switch bytes.first {
                case 1:
                    if let prefix = String(validating: bytes.dropFirst(), as: UTF8.self) {
                        endpoint.receiveSubscription(prefix)
                    }
                    return subscriptions.add(prefixByteCount: bytes.count, of: part.senderName)
                case 0:
                    endpoint.receiveUnsubscription()
                    subscriptions.remove(prefixByteCount: bytes.count)
                default: break  // no subscription
                }
                return false
            }
            if isTooMuch { return showOutSubscribers() }
        }
    }

    /// Somebody has subscribed to more than there is room for. Whoever sent most of it has to stay away for a while.
    private func showOutSubscribers() {
        let key = subscriptions.clear()
        if let key { doorkeeper?.bar(key) }
        note(
            Refusal(
                .tooManySubscriptions, address: part.senderAddress ?? Visitors.unknown, key: key,
                name: key.flatMap { doorkeeper?.name(ofKey: $0) }))
        bindPublicationsAnew(by: doorkeeper)
    }

    // MARK: Sending

    private func sendOutgoing() {
        endpoint.takeOutgoing(&outgoing)
        for caller in outgoing.refused { onRefusal(Refusal(Refusal.Reason(caller.reason), name: caller.name)) }
        outgoing.refused.removeAll(keepingCapacity: true)
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
