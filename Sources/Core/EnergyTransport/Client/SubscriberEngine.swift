/// The subscriber's side of publish/subscribe as a value: who wants which prefix, what has arrived, what is missing.
///
/// How a gap is told from a beginning: a welcome is followed by the heads of the topics under its prefix, stamped with
/// the welcome's own time. A topic that was not among them is new, so its first publication is number 1, and any other
/// number means that some were lost. Only when the publisher has more than 1,000 topics under the prefix (the welcome
/// says so, and no heads follow) is the first publication heard taken as the topic's beginning.
package struct SubscriberEngine {
    package typealias SubscriptionID = UInt64

    /// Which tracker a fetch is for. Its answer is ignored when the tracker has been replaced meanwhile.
    package struct FetchKey: Hashable, Sendable {
        package let prefix: String
        package let link: Int
        package let topic: String
        let generation: UInt64
    }

    package enum Action: Equatable {
        /// On every link, and again on each that connects later.
        case subscribe(String)
        case unsubscribe(String)
        /// No welcome came: subscribe once more.
        case resubscribe(String, link: Int)
        case fetch(FetchKey, FetchRequest)
        /// Whoever waits for the subscription's next event should look again.
        case eventsReady(SubscriptionID)
    }

    /// One prefix on one link.
    struct Following {
        var isJoined = false
        var publisher: [UInt8] = []
        var epoch: UInt64 = 0
        var welcomedUnixMs = Int64.min
        /// Topics without a tracker are new.
        var knowsAllTopics = false
        var topics: [String: TopicTracker] = [:]
        var generation: UInt64 = 0
        /// When to subscribe again if no welcome has come.
        var welcomeDue = MonotonicTime.distantFuture
    }

    /// What of a topic was delivered last, of the publisher that was heard last.
    struct Delivered {
        let publisher: [UInt8]
        let epoch: UInt64
        let sequence: UInt64

        /// Replicas publish the same, or still publish what another has left behind.
        func includes(_ publication: Publication, of publisher: [UInt8]) -> Bool {
            self.publisher == publisher
                && (publication.epoch, publication.sequence) <= (epoch, sequence)
        }
    }

    struct Prefix {
        var followings: [Following]
        /// By topic; only of several links.
        var delivered: [String: Delivered] = [:]
        var subscriptions: Set<SubscriptionID> = []

        /// Changed in place: a copy of what was delivered for each publication would cost more than that.
        ///
        /// - Returns: `false` for what another link has brought before.
        mutating func takes(_ publication: Publication, from link: Int, topicsMax: Int) -> Bool {
            guard followings.count > 1 else { return true }
            let publisher = followings[link].publisher
            if delivered[publication.topic]?.includes(publication, of: publisher) == true { return false }
            if delivered.count >= topicsMax { delivered = [:] }
            delivered[publication.topic] = Delivered(
                publisher: publisher, epoch: publication.epoch, sequence: publication.sequence)
            return true
        }
    }

    struct Consumer {
        let prefix: String
        var events: [SubscriptionEvent] = []
        var head = 0
    }

    static let welcomePatience = Duration.seconds(2)
    static let fetchesMax = 8

    let limits: ClientLimits
    var isLinkUp: [Bool]
    var prefixes: [String: Prefix] = [:]
    /// The prefixes in the order of their first subscription, so that a simulation can be run again.
    package private(set) var names: [String] = []
    var consumers: [SubscriptionID: Consumer] = [:]
    private var lastID: SubscriptionID = 0
    var lastGeneration: UInt64 = 0
    var fetchCount = 0
    var waitingFetches: [FetchKey] = []
    var nextTimer = MonotonicTime.distantFuture
    package var actions: [Action] = []
    package var statistics = TransportStatistics()

    package init(linkCount: Int, limits: ClientLimits) {
        self.limits = limits
        isLinkUp = Array(repeating: false, count: linkCount)
    }

    package mutating func subscribe(_ name: String, at now: MonotonicTime) -> SubscriptionID {
        lastID += 1
        consumers[lastID] = Consumer(prefix: name)
        // Matches no topic that anybody may publish.
        guard name.utf8.count <= PublisherEngine.topicByteCountMax else { return lastID }
        if prefixes[name] == nil {
            names.append(name)
            prefixes[name] = Prefix(followings: isLinkUp.map { _ in Following() })
            for link in isLinkUp.indices where isLinkUp[link] { expectWelcome(name, link, at: now) }
            actions.append(.subscribe(name))
        }
        prefixes[name]?.subscriptions.insert(lastID)
        if prefixes[name]?.followings.contains(where: \.isJoined) == true { deliver(.joined, to: lastID) }
        return lastID
    }

    package mutating func unsubscribe(_ id: SubscriptionID) {
        guard let name = consumers.removeValue(forKey: id)?.prefix else { return }
        prefixes[name]?.subscriptions.remove(id)
        guard prefixes[name]?.subscriptions.isEmpty == true else { return }
        prefixes[name] = nil
        names.removeAll { $0 == name }
        actions.append(.unsubscribe(name))
    }

    /// The link is to another publisher from now on, or to none.
    ///
    /// - Parameter link: may be the one after the last.
    package mutating func relink(_ link: Int) {
        guard link == isLinkUp.count else { return linkDown(link) }
        isLinkUp.append(false)
        for name in names { prefixes[name]?.followings.append(Following()) }
    }

    package func hasEvents(_ id: SubscriptionID) -> Bool {
        guard let consumer = consumers[id] else { return false }
        return consumer.head < consumer.events.count
    }

    /// The subscription's next event, `nil` when it has to be waited for.
    package mutating func take(_ id: SubscriptionID) -> SubscriptionEvent? {
        guard let consumer = consumers[id], consumer.head < consumer.events.count else { return nil }
        let event = consumer.events[consumer.head]
        consumers[id]?.events[consumer.head] = .joined  // lets go of the body
        consumers[id]?.head += 1
        if consumer.head + 1 == consumer.events.count {
            consumers[id]?.events.removeAll(keepingCapacity: true)
            consumers[id]?.head = 0
        }
        return event
    }

    package mutating func linkUp(_ link: Int, at now: MonotonicTime) {
        guard !isLinkUp[link] else { return }
        statistics.connections += 1
        isLinkUp[link] = true
        for name in names { expectWelcome(name, link, at: now) }
    }

    /// What is published until the next welcome is lost.
    package mutating func linkDown(_ link: Int) {
        guard isLinkUp[link] else { return }
        statistics.connectionsLost += 1
        isLinkUp[link] = false
        for name in names { reset(name, link) }
    }

    /// The stream that stood for the link has ended: what is published until the next welcome is lost.
    package mutating func streamBroken(_ name: String, _ link: Int) {
        guard prefixes[name] != nil else { return }
        reset(name, link)
    }

    /// Subscribes again where no welcome has come.
    ///
    /// - Returns: when to come again.
    package mutating func tick(at now: MonotonicTime) -> MonotonicTime {
        guard now >= nextTimer else { return nextTimer }
        nextTimer = .distantFuture
        for name in names {
            for (link, following) in (prefixes[name]?.followings ?? []).enumerated()
            where following.welcomeDue != .distantFuture {
                if following.welcomeDue <= now {
                    actions.append(.resubscribe(name, link: link))
                    expectWelcome(name, link, at: now)
                } else {
                    nextTimer = min(nextTimer, following.welcomeDue)
                }
            }
        }
        return nextTimer
    }

    func expectsWelcome(_ name: String, _ link: Int) -> Bool { prefixes[name]?.followings[link].isJoined == false }

    mutating func expectWelcome(
        _ name: String, _ link: Int, at now: MonotonicTime, within patience: Duration = welcomePatience
    ) {
        let due = now.advanced(by: patience)
        prefixes[name]?.followings[link].welcomeDue = due
        nextTimer = min(nextTimer, due)
    }

    /// Forgets what is known of the topics: answers to fetches that are under way go nowhere.
    mutating func reset(_ name: String, _ link: Int) {
        lastGeneration += 1
        var following = Following()
        following.generation = lastGeneration
        following.publisher = prefixes[name]?.followings[link].publisher ?? []
        following.epoch = prefixes[name]?.followings[link].epoch ?? 0
        prefixes[name]?.followings[link] = following
    }

    /// Each once, though several replicas publish it.
    mutating func deliver(_ publications: [Publication], _ name: String, _ link: Int) {
        for publication in publications {
            guard let isNew = prefixes[name]?.takes(publication, from: link, topicsMax: limits.topicsMax) else {
                return
            }
            if isNew {
                deliver(.publication(publication), toAllOf: name)
            } else {
                statistics.publicationsDuplicate += 1
            }
        }
    }

    mutating func deliver(_ event: SubscriptionEvent, toAllOf name: String) {
        for id in (prefixes[name]?.subscriptions ?? []).sorted() { deliver(event, to: id) }
    }

    private mutating func deliver(_ event: SubscriptionEvent, to id: SubscriptionID) {
        guard var consumer = consumers.removeValue(forKey: id) else { return }
        if consumer.events.count - consumer.head >= limits.subscriptionEventsMax {
            statistics.subscriptionsOverflowed += 1
            consumer.events = [.joined]
            consumer.head = 0
        } else {
            consumer.events.append(event)
        }
        consumers[id] = consumer
        actions.append(.eventsReady(id))
    }
}
