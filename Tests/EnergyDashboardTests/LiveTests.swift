import EnergyModel
import EnergyTestSupport
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyDashboard

/// Pages that are open, and hear what is new.
struct LiveTests {
    private let services = FakeServices(goalsIn: [10])

    @Test(.timeLimit(.minutes(1)))
    func `a connection on which nothing is new is heard, and has no page made anew`() async throws {
        let (desk, clock) = (NewsDesk(), ManualClock())
        let follower = NewsFollower(
            connections: services.pages.reader.connections, presence: services.presence, desk: desk,
            wallClock: ManualWallClock(start: FakeServices.now, clock: clock), clock: clock)
        let news = try #require(desk.subscribe())
        let task = Task { await follower.run() }
        defer { task.cancel() }
        // Of the services' health, minutes and pulses.
        await clock.waitForSleepers(6)
        clock.advance(by: .seconds(10))
        #expect(await news.first { $0.kind == .pulse } != nil)
        #expect(LiveNews.text(News(kind: .pulse, venueID: nil)) == "event: pulse\ndata: pulse\n\n")
        let count = desk.newsCount
        desk.tell(News(kind: .pulse, venueID: nil))
        #expect(desk.newsCount == count)
    }

    @Test func `what was told while a page was made is heard as soon as it listens`() async throws {
        let desk = NewsDesk()
        var request = PageRequest.sent("/plan")
        request.newsCount = desk.newsCount
        desk.tell(News(kind: .schedule, venueID: nil))
        #expect(await services.pages.plan(request).text.contains("data-news-count=\"0\""))
        var late = try #require(desk.subscribe(knowing: 0)).makeAsyncIterator()
        #expect(await late.next()?.kind == .missed)
        // Who knows all of it hears what comes next.
        var current = try #require(desk.subscribe(knowing: 1)).makeAsyncIterator()
        desk.tell(News(kind: .guidance, venueID: nil))
        #expect(await current.next()?.kind == .guidance)
        // What is fetched because of news differs only where something is new.
        #expect(await !services.pages.plan(.sent("/plan")).text.contains("data-news-count"))
    }

    @Test func `a page that was asked for while nobody knew any home mends itself`() async {
        _ = services.presence.become(.away, .guidance)
        let reply = await services.pages.now(.sent("/"))
        #expect(reply.status == 503 && reply.text.contains("data-live-venue=\"\""), "\(reply.text)")
    }

    @Test func `what changes is read aloud by parts that stay`() async {
        let plan = await services.pages.plan(.sent("/plan")).text
        #expect(plan.contains("<div id=\"notices\" role=\"status\">"))
        let context = PageContext(
            language: .english, venues: services.state.venues, venue: services.state.venues[0], now: FakeServices.now)
        let activity = ActivityPage(
            context: context, question: ActivityQuestion(now: context.now) { _ in nil }, activities: [],
            hasOlder: false, names: [:]
        ).html().source
        #expect(activity.contains("<div role=\"log\" aria-label=\"Activity\">"), "\(activity)")
    }

    @Test func `parts that can have the focus are known again by their ids`() async {
        let plan = await services.pages.plan(.sent("/plan")).text
        for id in ["chargeNow-car", "pause-car", "goal-car", "device-car", "why-car"] {
            #expect(plan.components(separatedBy: "id=\"\(id)\"").count == 2, "\(id)")
        }
    }
}
