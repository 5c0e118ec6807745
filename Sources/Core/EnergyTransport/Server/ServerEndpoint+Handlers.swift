extension ServerEndpoint {
    func start(_ invocation: ServerEngine.Invocation) {
        let key = invocation.key
        // A preference costs even when it is none.
        let task =
            if let handlerExecutor {
                Task.immediate(executorPreference: handlerExecutor) { await self.run(invocation) }
            } else {
                Task.immediate { await self.run(invocation) }
            }
        let isCancelled = state.withLock { state in
            guard state.requests.callCount > 0, state.requests.calls[key] != nil else { return false }
            state.handlers[key] = task
            return state.cancelledEarly.remove(key) != nil
        }
        if isCancelled { task.cancel() }
    }

    private func run(_ invocation: ServerEngine.Invocation) async {
        let key = invocation.key
        do throws(CallFailure) {
            switch invocation.handler {
            case .unary(let answer):
                finish(key, .success(try await answer(invocation.body, invocation.context)))
            case .streaming(let answer):
                let writer = EndpointReplyWriter(endpoint: self, key: key)
                try await answer(invocation.body, invocation.context, writer)
                finish(key, .success([]))
            }
        } catch {
            finish(key, .failure(error))
        }
    }

    private func finish(_ key: ServerEngine.CallKey, _ result: Result<[UInt8], CallFailure>) {
        let actions = state.withLock { state in
            state.isChanged = true
            if !state.handlers.isEmpty { state.handlers[key] = nil }
            if !state.cancelledEarly.isEmpty { state.cancelledEarly.remove(key) }
            state.requests.finish(key, result)
            return Self.takeActions(&state)
        }
        perform(actions)
        wake()
    }

    fileprivate func write(_ chunk: [UInt8], to key: ServerEngine.CallKey) async throws(CallFailure) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Result<Void, CallFailure>, Never>) in
                let outcome = state.withLock { state in
                    state.isChanged = true
                    let outcome = state.requests.write(chunk, to: key, ticket: ticket)
                    if outcome == .waits { state.writers[ticket] = continuation }
                    return outcome
                }
                switch outcome {
                case .sent:
                    wake()
                    continuation.resume(returning: .success(()))
                case .refused(let failure): continuation.resume(returning: .failure(failure))
                case .waits:
                    // Cancelled before there was something to give up: the handler below found nothing then.
                    if Task.isCancelled { giveUpWriting(ticket, to: key) }
                }
            }
        } onCancel: {
            giveUpWriting(ticket, to: key)
        }
        try result.get()
    }

    private func giveUpWriting(_ ticket: UInt64, to key: ServerEngine.CallKey) {
        let actions = state.withLock { state in
            state.requests.giveUpWriting(ticket, to: key)
            return Self.takeActions(&state)
        }
        perform(actions)
    }
}

/// The stream of one call, as its handler sees it.
private struct EndpointReplyWriter: ReplyWriter {
    let endpoint: ServerEndpoint
    let key: ServerEngine.CallKey

    func write(_ chunk: [UInt8]) async throws(CallFailure) { try await endpoint.write(chunk, to: key) }
}
