/// The publisher's side of publish/subscribe as a value: sequences per topic, what is retained, heads while idle.
package struct PublisherEngine {
    struct Retained {
        let publication: RetainedPublication
        /// What it takes, of a shared tail its part.
        let byteCount: Int
        var sequence: UInt64 { publication.sequence }
    }

    struct Topic {
        var newestSequence: UInt64 = 0
        /// In order, without gaps, ending with `newestSequence`.
        var retained: [Retained] = []
        var lastSaid: MonotonicTime
    }

    /// Longer topics are never delivered by libzmq 4.3.4 (246 to 255 bytes).
    static let topicByteCountMax = 200
    static let headsPerTickMax = 1_000
    /// About 20 ms. More than ``ServerLimits/topicsMax``, so that one subscription is always answered in full.
    static let searchesPerTickMax = 1_000_000
    static let headInterval = Duration.seconds(1)
    static let headerBytesPerRetained = 64

    private(set) var publisherID: [UInt8]
    private(set) var epoch: UInt64
    let limits: ServerLimits
    var topics: [String: Topic] = [:]
    /// The order in which heads are said.
    private var names: [String] = []
    private var nextHead = 0
    private(set) var nextTick: MonotonicTime?
    /// Heads that may still follow welcomes before the next tick, so that subscribing often costs no more than once.
    private var headBudget = headsPerTickMax
    /// Topics that may still be compared with prefixes before the next tick: who subscribes very often hears no heads.
    private var searchBudget = searchesPerTickMax
    /// Retained publications, oldest first; those already evicted from their topic are skipped.
    private var evictionOrder: [(topic: String, sequence: UInt64)] = []
    private var evictionHead = 0
    private var retainedByteCount = 0
    private var retainedCount = 0
    /// Publication times never go back within an epoch, so that subscribers can tell before from after.
    private var lastUnixMs = Int64.min
    package var outgoing: [(topic: String, frame: Frame)] = []
    package var statistics = TransportStatistics()

    package init(publisherID: [UInt8], epoch: UInt64, limits: ServerLimits) {
        self.publisherID = publisherID
        self.epoch = epoch
        self.limits = limits
    }

    /// Begins anew: who subscribes hears of it with the next frame, and then joins the new epoch.
    package mutating func begin(_ epoch: PublicationEpoch) {
        guard (epoch.publisherBytes, epoch.number) != (publisherID, self.epoch) else { return }
        (publisherID, self.epoch) = (epoch.publisherBytes, epoch.number)
        (topics, names, nextHead, nextTick) = ([:], [], 0, nil)
        (evictionOrder, evictionHead, retainedByteCount, retainedCount) = ([], 0, 0, 0)
    }

    /// - Parameters:
    ///   - tail: the rest of the body, kept once for all publications that share it.
    ///   - sharers: how many those are.
    ///   - sequence: `nil` is the next of the topic; one that is not newer is passed over.
    package mutating func publish(
        _ topic: String, _ body: [UInt8], tail: [UInt8] = [], sharers: Int = 1, sequence: UInt64? = nil, unixMs: Int64,
        at now: MonotonicTime
    ) throws(CallFailure) {
        guard Self.isTopic(topic) else {
            throw CallFailure(.invalidArgument, "a topic is printable ASCII, ends with / and has at most 200 bytes")
        }
        guard body.count + tail.count <= Frame.bodyByteCountMax else {
            throw CallFailure(.invalidArgument, "a publication of \(body.count + tail.count) bytes")
        }
        if topics[topic] == nil {
            guard topics.count < limits.topicsMax else {
                throw CallFailure(.resourceExhausted, "more than \(limits.topicsMax) topics")
            }
            topics[topic] = Topic(lastSaid: now)
            names.append(topic)
            if nextTick == nil { nextTick = now.advanced(by: Self.headInterval) }
        }
        let published = stamp(unixMs)
        let newest = topics[topic]?.newestSequence ?? 0
        let sequence = sequence ?? newest + 1
        guard sequence > newest else { return }
        if sequence > newest + 1 {
            // What is between them cannot be fetched here: what is retained has no gaps.
            while topics[topic]?.retained.isEmpty == false { evictOldest(of: topic) }
        }
        topics[topic]?.newestSequence = sequence
        topics[topic]?.lastSaid = now
        let byteCount = body.count + tail.count / max(1, sharers) + Self.headerBytesPerRetained
        retain(
            Retained(
                publication: RetainedPublication(
                    sequence: sequence, publishedUnixMs: published, body: body, tail: tail), byteCount: byteCount),
            of: topic)
        statistics.publications += 1
        outgoing.append(
            (topic, Frame(header(.publication, sequence: sequence, unixMs: published), body: body, tail: tail)))
    }

    /// A subscription has arrived at the publisher: it is welcomed under its prefix, then hears the heads of the topics
    /// it will get, so that it knows what came before it. The welcome's `sequence` says how many topics there are;
    /// when they are more than 1,000 (or too many were said just now: `UInt32.max`), no heads follow.
    package mutating func subscribed(_ prefix: String, unixMs: Int64) {
        statistics.subscriptions += 1
        statistics.subscriptionsOpen += 1
        let published = stamp(unixMs)
        let isSought = names.count <= searchBudget
        if isSought { searchBudget -= names.count }
        let matching = isSought ? names.filter { $0.utf8.starts(with: prefix.utf8) } : []
        let isSaid = isSought && matching.count <= headBudget
        var welcome = header(.welcome, sequence: topics[prefix]?.newestSequence ?? 0, unixMs: published)
        welcome.sequence = isSaid ? UInt32(matching.count) : .max
        outgoing.append((prefix, Frame(welcome)))
        guard isSaid else { return }
        headBudget -= matching.count
        for name in matching {
            outgoing.append(
                (name, Frame(header(.head, sequence: topics[name]?.newestSequence ?? 0, unixMs: published))))
        }
    }

    package mutating func unsubscribed() {
        // Never below zero, whatever a subscriber says.
        statistics.subscriptionsOpen -= min(1, statistics.subscriptionsOpen)
    }

    /// Every subscriber's connection was closed.
    package mutating func forgetSubscriptions() { statistics.subscriptionsOpen = 0 }

    func isDue(at now: MonotonicTime) -> Bool { nextTick.map { $0 <= now } ?? false }

    /// Says the heads of topics that have been idle for a second, at most 1,000 of them, in rotation.
    ///
    /// - Returns: when to come again.
    package mutating func tick(unixMs: Int64, at now: MonotonicTime) -> MonotonicTime {
        guard let due = nextTick else { return .distantFuture }
        guard now >= due else { return due }
        headBudget = Self.headsPerTickMax
        searchBudget = Self.searchesPerTickMax
        let published = stamp(unixMs)
        // Half an interval of slack: a topic said just after the last tick is due at this one or the next.
        let idleSince = now.advanced(by: .zero - Self.headInterval / 2)
        var said = 0
        for _ in 0..<min(names.count, Self.headsPerTickMax) {
            if nextHead >= names.count { nextHead = 0 }
            let name = names[nextHead]
            nextHead += 1
            guard let topic = topics[name], topic.lastSaid <= idleSince else { continue }
            topics[name]?.lastSaid = now
            outgoing.append((name, Frame(header(.head, sequence: topic.newestSequence, unixMs: published))))
            said += 1
        }
        let next = now.advanced(by: Self.headInterval)
        nextTick = next
        return next
    }

    /// Answers `Publications/Fetch`.
    package func fetch(_ request: FetchRequest) throws(CallFailure) -> FetchReply {
        guard request.epoch == epoch else {
            throw CallFailure(.outOfRange, "the publisher has started again: its epoch is \(epoch)")
        }
        guard let topic = topics[request.topic] else { throw CallFailure(.outOfRange, "nothing published there") }
        let oldest = topic.newestSequence - UInt64(topic.retained.count) + 1
        guard oldest...max(oldest, topic.newestSequence + 1) ~= request.fromSequence else {
            throw CallFailure(.outOfRange, "retained are \(oldest) to \(topic.newestSequence)")
        }
        var reply = FetchReply(publications: [], newestSequence: topic.newestSequence)
        var byteCount = 0
        for publication in topic.retained[Int(request.fromSequence - oldest)...].lazy.map(\.publication) {
            byteCount += publication.body.count + publication.tail.count + Self.headerBytesPerRetained
            // The first always fits: a frame has 16 KiB more room than a body.
            if byteCount > Frame.bodyByteCountMax, !reply.publications.isEmpty { break }
            reply.publications.append(publication)
        }
        return reply
    }

    /// What was published under some topics can no longer be fetched; their sequences go on.
    package mutating func forget(where isForgotten: (_ topic: String) -> Bool) {
        for name in names where isForgotten(name) {
            while topics[name]?.retained.isEmpty == false { evictOldest(of: name) }
        }
    }

    private mutating func retain(_ publication: Retained, of topic: String) {
        topics[topic]?.retained.append(publication)
        evictionOrder.append((topic, publication.sequence))
        retainedByteCount += publication.byteCount
        retainedCount += 1
        if let count = topics[topic]?.retained.count, count > limits.retainedPerTopicMax {
            evictOldest(of: topic)
        }
        while retainedByteCount > limits.retainedBytesMax, evictionHead < evictionOrder.count {
            let oldest = evictionOrder[evictionHead]
            evictionHead += 1
            if topics[oldest.topic]?.retained.first?.sequence == oldest.sequence { evictOldest(of: oldest.topic) }
        }
        // What left with its topic's own limit is still in the order: swept out once it is more than half of it.
        if evictionOrder.count > 1_024, evictionOrder.count > 2 * retainedCount {
            evictionOrder = evictionOrder[evictionHead...].filter { entry in
                guard let first = topics[entry.topic]?.retained.first else { return false }
                return first.sequence <= entry.sequence
            }
            evictionHead = 0
        }
    }

    private mutating func evictOldest(of topic: String) {
        guard let publication = topics[topic]?.retained.first else { return }
        topics[topic]?.retained.removeFirst()
        retainedCount -= 1
        retainedByteCount -= publication.byteCount
    }

    private mutating func stamp(_ unixMs: Int64) -> Int64 {
        lastUnixMs = max(lastUnixMs, unixMs)
        return lastUnixMs
    }

    private func header(_ kind: FrameKind, sequence: UInt64, unixMs: Int64) -> Header {
        var header = Header(kind)
        header.publisher = publisherID
        header.epoch = epoch
        header.topicSequence = sequence
        header.publishedUnixMs = unixMs
        return header
    }

    static func isTopic(_ topic: String) -> Bool {
        let bytes = topic.utf8
        return !bytes.isEmpty && bytes.count <= topicByteCountMax && bytes.last == UInt8(ascii: "/")
            && bytes.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
