internal import EnergyFeeds
internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints

/// Follows one service: its publications, and whether it is there at all.
struct ServiceWatch: Sendable {
    let context: CommandContext
    let reporter: WatchReporter
    let service: ServiceKind

    /// Until the task is cancelled.
    func run<Feed: WatchFeed>(_ feed: Feed) async {
        let (joins, joined) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { await followHealth(joins) }
            group.addTask { await followAllowed(feed, joined) }
        }
    }

    /// All at once where that is allowed, else those venues that may be read, one by one.
    private func followAllowed<Feed: WatchFeed>(_ feed: Feed, _ joined: AsyncStream<Void>.Continuation) async {
        var refusal: CommandFailure?
        if !context.isLimited || reporter.venues.only != nil {
            refusal = await followAll(feed, joined)
            guard refusal != nil, !Task.isCancelled else { return }
        }
        let venues = await venuesOneByOne()
        var allowed: [Venue] = []
        for venue in venues {
            let own = Feed(context: context, venues: WatchedVenues(context, only: venue, notes: reporter.venues.notes))
            let denial = await denial(of: own.topicPrefix)
            if denial == nil { allowed.append(venue) }
            refusal = refusal ?? denial
        }
        guard !allowed.isEmpty else {
            if let refusal {
                reporter.venues.notes.say("\(refusal.message.asSentence) So nothing of it is shown.")
            }
            return
        }
        await withDiscardingTaskGroup { group in
            for venue in allowed {
                let own = WatchedVenues(context, only: venue, notes: reporter.venues.notes)
                group.addTask { await followPublications(Feed(context: context, venues: own), joined) }
            }
        }
    }

    /// None where one was asked for. Waits for the service that knows them.
    private func venuesOneByOne() async -> [Venue] {
        guard reporter.venues.only == nil else { return [] }
        let venues = try? await context.untilAvailable { () async throws(CommandFailure) in
            try await reporter.venues.all()
        }
        return venues ?? []
    }

    /// - Returns: why this is not allowed; `nil` at the end.
    private func followAll(
        _ feed: some WatchFeed, _ joined: AsyncStream<Void>.Continuation
    ) async -> CommandFailure? {
        let prefix = await feed.topicPrefix
        return await withTaskGroup(of: CommandFailure?.self) { group in
            group.addTask {
                await followPublications(feed, joined)
                return nil
            }
            group.addTask { await denial(of: prefix) }
            for await refusal in group where refusal != nil {
                group.cancelAll()
                return refusal
            }
            return nil
        }
    }

    /// Whether the service would let this client follow the topics, once it answers.
    ///
    /// - Returns: `nil` if so.
    private func denial(of prefix: String) async -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try await context.untilAvailable { () async throws(CommandFailure) in
                let request = FollowRequest(prefix: prefix)
                var chunks = try context.connection(service)
                    .stream(FollowRequest.method, request.encoded, options: CallOptions(timeout: context.timeout))
                    .makeAsyncIterator()
                // The welcome.
                do throws(CallFailure) { _ = try await chunks.next() } catch {
                    throw CommandFailure(EnergyError(error), from: service)
                }
            }
            return nil
        } catch { return error.exit == .denied ? error : nil }
    }

    private func followPublications(_ feed: any WatchFeed, _ joined: AsyncStream<Void>.Continuation) async {
        guard let connection = try? context.connection(service) else { return }
        var feed = feed
        for await event in connection.subscribe(await feed.topicPrefix) {
            // That the service is gone is said by whoever follows its health; this waits for its return.
            do throws(CommandFailure) {
                let news = try await context.untilAvailable { () async throws(CommandFailure) in
                    switch event {
                    case .publication(let publication): return try await feed.news(in: publication)
                    case .joined, .missed:
                        joined.yield()
                        return try await feed.snapshot()
                    }
                }
                await reporter.report(news ?? [])
            } catch { reporter.venues.notes.say(error.message.asSentence) }
        }
    }

    private enum State: Equatable {
        case unknown, serving
        case notServing(String)
        case lost
    }

    /// A service says by itself when its health changes, so nobody asks; the end of what it says is its loss.
    private func followHealth(_ joins: AsyncStream<Void>) async {
        guard let connection = try? context.connection(service) else { return }
        var state = State.unknown
        var backoff = Backoff(longest: .seconds(5))
        while !Task.isCancelled {
            do throws(EnergyError) {
                try await connection.stream(Methods.watchHealth, HealthCheckRequest()) {
                    (reply) async throws(EnergyError) in
                    backoff.succeeded()
                    await become(reply.status == .serving ? .serving : .notServing(reply.reason), &state)
                }
            } catch {
                if state == .unknown {
                    context.output.note(CommandFailure.unreachable(service, at: context.endpoints[service]).message)
                }
            }
            if Task.isCancelled { return }
            await become(.lost, &state)
            await wait(for: joins, atMost: backoff.failed())
        }
    }

    private func become(_ next: State, _ state: inout State) async {
        guard next != state else { return }
        switch (state, next) {
        case (_, .lost): await reporter.report(.lost(service))
        case (.lost, .serving), (.notServing, .serving): await reporter.report(.back(service))
        case (_, .notServing(let reason)): await reporter.report(.notServing(service, reason: reason))
        default: break
        }
        state = next
    }

    /// The subscription is the first to know that a service has returned.
    private func wait(for joins: AsyncStream<Void>, atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in joins { return } }
            group.addTask { [clock = context.clock] in try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
