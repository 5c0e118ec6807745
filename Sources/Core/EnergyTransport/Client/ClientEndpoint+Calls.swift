extension ClientEndpoint: RequestClient {
    package func call(
        _ method: String, _ body: [UInt8], options: CallOptions
    ) async throws(CallFailure) -> [UInt8] {
        // Begun and cancelled at once, it might still be answered in between.
        if Task.isCancelled { throw .cancelledByCaller }
        let token = state.withLock { $0.requests.makeToken() }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { (caller: Reply) in
                begin(token, method, body, options, caller)
            }
        } onCancel: {
            cancel(token)
        }
        return try result.get()
    }

    private func begin(
        _ token: ClientEngine.CallToken, _ method: String, _ body: [UInt8], _ options: CallOptions, _ caller: Reply
    ) {
        update { (state, now) in
            guard !state.isClosed else {
                state.effects.append(.reply(caller, .failure(.clientClosed)))
                return
            }
            state.callers[token] = caller
            state.requests.begin(token, method, body, options, at: now)
        }
        // Cancelled before there was something to cancel: the cancellation handler found nothing then.
        if Task.isCancelled { cancel(token) }
        wakeLoop()
    }

    private func cancel(_ token: ClientEngine.CallToken) {
        update { (state, now) in state.requests.cancel(token, at: now) }
        wakeLoop()
    }

    package func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        stream(method, body, options: options, on: nil)
    }

    /// - Parameter link: the only one that will do; `nil` for any.
    func stream(_ method: String, _ body: [UInt8], options: CallOptions, on link: Int?) -> ReplyStream {
        ReplyStream { [self] in
            let token = update { (state, now) in
                let token = state.requests.makeToken()
                state.requests.begin(token, method, body, options, isStream: true, on: link, at: now)
                if state.isClosed { state.requests.cancelAll(.clientClosed) }
                return token
            }
            wakeLoop()
            // The iterator's copies share it; when the last is dropped, so is the call.
            let open = Releaser { [self] in cancel(token) }
            return ReplyStream.AsyncIterator { [self] () async throws(CallFailure) in
                defer { withExtendedLifetime(open) {} }
                return try await nextChunk(token)
            }
        }
    }

    private func nextChunk(_ token: ClientEngine.CallToken) async throws(CallFailure) -> [UInt8]? {
        while true {
            if Task.isCancelled {
                cancel(token)
                throw .cancelledByCaller
            }
            switch update({ (state, _) in state.requests.takeChunk(token) }) {
            case .chunk(let chunk):
                wakeLoop()
                return chunk
            case .end(let result):
                try result.get()
                return nil
            case .wait:
                await wait(.reader(token)) { state in state.requests.hasNews(of: token) }
            }
        }
    }

    /// Waits until there is news for the waiter, or the task is cancelled.
    func wait(_ key: Waiter, unless isReady: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
                let resumed = state.withLock { state -> UnsafeContinuation<Void, Never>? in
                    if isReady(state) { return waiter }
                    // An iterator has one consumer; if a second one comes, the first looks again.
                    return state.waiters.updateValue(waiter, forKey: key)
                }
                resumed?.resume()
                if Task.isCancelled { release(key) }
            }
        } onCancel: {
            release(key)
        }
    }

    private func release(_ key: Waiter) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: key) }
        waiter?.resume()
    }
}

extension CallFailure {
    static let clientClosed = CallFailure(.unavailable, "the client is closed")
}
