extension ServerEndpoint {
    /// Runs the handlers, each until it has answered or suspends; none begins after `end` but the first.
    ///
    /// - Returns: those that have not begun.
    func start(
        _ invocations: [ServerEngine.Invocation], until end: MonotonicTime
    ) -> ArraySlice<ServerEngine.Invocation> {
        var rest = invocations[...]
        let isOver = { [clock] in end < .distantFuture && clock.now() >= end }
        while !rest.isEmpty {
            let run = HandlerRun(rest, isOver: isOver)
            // A preference costs even when it is none.
            let task =
                if let handlerExecutor {
                    Task.immediate(executorPreference: handlerExecutor) { await self.work(through: run) }
                } else {
                    Task.immediate { await self.work(through: run) }
                }
            let suspended: ServerEngine.CallKey?
            (suspended, rest) = run.leave()
            if let suspended { keep(task, of: suspended) }
            if !run.finished.isEmpty { finish(run.finished) }
            if isOver() { break }
        }
        return rest
    }

    /// The task may be cancelled from now on, or has to be already.
    private func keep(_ task: Task<Void, Never>, of key: ServerEngine.CallKey) {
        let isCancelled = state.withLock { state in
            guard state.requests.calls[key] != nil else { return false }
            state.handlers[key] = task
            return state.cancelledEarly.remove(key) != nil
        }
        if isCancelled { task.cancel() }
    }

    private func work(through run: HandlerRun) async {
        while let invocation = run.takeNext() {
            let result = await answer(invocation)
            guard run.isInline else { return finish([(invocation.key, result)]) }
            run.finish(invocation.key, result)
        }
    }

    private func answer(_ invocation: ServerEngine.Invocation) async -> Result<[UInt8], CallFailure> {
        do throws(CallFailure) {
            switch invocation.handler {
            case .unary(let answer):
                return .success(try await answer(invocation.body, invocation.context))
            case .streaming(let answer):
                let writer = EndpointReplyWriter(endpoint: self, key: invocation.key)
                try await answer(invocation.body, invocation.context, writer)
                return .success([])
            }
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ finished: [(key: ServerEngine.CallKey, result: Result<[UInt8], CallFailure>)]) {
        let actions = state.withLock { state in
            state.isChanged = true
            for (key, result) in finished {
                if !state.handlers.isEmpty { state.handlers[key] = nil }
                if !state.cancelledEarly.isEmpty { state.cancelledEarly.remove(key) }
                state.requests.finish(key, result)
            }
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
