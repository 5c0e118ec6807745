import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import GuidancePublishing
import Logging
import SodiumAuthentication
import Synchronization
import Testing

/// Publishers that share a store: one leads, the others do as it does.
@Suite struct FollowingTests {
    private let store = InMemoryGuidanceStore()
    private let journal = JournalThatBreaks()
    private let wallClock = SettableClock(Parts.start)

    /// A publisher with subscribers of its own.
    private struct Replica {
        let publisher: GuidancePublisher
        let transport: InProcessTransport
        let source: FakeProvider

        /// What was published on a topic, as often as the test asks.
        func publications(_ prefix: String = "guidance/") -> Subscription.AsyncIterator {
            transport.subscribe(prefix).makeAsyncIterator()
        }
    }

    private func replica(_ number: UInt8, plans: [RatePlan] = []) throws -> Replica {
        let source = FakeProvider("a", isTimeless: true, answer: Parts.byHour)
        let configuration = GuidanceConfiguration(
            ratePlans: plans,
            venues: [try Parts.home(id: UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))],
            commonProviders: [source])
        let transport = InProcessTransport(publisherID: [UInt8](repeating: number, count: 16), epoch: 1)
        let publisher = GuidancePublisher(
            store: store, journal: journal, configuration: configuration, publisher: transport,
            authentication: SodiumAuthenticator.init, wallClock: wallClock, clock: ManualClock(),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        return Replica(publisher: publisher, transport: transport, source: source)
    }

    private func get(_ replica: Replica, _ venue: Venue) async throws -> Guidance {
        try await replica.publisher.guidance(
            GuidanceRequest(venueID: venue.id, action: .shift), principal: "car")
    }

    /// The next publication of a subscription, as it is told apart from others.
    private func next(_ events: inout Subscription.AsyncIterator) async throws -> Publication {
        while let event = await events.next() {
            if case .publication(let publication) = event { return publication }
        }
        throw EnergyError(.unavailable, "the subscription ended")
    }

    @Test func `who follows publishes the same, under the same numbers, and answers with it`() async throws {
        let (leader, follower) = (try replica(1), try replica(2))
        try await leader.publisher.start()
        try await follower.publisher.catchUp()
        let venue = try #require(try await follower.publisher.listVenues().venues.first)
        #expect(try await get(follower, venue) == (try await get(leader, venue)))
        #expect(follower.source.timesAsked == 0)

        let hours = Interval(start: Parts.at(hours: -2), milliseconds: 4 * .millisecondsPerHour)
        let history = SignalHistoryRequest(venueID: venue.id, interval: hours)
        let known = try await follower.publisher.history(history).intervals
        #expect(!known.isEmpty)
        #expect(try await leader.publisher.history(history).intervals == known)

        let topic = Topics.guidance(venueID: venue.id, action: .shift)
        var (told, repeated) = (leader.publications(topic), follower.publications(topic))
        #expect(await told.next() == .joined)
        #expect(await repeated.next() == .joined)
        for _ in 0..<3 {
            wallClock.advance(byMilliseconds: .millisecondsPerHour)
            await leader.publisher.refresh()
            try await follower.publisher.catchUp()
            let (first, second) = (try await next(&told), try await next(&repeated))
            #expect(first == second)
            #expect(try await get(follower, venue) == (try Guidance(decoding: first.body)))
            let token = TokenReference(token: try await get(follower, venue).token)
            #expect(try await follower.publisher.resolve(token).venueID == venue.id)
        }
    }

    @Test func `what changes at the one that leads is so at the others when they are asked`() async throws {
        let (leader, follower) = (try replica(1), try replica(2))
        try await leader.publisher.start()
        try await follower.publisher.catchUp()
        let plan = try Parts.plan()
        _ = try await leader.publisher.put(plan)
        #expect(try await follower.publisher.listRatePlans().ratePlans.map(\.id) == [plan.id])
        let barn = try await leader.publisher.put(try Parts.home("Barn", plan: plan.id))
        // A venue that is not known yet is looked for.
        let guidance = try await get(follower, barn)
        #expect(guidance == (try await get(leader, barn)) && guidance.locationHasRatePlan)
        let event = DemandResponseEvent(
            id: UUID(), kind: .reduce, scope: .venue(barn.id),
            interval: Interval(start: Parts.at(hours: 2), milliseconds: .millisecondsPerHour), reason: "test")
        _ = try await leader.publisher.declare(event, source: "me")
        let filter = DemandResponseFilter(venueID: barn.id)
        #expect(try await follower.publisher.listDemandResponse(filter).events.map(\.id) == [event.id])
        _ = try await leader.publisher.remove(VenueRemoval(id: barn.id))
        #expect(try await follower.publisher.listVenues().venues.map(\.name) == ["Home"])
        await #expect(throws: EnergyError.self) { try await get(follower, barn) }
        _ = try await leader.publisher.erase(DataSubject(venueID: barn.id))
        await #expect(throws: EnergyError.self) { try await follower.publisher.venue(.id(barn.id)) }
        let home = try #require(try await follower.publisher.listVenues().venues.first)
        #expect(try await get(follower, home) == (try await get(leader, home)))
    }

    @Test func `what was removed from the journal before it was read the store tells`() async throws {
        let (leader, follower) = (try replica(1), try replica(2))
        try await leader.publisher.start()
        try await follower.publisher.catchUp()
        _ = try await leader.publisher.put(try Parts.home("Barn"))
        let shed = try await leader.publisher.put(try Parts.home("Shed"))
        // As erasing a venue does: entries name the venues that share a guidance.
        try await journal.forgetEntries(before: Parts.at(hours: 9))
        _ = try await leader.publisher.erase(DataSubject(venueID: shed.id))
        try await follower.publisher.catchUp()
        #expect(try await follower.publisher.listVenues().venues.map(\.name) == ["Barn", "Home"])
    }

    @Test func `what it has no fresh guidance of it leaves to another, and before anybody has led everything`()
        async throws
    {
        let (leader, follower) = (try replica(1), try replica(2))
        try await follower.publisher.catchUp()
        let early = await #expect(throws: EnergyError.self) { try await follower.publisher.listVenues() }
        #expect(early?.isForAnother == true)
        try await leader.publisher.start()
        try await follower.publisher.catchUp()
        let venue = try #require(try await follower.publisher.listVenues().venues.first)
        wallClock.advance(byMilliseconds: 3 * .millisecondsPerHour)
        let stale = await #expect(throws: EnergyError.self) { try await get(follower, venue) }
        #expect(stale?.isForAnother == true)
        // The other makes it, and then both have it.
        let made = try await get(leader, venue)
        #expect(try await get(follower, venue) == made)
    }

    @Test func `the numbers of a venue that was removed or erased go on when it is back`() async throws {
        let (leader, follower) = (try replica(1), try replica(2))
        try await leader.publisher.start()
        try await follower.publisher.catchUp()
        var draft = try Parts.home("Barn", id: UUID())
        let id = try #require(draft.id)
        let topic = Topics.guidance(venueID: id, action: .shift)
        var heard = [leader.publications(topic), follower.publications(topic)]
        for index in heard.indices { #expect(await heard[index].next() == .joined) }
        for sequence in UInt64(1)...4 {
            if sequence == 3 { _ = try await leader.publisher.remove(VenueRemoval(id: id)) }
            if sequence == 4 { _ = try await leader.publisher.erase(DataSubject(venueID: id)) }
            draft.name = "Barn \(sequence)"
            _ = try await leader.publisher.put(draft)
            try await follower.publisher.catchUp()
            let (first, second) = (try await next(&heard[0]), try await next(&heard[1]))
            #expect(first == second && first.sequence == sequence)
        }
    }

    @Test func `nothing is published that those who follow could not read`() async throws {
        let leader = try replica(1)
        try await leader.publisher.start()
        let home = try #require(try await leader.publisher.listVenues().venues.first)
        var heard = leader.publications(Topics.guidance(venueID: home.id, action: .shift))
        #expect(await heard.next() == .joined)
        let written = try await journal.entries(after: nil)
        journal.isAway = true
        wallClock.advance(byMilliseconds: .millisecondsPerHour)
        await leader.publisher.refresh()
        journal.isAway = false
        let token = try await get(leader, home).token
        #expect(try await journal.entries(after: nil) == written)
        await leader.publisher.refresh()
        #expect(try Guidance(decoding: try await next(&heard).body).token == token)
    }

    @Test func `while nothing can be written down nothing is made, and what was made before is told first`()
        async throws
    {
        let leader = try replica(1)
        try await leader.publisher.start()
        let home = try #require(try await leader.publisher.listVenues().venues.first)
        var heard = leader.publications(Topics.guidance(venueID: home.id, action: .shift))
        #expect(await heard.next() == .joined)
        journal.isAway = true
        var asked: [Int] = []
        for _ in 0..<3 {
            wallClock.advance(byMilliseconds: .millisecondsPerHour)
            await leader.publisher.refresh()
            asked.append(leader.source.timesAsked)
        }
        #expect(Set(asked).count == 1)
        journal.isAway = false
        await leader.publisher.refresh()
        let (first, second) = (try await next(&heard), try await next(&heard))
        #expect(second.sequence == first.sequence + 1)
        let (made, later) = (try Guidance(decoding: first.body), try Guidance(decoding: second.body))
        #expect(later.issued == made.issued.advanced(byMilliseconds: 2 * .millisecondsPerHour))
    }

    @Test func `while the journal is away it answers as it knows, and what was not written then is written later`()
        async throws
    {
        let (leader, follower) = (try replica(1), try replica(2))
        try await leader.publisher.start()
        try await follower.publisher.catchUp()
        let home = try #require(try await follower.publisher.listVenues().venues.first)
        let known = try await get(follower, home)
        journal.isAway = true
        let barn = try await leader.publisher.put(try Parts.home("Barn"))
        await #expect(throws: EnergyError.self) { try await follower.publisher.catchUp() }
        #expect(try await follower.publisher.listVenues().venues == [home])
        #expect(try await get(follower, home) == known)
        let tries = journal.tries
        #expect(try await follower.publisher.venue(.id(home.id)) == home)
        #expect(journal.tries == tries)
        journal.isAway = false
        await leader.publisher.refresh()
        try await follower.publisher.catchUp()
        #expect(try await follower.publisher.listVenues().venues == [barn, home])
        #expect(try await get(follower, barn) == (try await get(leader, barn)))
    }

    @Test func `who takes over knows what was issued, and the others follow it in a later epoch`() async throws {
        let (first, second, third) = (try replica(1), try replica(2), try replica(3))
        try await first.publisher.start()
        for replica in [second, third] { try await replica.publisher.catchUp() }
        let venue = try #require(try await third.publisher.listVenues().venues.first)
        let issued = try await get(first, venue)
        wallClock.advance(byMilliseconds: 60_000)
        try await second.publisher.start()
        #expect(await second.publisher.leads)
        #expect(try await second.publisher.resolve(TokenReference(token: issued.token)).venueID == venue.id)
        let topic = Topics.guidance(venueID: venue.id, action: .shift)
        var events = third.publications(topic)
        #expect(await events.next() == .joined)
        try await third.publisher.catchUp()
        let later = try await get(third, venue)
        #expect(later == (try await get(second, venue)))
        #expect(later.token != issued.token && later.issued > issued.issued)
        // It has caught up once more after it had begun to lead, to no avail.
        try await second.publisher.catchUp()
        #expect(try await get(second, venue) == later)
    }
}

/// A journal that can be away.
private final class JournalThatBreaks: GuidanceJournal {
    private let journal = InMemoryGuidanceJournal()
    private let state = Mutex((isAway: false, tries: 0))

    var isAway: Bool {
        get { state.withLock(\.isAway) }
        set { state.withLock { $0.isAway = newValue } }
    }
    /// How often it was asked for something.
    var tries: Int { state.withLock(\.tries) }

    private func check() throws(EnergyError) {
        let isAway = state.withLock { state in
            state.tries += 1
            return state.isAway
        }
        if isAway { throw EnergyError(.unavailable, "away") }
    }

    func begin(now: Timestamp) async throws(EnergyError) -> JournalEpoch {
        try check()
        return await journal.begin(now: now)
    }
    func append(_ entries: [NumberedEntry], at now: Timestamp) async throws(EnergyError) {
        try check()
        await journal.append(entries, at: now)
    }
    func entries(after position: JournalPosition?) async throws(EnergyError) -> JournalPage? {
        try check()
        return await journal.entries(after: position)
    }
    func forgetEntries(before: Timestamp) async throws(EnergyError) {
        try check()
        await journal.forgetEntries(before: before)
    }
}
