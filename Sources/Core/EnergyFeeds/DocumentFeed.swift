internal import EnergyModel
internal import EnergyTransport
internal import Synchronization

/// Follows one published document: a snapshot whenever the subscription is joined or missed something, and every
/// publication in between. Only what is newer than all before is handed over.
struct DocumentFeed<Document: Sendable>: Sendable {
    let topic: String
    let subscriber: any Subscriber
    /// For the waits after failures only.
    let clock: any Clock<Duration>
    let backoff: Backoff
    /// Told of each failure and of the wait that follows.
    let onFailure: @Sendable (EnergyError, _ nextTryIn: Duration) -> Void
    /// The present document; `nil` when there is none.
    let snapshot: @Sendable () async throws(EnergyError) -> Document?
    let decode: @Sendable ([UInt8]) throws(EnergyError) -> Document
    let isNewer: @Sendable (Document, _ than: Document) -> Bool

    /// Until the task is cancelled. A slow `handle` misses documents, never the newest one.
    ///
    /// - Throws: what asking again cannot cure: `notFound`, `denied`, `invalidInput`.
    func run(_ handle: (Document) async -> Void) async throws(EnergyError) {
        let inbox = Inbox(isNewer: isNewer)
        var fatal: EnergyError?
        await withDiscardingTaskGroup { group in
            group.addTask { await forward(to: inbox) }
            var backoff = backoff
            while !Task.isCancelled {
                if let document = inbox.takeDocument() {
                    await handle(document)
                } else if inbox.takeSnapshotWish() {
                    do throws(EnergyError) {
                        if let document = try await snapshot() { inbox.put(document) }
                        backoff.succeeded()
                    } catch {
                        if Task.isCancelled { break }
                        fatal = Self.isFinal(error) ? error : nil
                        if fatal != nil { break }
                        let wait = backoff.failed(atLeast: .milliseconds(max(0, error.retryAfterMilliseconds ?? 0)))
                        onFailure(error, wait)
                        group.addTask {
                            try? await clock.sleep(for: wait)
                            inbox.wishSnapshot()
                        }
                    }
                } else {
                    await inbox.wait()
                }
            }
            group.cancelAll()
        }
        if let fatal { throw fatal }
    }

    private func forward(to inbox: Inbox<Document>) async {
        for await event in subscriber.subscribe(topic) {
            switch event {
            case .joined, .missed: inbox.wishSnapshot()
            case .publication(let publication):
                do { inbox.put(try decode(publication.body)) } catch { onFailure(error, .zero) }
            }
        }
    }

    private static func isFinal(_ error: EnergyError) -> Bool {
        [.notFound, .denied, .invalidInput].contains(error.code)
    }
}

/// The newest document not handed over yet, and whether a snapshot is wanted.
private final class Inbox<Document: Sendable>: Sendable {
    private struct State {
        var newest: Document?
        var isNews = false
        var wishesSnapshot = false
    }

    private let state = Mutex(State())
    private let isNewer: @Sendable (Document, Document) -> Bool
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init(isNewer: @escaping @Sendable (Document, Document) -> Bool) {
        self.isNewer = isNewer
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ document: Document) {
        state.withLock { state in
            if let newest = state.newest, !isNewer(document, newest) { return }
            state.newest = document
            state.isNews = true
        }
        ring.yield()
    }

    func takeDocument() -> Document? {
        state.withLock { state in
            defer { state.isNews = false }
            return state.isNews ? state.newest : nil
        }
    }

    func wishSnapshot() {
        state.withLock { $0.wishesSnapshot = true }
        ring.yield()
    }

    func takeSnapshotWish() -> Bool {
        state.withLock { state in
            defer { state.wishesSnapshot = false }
            return state.wishesSnapshot
        }
    }

    /// Returns after a ring since the last wait, or when the task is cancelled.
    func wait() async {
        var rings = bell.makeAsyncIterator()
        _ = await rings.next()
    }
}
