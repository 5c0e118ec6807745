extension ServerEngine {
    /// What becomes of a chunk.
    package enum WriteOutcome: Equatable {
        case sent
        /// The caller has no room: ``Action/resumeWriter(_:_:)`` with the ticket follows.
        case waits
        case refused(CallFailure)
    }

    /// A handler writes a chunk of its stream.
    package mutating func write(_ chunk: [UInt8], to key: CallKey, ticket: UInt64) -> WriteOutcome {
        guard chunk.count <= Frame.bodyByteCountMax else {
            return .refused(CallFailure(.invalidArgument, "a chunk of \(chunk.count) bytes"))
        }
        guard let call = calls[key], !call.isAnswered else { return .refused(.callerGone) }
        guard call.credit > 0, call.waiting.isEmpty, unsent[key.peer] == nil,
            outgoingChunkByteCount < Self.outgoingChunkBytesMax
        else {
            calls[key]?.waiting.append((ticket, chunk))
            if outgoingChunkByteCount >= Self.outgoingChunkBytesMax { hold(key) }
            return .waits
        }
        sendChunk(chunk, of: key)
        return .sent
    }

    /// The handler's task was cancelled while it waited to write.
    package mutating func giveUpWriting(_ ticket: UInt64, to key: CallKey) {
        guard let index = calls[key]?.waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        calls[key]?.waiting.remove(at: index)
        actions.append(.resumeWriter(ticket, .failure(.callerGone)))
    }

    mutating func addCredit(_ credit: UInt32, to key: CallKey) {
        // Bounded by the caller: it is its own memory that it promises. Saturating all the same.
        guard let call = calls[key], call.isStream, !call.isAnswered else { return }
        calls[key]?.credit = call.credit &+ UInt64(credit)
        sendWaiting(of: key)
    }

    /// Sends what waits, as far as credit reaches and the peer reads.
    mutating func sendWaiting(of key: CallKey) {
        guard unsent[key.peer] == nil else { return }
        while let call = calls[key], call.credit > 0, let writer = call.waiting.first {
            guard outgoingChunkByteCount < Self.outgoingChunkBytesMax else { return hold(key) }
            calls[key]?.waiting.removeFirst()
            sendChunk(writer.chunk, of: key)
            actions.append(.resumeWriter(writer.ticket, .success(())))
        }
    }

    private mutating func sendChunk(_ chunk: [UInt8], of key: CallKey) {
        guard var call = calls[key] else { return }
        var header = Header(.chunk, callID: key.callID)
        header.sequence = call.chunkCount
        call.chunkCount &+= 1
        call.credit -= 1
        calls[key] = call
        outgoingChunkByteCount += chunk.count
        send(header, body: chunk, to: key.peer)
    }

    /// The handler has returned: the call is over in every respect.
    package mutating func finish(_ key: CallKey, _ result: Result<[UInt8], CallFailure>) {
        guard var call = calls.removeValue(forKey: key) else { return }
        answer(key, &call, result)
        if let index = peers.index(forKey: key.peer) {
            peers.values[index].callCount -= 1
            if call.isStream { peers.values[index].streamCount -= 1 }
            if peers.values[index].isGone, peers.values[index].callCount == 0 { peers.remove(at: index) }
        }
        if isDraining, calls.isEmpty { actions.append(.drained) }
    }

    mutating func cancel(_ key: CallKey) {
        guard let call = calls[key], !call.isAnswered else { return }
        statistics.callsCancelled += 1
        answer(key, .failure(CallFailure(.cancelled, "the caller cancelled the call")))
        actions.append(.cancelHandler(key))
    }

    private mutating func answer(_ key: CallKey, _ result: Result<[UInt8], CallFailure>) {
        guard var call = calls[key] else { return }
        answer(key, &call, result)
        calls[key] = call
    }

    /// Sends the one terminal frame of the call and releases its writers.
    private mutating func answer(_ key: CallKey, _ call: inout Call, _ result: Result<[UInt8], CallFailure>) {
        guard !call.isAnswered else { return }
        call.isAnswered = true
        for writer in call.waiting { actions.append(.resumeWriter(writer.ticket, .failure(.callerGone))) }
        call.waiting = []

        let kind: FrameKind = call.isStream ? .end : .reply
        switch result {
        case .success(let body) where body.count > Frame.bodyByteCountMax:
            let failure = CallFailure(.resourceExhausted, "a reply of \(body.count) bytes is too large to send")
            sendTerminal(Header(kind, callID: key.callID, failure: failure), to: key.peer)
        case .success(let body):
            var header = Header(kind, callID: key.callID)
            if call.isStream { header.sequence = call.chunkCount }
            sendTerminal(header, body: body, to: key.peer)
        case .failure(let failure):
            note(failure, of: peers[key.peer]?.principal)
            var header = Header(kind, callID: key.callID, failure: failure)
            if call.isStream { header.sequence = call.chunkCount }
            sendTerminal(header, to: key.peer)
        }
    }

    /// Ends what is over at `now`: calls past their deadline, peers that have not been heard within the lease.
    ///
    /// - Returns: when to come again.
    package mutating func tick(at now: MonotonicTime) -> MonotonicTime {
        guard now >= nextTimer else { return nextTimer }
        nextTimer = .distantFuture
        if isDraining, drainEnd <= now { endAllCalls() } else { wake(at: drainEnd) }
        var expired: [CallKey] = []
        for (key, call) in calls where !call.isAnswered {
            if call.deadline <= now { expired.append(key) } else { wake(at: call.deadline) }
        }
        for key in expired.sorted() {
            statistics.callsExpired += 1
            answer(key, .failure(.deadlineExceeded))
            actions.append(.cancelHandler(key))
        }
        var silent: [PeerID] = []
        for (id, peer) in peers where !peer.isGone {
            let end = peer.lastSeen.advanced(by: limits.lease)
            if end > now {
                wake(at: end)
            } else if end <= heardUntil {
                silent.append(id)
            } else {
                // What it has sent may not have been read.
                wake(at: now.advanced(by: limits.retryAfter))
            }
        }
        for id in silent.sorted() { dropPeer(id) }
        return nextTimer
    }

    /// The peer is gone: its calls end, their answers go nowhere. It keeps its count while handlers of it still run.
    package mutating func dropPeer(_ id: PeerID) {
        guard let peer = peers[id], !peer.isGone else { return }
        guard peer.callCount > 0 else {
            peers[id] = nil
            return
        }
        peers[id]?.isGone = true
        statistics.peersLost += 1
        for key in unansweredCalls() where key.peer == id {
            for writer in calls[key]?.waiting ?? [] {
                actions.append(.resumeWriter(writer.ticket, .failure(.callerGone)))
            }
            calls[key]?.waiting = []
            calls[key]?.isAnswered = true
            actions.append(.cancelHandler(key))
        }
    }

    /// Ends what is in flight for principals that are no more what they were when they called.
    package mutating func endCalls(unless isAsBefore: (Principal) -> Bool) {
        for key in unansweredCalls() {
            guard let peer = peers[key.peer], !isAsBefore(peer.principal) else { continue }
            let reason = "this key was revoked, or its permissions have changed"
            answer(key, .failure(CallFailure(.unauthenticated, reason)))
            actions.append(.cancelHandler(key))
        }
    }

    /// In one order, so that a simulation can be run again.
    private func unansweredCalls() -> [CallKey] { calls.filter { !$0.value.isAnswered }.keys.sorted() }

    /// From here on no call is begun; every known peer is told. What is in flight at `end` is answered `unavailable`.
    package mutating func beginDraining(until end: MonotonicTime) {
        drainEnd = min(drainEnd, end)
        wake(at: drainEnd)
        guard !isDraining else { return }
        isDraining = true
        for peer in peers.keys.sorted() { send(Header(.goAway), to: peer) }
        if calls.isEmpty { actions.append(.drained) }
    }

    /// Ends the calls that did not finish while draining.
    private mutating func endAllCalls() {
        for key in unansweredCalls() {
            answer(key, .failure(CallFailure(.unavailable, "the service is stopping", retryAfter: limits.retryAfter)))
            actions.append(.cancelHandler(key))
        }
        actions.append(.drained)
    }
}

extension CallFailure {
    static let callerGone = CallFailure(.cancelled, "the caller is gone or no longer wants the answer")
}
