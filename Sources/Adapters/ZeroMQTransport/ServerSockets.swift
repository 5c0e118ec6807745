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
    private var parked = ParkedReplies()

    init(requests: BoundSocket, publications: BoundSocket, endpoint: ServerEndpoint) {
        self.requests = requests
        self.publications = publications
        self.endpoint = endpoint
    }

    var hasWork: Bool { endpoint.isChanged }

    func list(in sockets: inout PollSet) {
        sockets.add(publications.socket)
        // Requests that come too early wait in their queue.
        isServing = isServing || endpoint.isServing
        if isServing { sockets.add(requests.socket) }
    }

    func turn(_ sockets: borrowing PollSet) -> Int64 {
        if sockets.isReady(0) { receiveSubscriptions() }
        if isServing, sockets.isReady(1) { receiveRequests() }
        let next = endpoint.tick()
        sendOutgoing()
        return min(next.nanoseconds, retryParked())
    }

    func stop() {
        endpoint.close()
        sendOutgoing()
        requests.release()
        publications.release()
    }

    // MARK: Receiving

    private func receiveRequests() {
        for _ in 0..<messagesPerTurnMax {
            guard (try? requests.socket.receive(routingID)) == .done else { return }
            receiveRequest()
        }
    }

    /// Reads what follows the routing id: a frame, or a REQ client's empty delimiter and a frame. More parts than that
    /// are read and dropped.
    private func receiveRequest() {
        guard routingID.hasMore, (try? requests.socket.receive(part)) == .done else { return }
        var peer = routingID.withBytes { Peer(routingID: $0) }
        if part.count == 0, part.hasMore, (try? requests.socket.receive(part)) == .done { peer?.hasDelimiter = true }
        let isTooLong = part.hasMore
        dropRest()
        guard let peer else {
            // Names that peers choose could be each other's.
            endpoint.count { $0.framesUnrecognised += 1 }
            return
        }
        part.withBytes { bytes in
            if isTooLong {
                endpoint.receiveTooManyParts(bytes, from: peer.id)
            } else {
                endpoint.receive(bytes, from: peer.id)
            }
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
            let prefix = part.withBytes { bytes -> String? in
                // 1 subscribes, 0 unsubscribes; anything else is no subscription.
                guard bytes.first == 1 else { return nil }
                return String(validating: bytes.dropFirst(), as: UTF8.self)
            }
            if let prefix { endpoint.receiveSubscription(prefix) }
        }
    }

    // MARK: Sending

    private func sendOutgoing() {
        endpoint.takeOutgoing(&outgoing)
        guard !outgoing.isEmpty else { return }
        for (peer, frame) in outgoing.replies { send(frame, to: Peer(id: peer)) }
        outgoing.replies.removeAll(keepingCapacity: true)
        for (topic, frame) in outgoing.publications { publish(topic, frame) }
        outgoing.publications.removeAll(keepingCapacity: true)
    }

    private func send(_ frame: Frame, to peer: Peer) {
        // Behind what waits already: the order of a peer's frames is kept.
        let transfer = parked.isWaiting(peer.id) ? .wouldBlock : trySend(frame, to: peer)
        switch transfer {
        case .done: break
        case .wouldBlock:
            if parked.park(frame, for: peer.id, at: monotonicNanoseconds()) {
                endpoint.count { $0.framesParked += 1 }
            } else {
                giveUp(peer, frameCount: 1)
            }
        case .unreachable: giveUp(peer, frameCount: 1)
        }
    }

    private func giveUp(_ peer: Peer, frameCount: Int) {
        let dropped = UInt64(frameCount + parked.drop(peer.id))
        endpoint.count { $0.framesUndeliverable += dropped }
        endpoint.dropPeer(peer.id)
    }

    /// Once ROUTER has taken the routing id, the peer has room for the rest.
    private func trySend(_ frame: Frame, to peer: Peer) -> Transfer {
        let first = (try? requests.socket.send(byteCount: Peer.routingIDByteCount, more: true) { peer.write(to: $0) })
        guard first == .done else { return first ?? .unreachable }
        if peer.hasDelimiter { _ = try? requests.socket.send(byteCount: 0, more: true) { _ in } }
        frame.encode { (byteCount, write) in _ = try? requests.socket.send(byteCount: byteCount) { write($0) } }
        return .done
    }

    /// - Returns: when to try again.
    private func retryParked() -> Int64 {
        guard !parked.isEmpty else { return .max }
        let now = monotonicNanoseconds()
        for id in parked.due(at: now) {
            let peer = Peer(id: id)
            while let frame = parked.first(of: id) {
                let transfer = trySend(frame, to: peer)
                if transfer == .done {
                    parked.removeFirst(of: id)
                    continue
                }
                if transfer == .unreachable || parked.isHopeless(id, at: now) { giveUp(peer, frameCount: 0) }
                break
            }
        }
        return parked.nextTry(after: now)
    }

    /// Every subscriber with room gets it. One without room misses it: that is counted here, and its gap tells it.
    private func publish(_ topic: String, _ frame: Frame) {
        guard !trySend(topic, frame) else { return }
        endpoint.count { $0.publicationsDropped += 1 }
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
