/// Who follows publications by `Publications/Follow`. What is published is put into each one's buffer; its stream takes
/// it from there as fast as the caller reads.
final class Followers: Sendable {
    typealias Item = (topic: String, frame: Frame)

    private struct Follower {
        let prefix: String
        let buffer: AsyncStream<Item>.Continuation
    }

    /// One who lags by more begins anew.
    private static let bufferedMax = 512
    /// So that a chunk has room for the topic beside the frame.
    private static let frameBytesMax = Frame.bodyByteCountMax - 1_024

    private struct State {
        var followers: [UInt64: Follower] = [:]
        var lastID: UInt64 = 0
        var isStopping = false
    }

    private let state = Locked(State())

    /// - Parameter subscribed: announces the new subscription at the publisher, so that its welcome is published.
    func follow(
        _ prefix: String, through writer: any ReplyWriter, subscribed: @Sendable () -> Void,
        unsubscribed: @Sendable () -> Void
    ) async throws(CallFailure) {
        let (items, buffer) = AsyncStream<Item>.makeStream(bufferingPolicy: .bufferingOldest(Self.bufferedMax))
        let id = state.withLock { state in
            state.lastID += 1
            state.followers[state.lastID] = Follower(prefix: prefix, buffer: buffer)
            if state.isStopping { buffer.finish() }
            return state.lastID
        }
        defer {
            _ = state.withLock { $0.followers.removeValue(forKey: id) }
            unsubscribed()
        }
        subscribed()
        for await (topic, frame) in items {
            try await writer.write(FollowedPublication(topic: topic, frame: frame.encoded).encoded)
        }
        guard !Task.isCancelled else { throw .callerGone }
        guard !state.withLock(\.isStopping) else {
            throw CallFailure(.unavailable, "the service is stopping; follow another replica, or anew")
        }
        throw CallFailure(.resourceExhausted, "more was published than this stream took; follow anew")
    }

    /// Ends every stream: one that went on would be a call in flight, and draining waits for those.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            for follower in state.followers.values { follower.buffer.finish() }
        }
    }

    /// Hands on what is being published.
    func distribute(_ publications: [Item]) {
        state.withLock { state in
            guard !state.followers.isEmpty else { return }
            for (topic, frame) in publications {
                for follower in state.followers.values where topic.utf8.starts(with: follower.prefix.utf8) {
                    Self.hand((topic, frame), to: follower)
                }
            }
        }
    }

    private static func hand(_ item: Item, to follower: Follower) {
        // A welcome answers one prefix, as at a subscriber's.
        if item.frame.header.kind == .welcome, item.topic != follower.prefix { return }
        // Too large for a chunk: the gap tells the follower to fetch it.
        guard item.frame.encodedByteCount <= frameBytesMax else { return }
        if case .dropped = follower.buffer.yield(item) { follower.buffer.finish() }
    }
}
