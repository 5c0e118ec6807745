/// Following by request: where the publisher lets us call, but not subscribe, `Publications/Follow` brings the same
/// frames.
extension ClientEndpoint {
    struct FollowKey: Hashable {
        let prefix: String
        let link: Int
    }

    enum Follow {
        case due(MonotonicTime)
        case running(Task<Void, Never>?)
    }

    private static let retryInterval = Duration.seconds(1)

    /// The publisher at this link does not let us subscribe.
    package func publishLinkRefused(_ link: Int) {
        update { (state, now) in
            guard state.refusedLinks.insert(link).inserted else { return }
            for prefix in state.subscriber.names { state.follows[FollowKey(prefix: prefix, link: link)] = .due(now) }
        }
    }

    /// It does now.
    static func stopFollowing(on link: Int, _ state: inout State) {
        guard state.refusedLinks.remove(link) != nil else { return }
        for key in state.follows.keys where key.link == link { stopFollowing(key, &state) }
    }

    static func startFollowing(_ prefix: String, _ state: inout State, at now: MonotonicTime) {
        for link in state.refusedLinks { state.follows[FollowKey(prefix: prefix, link: link)] = .due(now) }
    }

    static func stopFollowing(_ prefix: String, _ state: inout State) {
        for key in state.follows.keys where key.prefix == prefix { stopFollowing(key, &state) }
    }

    private static func stopFollowing(_ key: FollowKey, _ state: inout State) {
        if case .running(let task) = state.follows.removeValue(forKey: key), let task {
            state.effects.append(.cancel(task))
        }
    }

    /// Begins what is due.
    ///
    /// - Returns: when to come again.
    func startDueFollows() -> MonotonicTime {
        let now = clock.now()
        let (due, next) = state.withLock { state -> ([FollowKey], MonotonicTime) in
            guard !state.follows.isEmpty, !state.isClosed else { return ([], .distantFuture) }
            var (due, next): ([FollowKey], MonotonicTime) = ([], .distantFuture)
            for (key, follow) in state.follows {
                guard case .due(let time) = follow else { continue }
                if time <= now { due.append(key) } else { next = min(next, time) }
            }
            for key in due { state.follows[key] = .running(nil) }
            return (due, next)
        }
        for key in due {
            let task = Task { await follow(key) }
            let isWanted = state.withLock { state in
                guard case .running(nil) = state.follows[key] else { return false }
                state.follows[key] = .running(task)
                return true
            }
            if !isWanted { task.cancel() }
        }
        return next
    }

    /// Until the stream ends; closing the endpoint ends it.
    private func follow(_ key: FollowKey) async {
        var chunks = followStream(key).makeAsyncIterator()
        var failure = CallFailure(.unavailable, "the stream ended")
        do throws(CallFailure) {
            while let chunk = try await chunks.next() {
                guard !Task.isCancelled, let item = FollowedPublication(decoding: chunk) else { continue }
                receiveFollowed(item, on: key.link)
            }
        } catch { failure = error }
        if !Task.isCancelled { followEnded(key, failure) }
    }

    private func followStream(_ key: FollowKey) -> ReplyStream {
        stream(FollowRequest.method, FollowRequest(prefix: key.prefix).encoded, options: CallOptions(), on: key.link)
    }

    private func receiveFollowed(_ item: FollowedPublication, on link: Int) {
        Array(item.topic.utf8).withUnsafeBytes { topic in
            item.frame.withUnsafeBytes { receivePublication(topic: topic, $0, on: link) }
        }
    }

    private func followEnded(_ key: FollowKey, _ failure: CallFailure) {
        update { (state, now) in
            guard state.follows[key] != nil else { return }
            state.subscriber.streamBroken(key.prefix, key.link)
            // Asking again does not help who is denied; what is allowed changes seldom.
            let wait = failure.code == .permissionDenied ? Self.retryInterval * 30 : Self.retryInterval
            state.follows[key] = .due(now.advanced(by: wait))
        }
        wakeLoop()
    }
}
