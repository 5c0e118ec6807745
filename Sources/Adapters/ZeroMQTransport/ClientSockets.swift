internal import EnergyTransport
internal import ZeroMQ

/// The client's sockets, one per address, on their loop's thread.
final class ClientSockets: SocketOwner {
    /// One address: its socket, and the socket that tells whether it is connected.
    final class Link {
        let socket: Socket
        let monitor: SocketMonitor
        /// What is still to be sent, oldest first, from `head` on.
        var queue: [Frame] = []
        var head = 0
        var isBlocked: Bool { head < queue.count }
        /// When to try again where the other side did not let us in: its list of clients may have changed.
        var retryTime = Int64.max
        private let address: String
        private static let retryNanoseconds: Int64 = 1_000_000_000
        private static let nextKeyNanoseconds: Int64 = 20_000_000
        private let security: ClientSecurity?
        /// Those that the service was last said to have, and the one that was shown.
        private var serverKeys: [CurveKey]
        private var keyIndex = 0
        /// One of them was the other side's: it has heard ours.
        private var isHeard = false

        init(
            _ kind: Socket.Kind, _ address: String, security: ClientSecurity?, context: Context
        ) throws(ZeroMQError) {
            let socket = try Socket(kind, context: context)
            self.security = security
            serverKeys = security?.serverKeys() ?? []
            if let security, let first = serverKeys.first { try socket.present(security.keys, to: first) }
            if kind == .sub {
                try SocketSettings.applySubscriber(to: socket)
            } else {
                try SocketSettings.applyDealer(to: socket)
            }
            monitor = try SocketMonitor(.connection, of: socket, context: context)
            try socket.connect(address)
            self.socket = socket
            self.address = address
        }

        deinit { socket.stopMonitoring() }

        /// - Parameter isHeard: the other side has heard our key, and does not let it in.
        /// - Returns: why, once all keys that the service may have were tried.
        func noteRefused(isHeard: Bool) -> LinkRefusal? {
            // libzmq tries again by itself where the other side hung up: with the same key.
            guard retryTime == .max else { return nil }
            self.isHeard = self.isHeard || isHeard
            keyIndex += 1
            if keyIndex >= serverKeys.count {
                keyIndex = 0
                serverKeys = security?.serverKeys() ?? []
            }
            let isLast = keyIndex == 0
            retryTime = monotonicNanoseconds() + (isLast ? Self.retryNanoseconds : Self.nextKeyNanoseconds)
            guard isLast else { return nil }
            defer { self.isHeard = false }
            return security == nil ? .noKeys : self.isHeard ? .unknownKey : .otherService
        }

        func retryIfDue() {
            guard retryTime != .max, retryTime <= monotonicNanoseconds() else { return }
            retryTime = .max
            if let security, keyIndex < serverKeys.count {
                try? socket.present(security.keys, to: serverKeys[keyIndex])
            }
            try? socket.reconnect(address)
        }

        /// - Returns: `false` when there is no room.
        func trySend(_ frame: Frame) -> Bool {
            var isSent = false
            frame.encode { (byteCount, write) in
                isSent = (try? socket.send(byteCount: byteCount) { write($0) }) == .done
            }
            return isSent
        }
    }

    private let requestLinks: [Link]
    private let publishLinks: [Link]
    /// Both.
    private let links: [Link]
    private let endpoint: ClientEndpoint
    private let part = Message()
    private let second = Message()
    private let rest = Message()
    private var outgoing = ClientEndpoint.Outgoing()

    init(
        requestAddresses: [String], publishAddresses: [String], security: ClientSecurity?, endpoint: ClientEndpoint,
        context: Context
    ) throws(ZeroMQError) {
        requestLinks = try requestAddresses.map { (address) throws(ZeroMQError) in
            try Link(.dealer, address, security: security, context: context)
        }
        publishLinks = try publishAddresses.map { (address) throws(ZeroMQError) in
            try Link(.sub, address, security: security, context: context)
        }
        links = requestLinks + publishLinks
        self.endpoint = endpoint
    }

    var hasWork: Bool { endpoint.isChanged }

    func list(in sockets: inout PollSet) {
        for link in requestLinks {
            sockets.add(link.monitor)
            sockets.add(link.socket, forSending: link.isBlocked)
        }
        for link in publishLinks {
            sockets.add(link.monitor)
            sockets.add(link.socket)
        }
    }

    func receive(_ sockets: borrowing PollSet) {
        // News of connections first: what was received before them belongs to the connection before.
        for (index, link) in requestLinks.enumerated() {
            if sockets.isReady(2 * index) { noteRequestConnection(link, index) }
            if sockets.isReady(2 * index + 1) { receiveReplies(link, index) }
        }
        let first = 2 * requestLinks.count
        for (index, link) in publishLinks.enumerated() {
            if sockets.isReady(first + 2 * index) { notePublishConnection(link, index) }
            if sockets.isReady(first + 2 * index + 1) { receivePublications(link, index) }
        }
    }

    func send() -> Int64 {
        var next = endpoint.tick().nanoseconds
        for link in links {
            link.retryIfDue()
            next = min(next, link.retryTime)
        }
        sendOutgoing()
        return next
    }

    func stop() {
        endpoint.close()
        sendOutgoing()
    }

    // MARK: Connections

    private func noteRequestConnection(_ link: Link, _ index: Int) {
        while let event = try? link.monitor.next() {
            switch event {
            case .connected: endpoint.requestLinkUp(index)
            case .refused, .notAdmitted:
                if let refusal = link.noteRefused(isHeard: event == .notAdmitted) {
                    endpoint.requestLinkRefused(index, refusal)
                }
            case .disconnected:
                // Written for the connection that broke.
                link.queue.removeAll()
                link.head = 0
                endpoint.requestLinkDown(index)
            case .closed, .accepted, .ended: break
            }
        }
    }

    private func notePublishConnection(_ link: Link, _ index: Int) {
        while let event = try? link.monitor.next() {
            switch event {
            case .connected: endpoint.publishLinkUp(index)
            case .disconnected: endpoint.publishLinkDown(index)
            case .refused, .notAdmitted:
                if link.noteRefused(isHeard: event == .notAdmitted) != nil { endpoint.publishLinkRefused(index) }
            case .closed, .accepted, .ended: break
            }
        }
    }

    // MARK: Receiving

    private func receiveReplies(_ link: Link, _ index: Int) {
        endpoint.receiveReplies { (engine, now) in
            for _ in 0..<messagesPerTurnMax {
                guard (try? link.socket.receive(part)) == .done else { return }
                guard !part.hasMore else {
                    engine.statistics.framesUnrecognised += 1
                    dropRest(of: link)
                    continue
                }
                part.withBytes { engine.receive($0, on: index, at: now) }
            }
        }
    }

    private func receivePublications(_ link: Link, _ index: Int) {
        for _ in 0..<messagesPerTurnMax {
            guard (try? link.socket.receive(part)) == .done else { return }
            guard part.hasMore, (try? link.socket.receive(second)) == .done else {
                endpoint.count { $0.framesUnrecognised += 1 }
                continue
            }
            guard !second.hasMore else {
                endpoint.count { $0.framesUnrecognised += 1 }
                dropRest(of: link)
                continue
            }
            part.withBytes { topic in
                second.withBytes { endpoint.receivePublication(topic: topic, $0, on: index) }
            }
        }
    }

    /// A message with more parts than a frame has.
    private func dropRest(of link: Link) {
        repeat {
            guard (try? link.socket.receive(rest)) == .done else { return }
        } while rest.hasMore
    }

    // MARK: Sending

    private func sendOutgoing() {
        endpoint.takeOutgoing(&outgoing)
        for link in requestLinks where link.isBlocked { sendQueue(of: link) }
        for (index, frame) in outgoing.requests {
            let link = requestLinks[index]
            if link.isBlocked || !link.trySend(frame) { link.queue.append(frame) }
        }
        outgoing.requests.removeAll(keepingCapacity: true)
        for change in outgoing.subscriptions { apply(change) }
        outgoing.subscriptions.removeAll(keepingCapacity: true)
    }

    private func sendQueue(of link: Link) {
        while link.head < link.queue.count {
            guard link.trySend(link.queue[link.head]) else { return }
            link.head += 1
        }
        link.queue.removeAll(keepingCapacity: true)
        link.head = 0
    }

    private func apply(_ change: ClientEndpoint.SubscriptionChange) {
        switch change {
        case .subscribe(let prefix):
            for link in publishLinks { try? link.socket.subscribe(prefix) }
        case .unsubscribe(let prefix):
            for link in publishLinks { try? link.socket.unsubscribe(prefix) }
        case .resubscribe(let prefix, let index):
            try? publishLinks[index].socket.unsubscribe(prefix)
            try? publishLinks[index].socket.subscribe(prefix)
        }
    }
}
