extension SubscriberEngine {
    /// A message of a publisher: its topic, and the frame's bytes, lent for this call.
    package mutating func receive(
        topic: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, on link: Int, at now: MonotonicTime
    ) {
        statistics.framesReceived += 1
        guard topic.count <= PublisherEngine.topicByteCountMax,
            let topic = String(validating: topic, as: UTF8.self),
            case .frame(let header, let body) = Frame.parse(bytes)
        else {
            statistics.framesUnrecognised += 1
            return
        }
        switch header.kind {
        case .welcome:
            if prefixes[topic] != nil { receiveWelcome(header, topic, link, at: now) }
        case .publication:
            statistics.publicationsReceived += 1
            let publication = Publication(
                topic: topic, epoch: header.epoch, sequence: header.topicSequence, body: [UInt8](body))
            for name in names where topic.utf8.starts(with: name.utf8) {
                guard isCurrent(header, name, link, at: now) else { continue }
                receive(publication, header, name, link)
            }
        case .head:
            for name in names where topic.utf8.starts(with: name.utf8) {
                guard isCurrent(header, name, link, at: now) else { continue }
                receiveHead(header, topic, name, link)
            }
        default:
            statistics.framesUnexpected += 1
        }
    }

    /// Whether the frame is of the publisher's run that the prefix follows. A newer run, or another publisher, takes the
    /// place of the old one, whose subscription is gone: a welcome of the new one has to come.
    private mutating func isCurrent(_ header: Header, _ name: String, _ link: Int, at now: MonotonicTime) -> Bool {
        guard let following = prefixes[name]?.followings[link] else { return false }
        let isSamePublisher = following.publisher == header.publisher
        if isSamePublisher, following.epoch == header.epoch { return true }
        if isSamePublisher, header.epoch < following.epoch {
            statistics.framesUnexpected += 1
            return false
        }
        reset(name, link)
        prefixes[name]?.followings[link].publisher = header.publisher
        prefixes[name]?.followings[link].epoch = header.epoch
        // Of a publisher that begins anew behind a connection that goes on, none comes by itself.
        expectWelcome(name, link, at: now, within: following.isJoined ? .zero : Self.welcomePatience)
        return true
    }

    private mutating func receiveWelcome(_ header: Header, _ name: String, _ link: Int, at now: MonotonicTime) {
        guard isCurrent(header, name, link, at: now), expectsWelcome(name, link) else { return }
        prefixes[name]?.followings[link].isJoined = true
        prefixes[name]?.followings[link].welcomeDue = .distantFuture
        prefixes[name]?.followings[link].welcomedUnixMs = header.publishedUnixMs
        prefixes[name]?.followings[link].knowsAllTopics = header.sequence != .max
        deliver(.joined, toAllOf: name)
    }

    private mutating func receiveHead(_ header: Header, _ topic: String, _ name: String, _ link: Int) {
        guard let following = prefixes[name]?.followings[link] else { return }
        // Said before joining or together with the welcome: what it counts came before.
        let isBefore = !following.isJoined || header.publishedUnixMs <= following.welcomedUnixMs
        if following.topics[topic] == nil {
            let isBeginning = isBefore || !following.knowsAllTopics
            guard makeTracker(topic, name, link, settled: isBeginning ? header.topicSequence : 0) else { return }
        }
        if isBefore {
            let inOrder = prefixes[name]?.followings[link].topics[topic]?.passOver(to: header.topicSequence) ?? []
            deliver(inOrder, name, link)
        } else {
            prefixes[name]?.followings[link].topics[topic]?.learn(head: header.topicSequence)
        }
        settle(topic, name, link)
    }

    private mutating func receive(_ publication: Publication, _ header: Header, _ name: String, _ link: Int) {
        guard let following = prefixes[name]?.followings[link], publication.sequence > 0 else { return }
        let topic = publication.topic
        guard following.isJoined else {
            // Before the welcome: it tells where the topic stands, and the snapshot will hold it.
            prefixes[name]?.followings[link].topics[topic] = TopicTracker(
                settled: max(following.topics[topic]?.settled ?? 0, publication.sequence))
            return
        }
        if following.topics[topic] == nil {
            let settled = following.knowsAllTopics ? 0 : publication.sequence - 1
            guard makeTracker(topic, name, link, settled: settled) else { return }
        }
        let inOrder = prefixes[name]?.followings[link].topics[topic]?.receive(
            publication, publishedUnixMs: header.publishedUnixMs, pendingMax: limits.recoveringPublicationsMax)
        guard let inOrder else {
            statistics.publicationsDuplicate += 1
            return
        }
        deliver(inOrder, name, link)
        settle(topic, name, link)
    }

    /// - Returns: `false` when there are too many topics; the prefix then begins anew.
    private mutating func makeTracker(_ topic: String, _ name: String, _ link: Int, settled: UInt64) -> Bool {
        guard let following = prefixes[name]?.followings[link] else { return false }
        guard following.topics.count < limits.topicsMax else {
            lastGeneration += 1
            prefixes[name]?.followings[link].topics = [:]
            prefixes[name]?.followings[link].generation = lastGeneration
            prefixes[name]?.followings[link].knowsAllTopics = false
            deliver(.joined, toAllOf: name)
            return false
        }
        prefixes[name]?.followings[link].topics[topic] = TopicTracker(
            settled: settled, firstUnixMs: following.welcomedUnixMs)
        return true
    }

    /// Asks for what is missing, unless that is under way.
    private mutating func settle(_ topic: String, _ name: String, _ link: Int) {
        guard let following = prefixes[name]?.followings[link], following.isJoined,
            let tracker = following.topics[topic], tracker.hasGap, !tracker.isFetching
        else { return }
        prefixes[name]?.followings[link].topics[topic]?.isFetching = true
        waitingFetches.append(
            FetchKey(prefix: name, link: link, topic: topic, generation: following.generation))
        startFetches()
    }

    private mutating func startFetches() {
        while fetchCount < Self.fetchesMax, !waitingFetches.isEmpty {
            let key = waitingFetches.removeFirst()
            guard let following = current(key), let tracker = following.topics[key.topic] else { continue }
            guard tracker.hasGap else {
                // What was missing has arrived by itself.
                prefixes[key.prefix]?.followings[key.link].topics[key.topic]?.isFetching = false
                continue
            }
            fetchCount += 1
            actions.append(
                .fetch(
                    key,
                    FetchRequest(topic: key.topic, epoch: following.epoch, fromSequence: tracker.settled + 1)))
        }
    }

    private func current(_ key: FetchKey) -> Following? {
        guard let following = prefixes[key.prefix]?.followings[key.link], following.generation == key.generation,
            following.topics[key.topic] != nil
        else { return nil }
        return following
    }

    /// A fetch has ended.
    package mutating func fetched(_ key: FetchKey, _ result: Result<FetchReply, CallFailure>) {
        fetchCount -= 1
        defer { startFetches() }
        guard let following = current(key), let before = following.topics[key.topic]?.settled else { return }
        if case .success(let reply) = result {
            for retained in reply.publications.sorted(by: { $0.sequence < $1.sequence }) {
                recover(retained, key, epoch: following.epoch)
            }
            prefixes[key.prefix]?.followings[key.link].topics[key.topic]?.learn(head: reply.newestSequence)
        }
        prefixes[key.prefix]?.followings[key.link].topics[key.topic]?.isFetching = false
        guard let tracker = prefixes[key.prefix]?.followings[key.link].topics[key.topic], tracker.hasGap else { return }
        if tracker.settled == before {
            // Nothing of it can be had.
            statistics.topicsMissed += 1
            deliver(.missed(topic: key.topic), toAllOf: key.prefix)
            let rest = prefixes[key.prefix]?.followings[key.link].topics[key.topic]?.giveUp() ?? []
            deliver(rest, key.prefix, key.link)
        }
        settle(key.topic, key.prefix, key.link)
    }

    private mutating func recover(_ retained: RetainedPublication, _ key: FetchKey, epoch: UInt64) {
        let publication = Publication(
            topic: key.topic, epoch: epoch, sequence: retained.sequence, body: retained.body)
        let inOrder = prefixes[key.prefix]?.followings[key.link].topics[key.topic]?.receive(
            publication, publishedUnixMs: retained.publishedUnixMs, pendingMax: limits.recoveringPublicationsMax)
        guard let inOrder, !inOrder.isEmpty else { return }
        statistics.publicationsRecovered += 1
        deliver(inOrder, key.prefix, key.link)
    }
}
