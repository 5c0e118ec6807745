internal import EnergyFeeds
internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Follows what the services publish and how they are, and tells the pages.
struct NewsFollower: Sendable {
    let connections: DashboardConnections
    let presence: ServicePresence
    let desk: NewsDesk
    let wallClock: any WallClock
    /// For waiting.
    let clock: any Clock<Duration>

    /// Until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for service in ServiceKind.allCases {
                let (joins, joined) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                group.addTask { await followPublications(of: service, joined) }
                group.addTask { await followHealth(of: service, joins) }
            }
            group.addTask { await tellMinutes() }
            group.addTask { await tellPulses() }
        }
    }

    /// A publication is only a sign: pages ask for what it is about.
    private func followPublications(
        of service: ServiceKind, _ joined: AsyncStream<Void>.Continuation
    ) async {
        for await event in connections[service].subscribe(service.topics) {
            switch event {
            case .publication(let publication): tell(service, topic: publication.topic)
            case .missed(let topic): tell(service, topic: topic)
            case .joined:
                joined.yield()
                desk.tell(News(kind: service.news, venueID: nil))
            }
        }
    }

    private func tell(_ service: ServiceKind, topic: String) {
        let parts = topic.split(separator: "/")
        let venueID = parts.count > 1 ? UUID(uuidString: String(parts[1])) : nil
        desk.tell(News(kind: service.news, venueID: venueID))
    }

    /// A service says by itself when its health changes, so nobody asks; the end of what it says is its loss.
    private func followHealth(of service: ServiceKind, _ joins: AsyncStream<Void>) async {
        var backoff = Backoff(longest: .seconds(5))
        while !Task.isCancelled {
            do throws(EnergyError) {
                try await connections[service].stream(Methods.watchHealth, HealthCheckRequest()) {
                    (reply) async throws(EnergyError) in
                    backoff.succeeded()
                    become(reply.status == .serving ? .serving : .notServing(reason: reply.reason), service)
                }
            } catch {}
            if Task.isCancelled { return }
            become(.away, service)
            await wait(for: joins, atMost: backoff.failed())
        }
    }

    private func become(_ state: ServicePresence.State, _ service: ServiceKind) {
        if presence.become(state, service) { desk.tell(News(kind: .services, venueID: nil)) }
    }

    /// The subscription is the first to know that a service has returned.
    private func wait(for joins: AsyncStream<Void>, atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in joins { return } }
            group.addTask { [clock] in try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    /// What a page says of "now" is of a minute.
    private func tellMinutes() async {
        while !Task.isCancelled {
            let now = wallClock.now
            let next = now.floored(toMilliseconds: .millisecondsPerMinute)
                .advanced(byMilliseconds: .millisecondsPerMinute)
            do { try await clock.sleep(for: .milliseconds(max(1, next.milliseconds(since: now)))) } catch { return }
            desk.tell(News(kind: .minute, venueID: nil))
        }
    }

    /// A page that hears nothing for longer takes the connection for lost.
    private func tellPulses() async {
        while (try? await clock.sleep(for: .seconds(10))) != nil { desk.tell(News(kind: .pulse, venueID: nil)) }
    }
}

extension ServiceKind {
    fileprivate var news: News.Kind {
        switch self {
        case .guidance: .guidance
        case .events: .events
        case .insights: .insights
        case .schedule: .schedule
        }
    }
}
