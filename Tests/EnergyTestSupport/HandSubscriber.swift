public import EnergyTransport
internal import Synchronization

/// A subscriber whose events a test sends by hand.
public final class HandSubscriber: Subscriber {
    private struct State {
        var sinks: [(prefix: String, sink: AsyncStream<SubscriptionEvent>.Continuation)] = []
        var waiting: [(prefix: String?, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    public init() {}

    public func subscribe(_ prefix: String) -> Subscription {
        Subscription { [self] in
            let (events, sink) = AsyncStream<SubscriptionEvent>.makeStream()
            let woken = state.withLock { state in
                state.sinks.append((prefix, sink))
                defer { state.waiting.removeAll { $0.prefix ?? prefix == prefix } }
                return state.waiting.filter { $0.prefix ?? prefix == prefix }
            }
            for (_, continuation) in woken { continuation.resume() }
            var iterator = events.makeAsyncIterator()
            return Subscription.AsyncIterator { await iterator.next(isolation: #isolation) }
        }
    }

    /// Returns once somebody has subscribed, to this prefix if one is said.
    public func waitForSubscriber(to prefix: String? = nil) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                if state.sinks.contains(where: { prefix ?? $0.prefix == $0.prefix }) { return true }
                state.waiting.append((prefix, continuation))
                return false
            }
            if ready { continuation.resume() }
        }
    }

    /// To every subscription; a publication only to those of its topic.
    public func send(_ event: SubscriptionEvent) {
        let sinks = state.withLock { $0.sinks }
        for (prefix, sink) in sinks {
            if case .publication(let publication) = event, !publication.topic.hasPrefix(prefix) { continue }
            sink.yield(event)
        }
    }

    public func publish(_ topic: String) {
        send(.publication(Publication(topic: topic, epoch: 1, sequence: 1, body: [])))
    }
}
