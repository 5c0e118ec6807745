extension ClientEngine {
    /// - Parameter bytes: lent for this call.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer, on link: Int, at now: MonotonicTime) {
        statistics.framesReceived += 1
        links[link].lastHeard = now
        links[link].isSilent = false
        guard case .frame(let header, let body) = Frame.parse(bytes) else {
            statistics.framesUnrecognised += 1
            return
        }
        switch header.kind {
        case .reply, .end: receiveTerminal(header, body, on: link, at: now)
        case .chunk: receiveChunk(header, body, on: link)
        case .pong: break
        case .goAway:
            links[link].isDraining = true
        case .request, .cancel, .credit, .ping, .publication, .head, .welcome, .unspecified:
            statistics.framesUnexpected += 1
        }
    }

    /// The call that a frame from a link answers, unless it is over or was sent again meanwhile.
    private func call(_ header: Header, on link: Int) -> (token: CallToken, call: Call)? {
        let (token, attempt) = Self.token(ofWireID: header.callID)
        guard let call = calls[token], call.attempt == attempt, case .inFlight(link) = call.phase else { return nil }
        return (token, call)
    }

    private mutating func receiveTerminal(
        _ header: Header, _ body: UnsafeRawBufferPointer, on link: Int, at now: MonotonicTime
    ) {
        guard let (token, call) = call(header, on: link) else {
            statistics.framesUnexpected += 1
            return
        }
        links[link].callCount -= 1
        let result: Result<[UInt8], CallFailure>
        if let failure = CallFailure(header) {
            if failure.isForAnother, hasReplicas, call.pinnedLink == nil {
                passOn(token, call, failure, from: link, at: now)
                dispatchWaiting(at: now)
                return
            }
            // What a stopping server refuses, it has not begun; another one, or its successor, may.
            if failure.code == .unavailable, links[link].isDraining, call.options.isIdempotent {
                retryOrFail(token, failure, at: now)
                dispatchWaiting(at: now)
                return
            }
            result = .failure(failure)
        } else if (header.kind == .end) != call.isStream {
            result = .failure(CallFailure(.internalError, "\(call.method) answers in another form than expected"))
        } else if call.isStream, let stream = streams[token], header.sequence != stream.nextSequence {
            result = .failure(CallFailure(.unavailable, "chunks of the stream were lost"))
        } else {
            result = .success(call.isStream ? [] : [UInt8](body))
        }
        if case .success = result { noteTaken(call, by: link) }
        finish(token, call, result)
        dispatchWaiting(at: now)
    }

    private mutating func receiveChunk(_ header: Header, _ body: UnsafeRawBufferPointer, on link: Int) {
        guard let (token, _) = call(header, on: link), let stream = streams[token] else {
            statistics.framesUnexpected += 1
            return
        }
        guard header.sequence >= stream.nextSequence else {
            statistics.framesUnexpected += 1
            return
        }
        guard header.sequence == stream.nextSequence else {
            abandon(token, CallFailure(.unavailable, "chunks of the stream were lost"))
            return
        }
        guard stream.credit > 0 else {
            abandon(token, CallFailure(.internalError, "the service sent more chunks than it was allowed"))
            return
        }
        streams[token]?.chunks.append([UInt8](body))
        streams[token]?.nextSequence += 1
        streams[token]?.credit -= 1
        actions.append(.streamReady(token))
    }

    /// What the next chunk of a stream is.
    package enum Taken: Equatable {
        case chunk([UInt8])
        /// ``Action/streamReady(_:)`` follows.
        case wait
        case end(Result<Void, CallFailure>)

        package static func == (lhs: Taken, rhs: Taken) -> Bool {
            switch (lhs, rhs) {
            case (.chunk(let left), .chunk(let right)): left == right
            case (.wait, .wait), (.end(.success), .end(.success)): true
            case (.end(.failure(let left)), .end(.failure(let right))): left == right
            default: false
            }
        }
    }

    /// Whether ``takeChunk(_:)`` would answer at once.
    package func hasNews(of token: CallToken) -> Bool {
        guard let stream = streams[token] else { return true }
        return stream.head < stream.chunks.count || stream.end != nil
    }

    /// Takes a chunk, or the end, after which the stream is forgotten and only ends; when half of the window is taken, the server may send as much again.
    package mutating func takeChunk(_ token: CallToken) -> Taken {
        guard let stream = streams[token] else { return .end(.success(())) }
        guard stream.head < stream.chunks.count else {
            guard let end = stream.end else { return .wait }
            streams[token] = nil
            return .end(end)
        }
        let chunk = stream.chunks[stream.head]
        streams[token]?.chunks[stream.head] = []
        streams[token]?.head += 1
        if stream.head + 1 == stream.chunks.count {
            streams[token]?.chunks.removeAll(keepingCapacity: true)
            streams[token]?.head = 0
        }
        let taken = stream.taken + 1
        guard let call = calls[token], case .inFlight(let link) = call.phase, taken * 2 >= limits.streamWindow else {
            streams[token]?.taken = taken
            return .chunk(chunk)
        }
        streams[token]?.taken = 0
        streams[token]?.credit += taken
        var header = Header(.credit, callID: wireID(token, call))
        header.credit = taken
        send(header, to: link)
        return .chunk(chunk)
    }

    /// The caller does not want the answer any more.
    package mutating func cancel(_ token: CallToken, at now: MonotonicTime) {
        abandon(token, .cancelledByCaller)
        // Whoever cancels does not take what is left.
        streams[token] = nil
        dispatchWaiting(at: now)
    }

    package mutating func cancelAll(_ failure: CallFailure) {
        for token in calls.keys.sorted() { abandon(token, failure) }
    }

    /// Ends a call from this side; the server is told if it has the call.
    mutating func abandon(_ token: CallToken, _ failure: CallFailure) {
        guard let call = calls[token] else { return }
        if case .inFlight(let link) = call.phase {
            links[link].callCount -= 1
            send(Header(.cancel, callID: wireID(token, call)), to: link)
        }
        finish(token, call, .failure(failure))
    }

    /// Ends a call that no link counts any more.
    mutating func end(_ token: CallToken, _ result: Result<[UInt8], CallFailure>) {
        guard let call = calls[token] else { return }
        finish(token, call, result)
    }

    private mutating func finish(_ token: CallToken, _ call: Call, _ result: Result<[UInt8], CallFailure>) {
        calls[token] = nil
        guard call.isStream else {
            actions.append(.finish(token, result))
            return
        }
        // The stream stays until the consumer has taken the chunks and the end.
        streams[token]?.end = result.map { _ in }
        actions.append(.streamReady(token))
    }
}
