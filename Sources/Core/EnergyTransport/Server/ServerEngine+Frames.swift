extension ServerEngine {
    /// - Parameter bytes: lent for this call.
    /// - Returns: the handler to start, if the frame is a request that is served.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer, from peer: PeerID, of principal: Principal = .local, at now: MonotonicTime
    ) -> Invocation? {
        statistics.framesReceived += 1
        guard !departed.contains(peer) else {
            statistics.framesUnexpected += 1
            return nil
        }
        switch Frame.parse(bytes, likelyMethod: lastMethod?.name ?? "") {
        case .frame(let header, let body):
            return receive(header, body, from: peer, of: principal, at: now)
        case .badHeader(let callID):
            noteMalformed()
            refuse(callID, of: peer, CallFailure(.invalidArgument, "the frame's header does not parse"))
        case .otherVersion(let version, let callID):
            refuse(
                callID, of: peer,
                CallFailure(.unimplemented, "frames of version \(version): this server speaks \(Frame.majorVersion)"))
        case .notAFrame:
            noteMalformed()
            statistics.framesUnrecognised += 1
        }
        return nil
    }

    /// A message with more parts than a frame has.
    package mutating func receiveTooManyParts(_ first: UnsafeRawBufferPointer, from peer: PeerID) {
        statistics.framesReceived += 1
        statistics.framesUnrecognised += 1
        noteMalformed()
        guard case .frame(let header, _) = Frame.parse(first), header.kind == .request else { return }
        refuse(header.callID, of: peer, CallFailure(.invalidArgument, "the message has more parts than one frame"))
    }

    /// A message of somebody who was let in once and is no longer.
    package mutating func receiveUnadmitted(_ bytes: UnsafeRawBufferPointer, from peer: PeerID) {
        statistics.framesReceived += 1
        guard case .frame(let header, _) = Frame.parse(bytes), header.kind == .request else { return }
        refuse(header.callID, of: peer, CallFailure(.unauthenticated, "this key is no longer admitted"))
    }

    private mutating func receive(
        _ header: Header, _ body: UnsafeRawBufferPointer, from peer: PeerID, of principal: Principal,
        at now: MonotonicTime
    ) -> Invocation? {
        switch header.kind {
        case .request:
            return receiveRequest(header, body, from: peer, of: principal, at: now)
        case .cancel:
            noteSeen(peer, at: now)
            cancel(CallKey(peer: peer, callID: header.callID))
        case .credit:
            noteSeen(peer, at: now)
            addCredit(header.credit, to: CallKey(peer: peer, callID: header.callID))
        case .ping:
            noteSeen(peer, at: now)
            send(Header(.pong, callID: header.callID), to: peer)
        case .unspecified:
            refuse(header.callID, of: peer, CallFailure(.invalidArgument, "a frame of no known kind"))
        case .reply, .chunk, .end, .pong, .goAway, .publication, .head, .welcome:
            // Never answered: two servers must not talk to each other without end.
            statistics.framesUnexpected += 1
        }
        return nil
    }

    private mutating func receiveRequest(
        _ header: Header, _ body: UnsafeRawBufferPointer, from peer: PeerID, of principal: Principal,
        at now: MonotonicTime
    ) -> Invocation? {
        let key = CallKey(peer: peer, callID: header.callID)
        guard calls[key] == nil else {
            // The same request once more: the first one is answered.
            statistics.callsDuplicate += 1
            noteSeen(peer, at: now)
            return nil
        }
        let entry: MethodTable.Entry
        switch admit(header, bodyByteCount: body.count, as: key, at: now) {
        case .success(let admitted): entry = admitted
        case .failure(let failure):
            noteSeen(peer, at: now)
            note(failure, of: principal)
            refuse(header.callID, of: peer, failure)
            return nil
        }
        let isStream = entry.isStream
        let allowed = (isStream ? limits.streamTimeoutMax : limits.unaryTimeoutMax).nanoseconds
        let asked = Int64(clamping: header.timeoutMicroseconds).multipliedReportingOverflow(by: 1_000)
        let timeout =
            header.timeoutMicroseconds == 0 || asked.overflow ? allowed : min(asked.partialValue, allowed)
        let deadline = now.advanced(byNanoseconds: timeout)

        noteCall(of: peer, principal, isStream: isStream, at: now)
        calls[key] = Call(isStream: isStream, deadline: deadline, credit: UInt64(header.credit))
        wake(at: min(deadline, now.advanced(by: limits.lease)))
        statistics.callsStarted += 1
        return Invocation(
            key: key, handler: entry.handler, body: [UInt8](body),
            context: RequestContext(
                principal: principal, timeout: .nanoseconds(timeout), idempotencyKey: header.idempotencyKey,
                attempt: Int(header.attempt), traceID: header.traceID))
    }

    private mutating func entry(of method: String) -> MethodTable.Entry? {
        // The same storage, usually: compared at once.
        if let lastMethod, lastMethod.name == method { return lastMethod.entry }
        guard let entry = methods.entries[method] else { return nil }
        lastMethod = (method, entry)
        return entry
    }

    private mutating func admit(
        _ header: Header, bodyByteCount: Int, as key: CallKey, at now: MonotonicTime
    ) -> Result<MethodTable.Entry, CallFailure> {
        func refusal(_ code: StatusCode, _ message: String, wait: Bool = false) -> Result<
            MethodTable.Entry, CallFailure
        > {
            .failure(CallFailure(code, message, retryAfter: wait ? limits.retryAfter : nil))
        }
        guard !isDraining else { return .failure(.stopping(retryAfter: limits.retryAfter)) }
        guard let entry = entry(of: header.method) else {
            return refusal(.unimplemented, "no method \(header.method.prefix(utf8: Header.methodByteCountMax))")
        }
        guard bodyByteCount <= entry.bodyBytesMax else {
            return refusal(
                .resourceExhausted,
                "a body of \(bodyByteCount) bytes; \(header.method) takes \(entry.bodyBytesMax)")
        }
        let unsentCount = unsent.isEmpty ? 0 : unsent[key.peer] ?? 0
        guard unsentCount < limits.callsPerPeerMax else {
            return refusal(.resourceExhausted, "replies are not being read", wait: true)
        }
        guard let peer = peers[key.peer] else {
            guard peers.count < limits.peersMax else {
                return refusal(.resourceExhausted, "\(limits.peersMax) callers are connected", wait: true)
            }
            return .success(entry)
        }
        guard peer.callCount + unsentCount < limits.callsPerPeerMax else {
            return refusal(.resourceExhausted, "\(limits.callsPerPeerMax) calls are in flight", wait: true)
        }
        guard !entry.isStream || peer.streamCount < limits.streamsPerPeerMax else {
            return refusal(.resourceExhausted, "\(limits.streamsPerPeerMax) streams are open", wait: true)
        }
        return .success(entry)
    }

    private mutating func refuse(_ callID: UInt64, of peer: PeerID, _ failure: CallFailure) {
        statistics.callsRefused += 1
        sendTerminal(Header(.reply, callID: callID, failure: failure), to: peer)
    }

    private mutating func noteSeen(_ id: PeerID, at now: MonotonicTime) {
        guard let index = peers.index(forKey: id) else { return }
        peers.values[index].lastSeen = now
        if peers.values[index].isGone {
            peers.values[index].isGone = false
            wake(at: now.advanced(by: limits.lease))
        }
    }

    private mutating func noteCall(of id: PeerID, _ principal: Principal, isStream: Bool, at now: MonotonicTime) {
        func note(_ peer: inout Peer) {
            peer.principal = principal
            peer.lastSeen = now
            peer.isGone = false
            peer.callCount += 1
            if isStream { peer.streamCount += 1 }
        }
        note(&peers[id, default: Peer(principal: principal, lastSeen: now)])
    }
}

extension MethodTable.Entry {
    var isStream: Bool {
        switch handler {
        case .unary: false
        case .streaming: true
        }
    }
}
