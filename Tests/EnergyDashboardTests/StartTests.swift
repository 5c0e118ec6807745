import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct StartTests {
    private let services = FakeServices()
    private static let place = "name=Home&region=GB&time-zone=Europe%2FLondon"

    @Test(arguments: ["/", "/plan", "/settings"])
    func `without any home every page leads to the first run`(path: String) async {
        let reply = await services.pages.page(.now, .sent(path)) { _ in HTML() }
        #expect(reply.status == 303)
        #expect(reply.location == "/start")
    }

    @Test func `a home without a contract is made, and leads on to now`() async throws {
        let reply = await services.pages.begin(.sent("/start", Self.place + "&contract=none"))
        #expect(reply.location == "/?done=started")
        let venue = try #require(services.state.venues.first)
        #expect((venue.name, venue.region, venue.timeZone.identifier) == ("Home", "GB", "Europe/London"))
        #expect(venue.ratePlanID == nil && services.state.plans.isEmpty)
        // It is the first run no more.
        #expect(await services.pages.start(.sent("/start")).location == "/")
        #expect(await services.pages.demo(.sent("/start/demo", "")).location == "/")
        #expect(services.state.venues.count == 1)
    }

    @Test func `one price is a contract of the home`() async throws {
        let form = Self.place + "&contract=flat&price=0%2C32&currency=gbp"
        #expect(await services.pages.begin(.sent("/start", form)).status == 303)
        let plan = try #require(services.state.plans.first)
        #expect(services.state.venues.first?.ratePlanID == plan.id)
        #expect(plan.currency == "GBP" && plan.timeZone.identifier == "Europe/London")
        #expect(plan.zones.map(\.price.microsPerKilowattHour) == [320_000])
        #expect(plan.violations.isEmpty)
    }

    @Test func `what is wrong is said beside its field, and nothing that was typed is lost`() async {
        let form = "name=Home%3C&region=&time-zone=Mars%2FBase&contract=flat&price=cheap&currency=pounds"
        let reply = await services.pages.begin(.sent("/start", form))
        #expect(reply.status == 422)
        #expect(services.state.venues.isEmpty && services.state.plans.isEmpty)
        for name in ["region", "time-zone", "price", "currency"] {
            #expect(reply.text.contains("id=\"error-\(name)\""), "\(name)")
        }
        for value in ["Home&lt;", "Mars/Base", "cheap", "POUNDS"] {
            #expect(reply.text.contains("value=\"\(value)\""), "\(value)")
        }
        #expect(!reply.text.contains("id=\"error-name\""))
    }

    @Test func `a region that the service does not know is said at the region`() async {
        let form = "name=Home&region=Atlantis&time-zone=Europe%2FLondon&contract=flat&price=1&currency=GBP"
        let reply = await services.pages.begin(.sent("/start", form))
        #expect(reply.status == 422)
        #expect(reply.text.contains("id=\"error-region\">must have a signal source<"))
        // Tried again, there is one contract and not two.
        #expect(await services.pages.begin(.sent("/start", form.replacing("Atlantis", with: "CISO"))).status == 303)
        #expect(services.state.plans.map(\.id) == ["one-price"])
    }

    @Test func `the demo is a home with a price by time of day`() async throws {
        let reply = await services.pages.demo(.sent("/start/demo", ""))
        #expect(reply.location == "/?done=demo")
        let (venue, plan) = (try #require(services.state.venues.first), try #require(services.state.plans.first))
        #expect(venue.region == "CISO" && venue.ratePlanID == plan.id)
        #expect(plan.violations.isEmpty && plan.findings().isEmpty)
    }

    // MARK: Example

    private var example: Venue {
        Venue(
            id: UUID(), name: "Home", timeZone: TimeZone(identifier: "America/Los_Angeles") ?? .gmt, region: "CISO",
            ratePlanID: "home-tou", changed: Timestamp(unixMilliseconds: 0))
    }

    @Test func `beside an example one's own place is set up, and leads on to that`() async throws {
        services.state.venues = [example]
        let now = await services.pages.now(.sent("/")).text
        #expect(now.contains("href=\"/start\"") && now.contains("Home is an example"))
        let start = await services.pages.start(.sent("/start"))
        #expect(start.status == 200 && !start.text.contains("Look at the demo"))
        let form = Self.place.replacing("Home", with: "Ours") + "&contract=flat&price=1&currency=GBP&plan-name=home-tou"
        let reply = await services.pages.begin(.sent("/start", form))
        let own = try #require(services.state.venues.first { $0.name == "Ours" })
        #expect(reply.location == "/?venue=\(own.id.uuidString.lowercased())&done=started")
        // The example's contract is its own.
        #expect(own.ratePlanID == "home-tou-2")
        let later = await services.pages.now(.sent("/")).text
        #expect(later.contains("Remove the example Home") && !later.contains("href=\"/start\""))
        #expect(await services.pages.start(.sent("/start")).location == "/")
    }

    @Test func `a home that somebody changed is no example`() async {
        let changed = Venue(
            id: UUID(), name: "Home", timeZone: example.timeZone, region: "CISO", ratePlanID: "own",
            changed: Timestamp(unixMilliseconds: 0))
        services.state.venues = [changed]
        #expect(await !services.pages.now(.sent("/")).text.contains("is an example"))
        #expect(await services.pages.start(.sent("/start")).location == "/")
    }
}
