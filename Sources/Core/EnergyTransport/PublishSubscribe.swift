public import Foundation

/// Publishes to whoever subscribes. Every publication has its place in its topic: sequences 1, 2, 3 ... without gaps.
public protocol Publisher: Sendable {
    /// - Parameters:
    ///   - topic: ASCII, ends with `/`, at most 200 bytes, for example `guidance/<venue>/shift/`.
    ///   - body: at most 1 MiB.
    /// - Throws: `invalidArgument` for a topic or body outside those limits; `unavailable` once stopped.
    func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure)

    /// Publishes bodies that end alike: each is its head, then `tail`, which is kept once for all of them.
    ///
    /// - Throws: as ``publish(_:_:)``, for the first that is refused; the others are published.
    func publish(_ publications: [SharedPublication], tail: [UInt8]) throws(CallFailure)

    /// From now on publications are those of `epoch`, in which nothing was published yet. For replicas that publish the same:
    /// they share epochs, and number what they publish by ``SharedPublication/sequence``.
    func begin(_ epoch: PublicationEpoch)

    /// What was published under some topics is handed out no more to those who missed it.
    func forgetPublications(where isForgotten: @Sendable (_ topic: String) -> Bool)
}

extension Publisher {
    /// For those who number nothing.
    public func begin(_ epoch: PublicationEpoch) {}

    /// For those who keep nothing.
    public func forgetPublications(where isForgotten: @Sendable (_ topic: String) -> Bool) {}

    public func publish(_ publications: [SharedPublication], tail: [UInt8]) throws(CallFailure) {
        var failure: CallFailure?
        for publication in publications {
            do throws(CallFailure) { try publish(publication.topic, publication.head + tail) } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

/// A publication whose body ends as that of others.
public struct SharedPublication: Hashable, Sendable {
    public let topic: String
    public let head: [UInt8]
    /// Its place in its topic; `nil` is the next. One that was published before is not published again.
    public let sequence: UInt64?

    public init(topic: String, head: [UInt8], sequence: UInt64? = nil) {
        self.topic = topic
        self.head = head
        self.sequence = sequence
    }
}

/// Of one publisher, or of several that publish the same: within it a topic's sequences are 1, 2, 3 ...
public struct PublicationEpoch: Hashable, Sendable {
    /// Names the line of epochs.
    public let publisher: UUID
    /// Grows from epoch to epoch.
    public let number: UInt64

    public init(publisher: UUID, number: UInt64) {
        self.publisher = publisher
        self.number = number
    }

    /// As it travels.
    var publisherBytes: [UInt8] { withUnsafeBytes(of: publisher.uuid) { Array($0) } }
}

/// Receives publications, and notices and heals what was missed.
public protocol Subscriber: Sendable {
    /// Everything published under topics that begin with `prefix`, from now on, until the iterator is dropped.
    /// Reconnects by itself.
    func subscribe(_ prefix: String) -> Subscription
}

public struct Publication: Hashable, Sendable {
    public let topic: String
    public let epoch: UInt64
    /// Of the topic, within the epoch.
    public let sequence: UInt64
    public let body: [UInt8]

    public init(topic: String, epoch: UInt64, sequence: UInt64, body: [UInt8]) {
        self.topic = topic
        self.epoch = epoch
        self.sequence = sequence
        self.body = body
    }
}

public enum SubscriptionEvent: Hashable, Sendable {
    /// The subscription is in force at the publisher: everything from here on arrives. Said again after each
    /// reconnection; what happened in between is unknown: take a snapshot now.
    case joined
    /// In order and without gaps within its topic since `joined`.
    case publication(Publication)
    /// Publications of the topic were missed and could not be fetched: take a snapshot of it.
    case missed(topic: String)
}

/// Endless. The buffer is bounded: a consumer that lags by more than 1,024 events gets ``SubscriptionEvent/joined``
/// in place of what it did not take.
public struct Subscription: AsyncSequence, Sendable {
    public typealias Element = SubscriptionEvent
    public typealias Failure = Never

    private let start: @Sendable () -> AsyncIterator

    public init(_ start: @escaping @Sendable () -> AsyncIterator) { self.start = start }

    public func makeAsyncIterator() -> AsyncIterator { start() }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let nextEvent: () async -> SubscriptionEvent?

        public init(_ nextEvent: @escaping () async -> SubscriptionEvent?) { self.nextEvent = nextEvent }

        /// `nil` only when the task is cancelled or the transport is closed.
        public mutating func next() async -> SubscriptionEvent? { await nextEvent() }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SubscriptionEvent? {
            await nextEvent()
        }
    }
}
