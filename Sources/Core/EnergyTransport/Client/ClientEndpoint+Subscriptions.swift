extension ClientEndpoint: Subscriber {
    package func subscribe(_ prefix: String) -> Subscription {
        Subscription { [self] in
            let id = update { (state, now) in state.subscriber.subscribe(prefix, at: now) }
            wakeLoop()
            let open = Releaser { [self] in
                update { (state, _) in state.subscriber.unsubscribe(id) }
                wakeLoop()
            }
            return Subscription.AsyncIterator { [self] in
                defer { withExtendedLifetime(open) {} }
                return await nextEvent(id)
            }
        }
    }

    private func nextEvent(_ id: SubscriberEngine.SubscriptionID) async -> SubscriptionEvent? {
        while !Task.isCancelled {
            let (event, isClosed) = state.withLock { ($0.subscriber.take(id), $0.isClosed) }
            if let event { return event }
            if isClosed { return nil }
            await wait(.consumer(id)) { state in state.subscriber.hasEvents(id) || state.isClosed }
        }
        return nil
    }
}
