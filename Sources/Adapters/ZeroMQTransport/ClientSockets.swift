internal import EnergyTransport
internal import ZeroMQ

/// The client's sockets, two per replica, on their loop's thread.
final class ClientSockets: SocketOwner {
    /// What each replica's number stands for; `nil` stands for nothing now.
    private struct Place {
        let replica: Replica
        /// `nil` where no address is known, or only a name that was not looked up yet.
        var request: ClientLink?
        var publish: ClientLink?
    }

    /// What is waited for, in the order in which the sockets are listed.
    private enum Role {
        case request(ClientLink, Int)
        case publish(ClientLink, Int)
    }

    private var places: [Place?]
    private var roles: [Role] = []
    private let found: FoundReplicas
    private let security: ClientSecurity?
    private let context: Context
    private let endpoint: ClientEndpoint
    private let part = Message()
    private let second = Message()
    private let rest = Message()
    private var outgoing = ClientEndpoint.Outgoing()

    /// - Parameter replicas: as the endpoint numbers them.
    init(
        _ replicas: [Replica], found: FoundReplicas, security: ClientSecurity?, endpoint: ClientEndpoint,
        context: Context
    ) throws(ZeroMQError) {
        places = try replicas.map { (replica) throws(ZeroMQError) in
            try Self.open(replica, security: security, context: context)
        }
        self.found = found
        self.security = security
        self.context = context
        self.endpoint = endpoint
        noteRoles()
    }

    var hasWork: Bool { endpoint.isChanged || found.isNews }

    func list(in sockets: inout PollSet) {
        for role in roles {
            switch role {
            case .request(let link, _):
                sockets.add(link.monitor)
                sockets.add(link.socket, forSending: link.isBlocked)
            case .publish(let link, _):
                sockets.add(link.monitor)
                sockets.add(link.socket)
            }
        }
    }

    func receive(_ sockets: borrowing PollSet) {
        // News of connections first: what was received before them belongs to the connection before.
        for (index, role) in roles.enumerated() {
            let (hasNews, hasArrived) = (sockets.isReady(2 * index), sockets.isReady(2 * index + 1))
            switch role {
            case .request(let link, let number):
                if hasNews { noteRequestConnection(link, number) }
                if hasArrived { receiveReplies(link, number) }
            case .publish(let link, let number):
                if hasNews { notePublishConnection(link, number) }
                if hasArrived { receivePublications(link, number) }
            }
        }
    }

    func send() -> Int64 {
        if let replicas = found.take() { replace(by: replicas) }
        var next = endpoint.tick().nanoseconds
        for case .request(let link, _) in roles { next = min(next, link.retryIfDue()) }
        for case .publish(let link, _) in roles { next = min(next, link.retryIfDue()) }
        sendOutgoing()
        return next
    }

    func stop() {
        endpoint.close()
        sendOutgoing()
    }

    // MARK: Replicas

    private static func open(
        _ replica: Replica, security: ClientSecurity?, context: Context
    ) throws(ZeroMQError) -> Place {
        func link(_ kind: Socket.Kind, _ address: String?) throws(ZeroMQError) -> ClientLink? {
            guard let address, ReplicaName(of: address) == nil else { return nil }
            return try ClientLink(kind, address, security: security, context: context)
        }
        return Place(
            replica: replica, request: try link(.dealer, replica.requestAddress),
            publish: try link(.sub, replica.publishAddress))
    }

    /// Those that stay keep their numbers and connections.
    private func replace(by replicas: [Replica]) {
        let stays = { (place: Place?) in place.map { replicas.contains($0.replica) } ?? false }
        var free = places.indices.filter { !stays(places[$0]) }[...]
        let known = Set(places.compactMap { $0?.replica })
        for replica in replicas where !known.contains(replica) {
            // What cannot be opened now, for want of sockets, is found again later.
            guard let place = try? Self.open(replica, security: security, context: context) else { continue }
            // In the place of one that is gone: at no moment is there none to ask.
            let number = free.popFirst() ?? places.count
            if number == places.count { places.append(place) } else { places[number] = place }
            for prefix in endpoint.relink(number, to: replica) { try? place.publish?.socket.subscribe(prefix) }
        }
        for number in free where places[number] != nil {
            places[number] = nil
            _ = endpoint.relink(number, to: nil)
        }
        noteRoles()
    }

    private func noteRoles() {
        roles = places.enumerated().flatMap { (number, place) in
            [place?.request.map { .request($0, number) }, place?.publish.map { .publish($0, number) }]
                .compactMap { $0 }
        }
    }

    // MARK: Connections

    private func noteRequestConnection(_ link: ClientLink, _ index: Int) {
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

    private func notePublishConnection(_ link: ClientLink, _ index: Int) {
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

    private func receiveReplies(_ link: ClientLink, _ index: Int) {
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

    private func receivePublications(_ link: ClientLink, _ index: Int) {
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
    private func dropRest(of link: ClientLink) {
        repeat {
            guard (try? link.socket.receive(rest)) == .done else { return }
        } while rest.hasMore
    }

    // MARK: Sending

    private func sendOutgoing() {
        endpoint.takeOutgoing(&outgoing)
        for case .request(let link, _) in roles where link.isBlocked { sendQueue(of: link) }
        for (number, frame) in outgoing.requests {
            guard let link = places[number]?.request else { continue }
            if link.isBlocked || !link.trySend(frame) { link.queue.append(frame) }
        }
        outgoing.requests.removeAll(keepingCapacity: true)
        for change in outgoing.subscriptions { apply(change) }
        outgoing.subscriptions.removeAll(keepingCapacity: true)
    }

    private func sendQueue(of link: ClientLink) {
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
            for case .publish(let link, _) in roles { try? link.socket.subscribe(prefix) }
        case .unsubscribe(let prefix):
            for case .publish(let link, _) in roles { try? link.socket.unsubscribe(prefix) }
        case .resubscribe(let prefix, let number):
            try? places[number]?.publish?.socket.unsubscribe(prefix)
            try? places[number]?.publish?.socket.subscribe(prefix)
        }
    }
}
