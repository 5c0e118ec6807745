import EnergyModel
import EnergyWire
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

    @Test func `nothing is stored of a form that is refused: its contract is no leftover`() async {
        let form = "name=Home&region=Atlantis&time-zone=Europe%2FLondon&contract=flat&price=1&currency=GBP"
        let reply = await services.pages.begin(.sent("/start", form))
        #expect(reply.status == 422)
        #expect(reply.text.contains("id=\"error-region\">Choose one of these regions.<"))
        #expect(reply.text.contains("<option value=\"Atlantis\" selected"))
        #expect(services.state.plans.isEmpty && services.state.venues.isEmpty)
        // A name of which nothing is kept is none.
        let nameless = "name=%E2%80%8B&region=GB&time-zone=Europe%2FLondon&contract=flat&price=1&currency=GBP"
        #expect(await services.pages.begin(.sent("/start", nameless)).text.contains("id=\"error-name\""))
        #expect(services.state.plans.isEmpty)
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

    // MARK: Region

    private static func offer(_ name: String, _ kind: SignalKind, _ currency: String? = nil) -> RegionSource {
        RegionSource(
            region: "DE", status: SignalSourceStatus(name: name, kind: kind, currency: currency), isAutomatic: true)
    }

    private static let germany = [
        offer("grid:de", .averageLifecycle), offer("market:de", .price, "EUR"), offer("other:de", .price, "EUR"),
    ]

    @Test func `the region is chosen first, by the name that people know`() async {
        let page = await services.pages.start(.sent("/start"))
        #expect(page.text.contains(">DE – Germany</option>") && page.text.contains(">CISO – California</option>"))
        #expect(!page.text.contains("name=\"name\""))
        for wrong in ["", "Atlantis"] {
            let asked = await services.pages.start(.sent("/start", query: "region=\(wrong)"))
            #expect(asked.status == 422 && asked.text.contains("id=\"error-region\""))
        }
    }

    @Test func `who tells carbon and prices there is said, and its clock and money are filled in`() async {
        services.state.offered = Self.germany
        let page = await services.pages.start(.sent("/start", query: "region=DE")).text
        #expect(page.contains("Carbon: grid:de") && page.contains("Prices of each hour: market:de, other:de"))
        #expect(page.contains("value=\"Europe/Berlin\"") && page.contains("value=\"EUR\""))
        #expect(page.contains("id=\"contract-market\""))
        let britain = await services.pages.start(.sent("/start", query: "region=GB")).text
        #expect(britain.contains("octopus needs product and region-letter"))
        #expect(britain.contains("value=\"GBP\"") && !britain.contains("id=\"contract-market\""))
    }

    @Test func `a market's prices with what is on top are a contract of the home`() async throws {
        services.state.offered = Self.germany
        let place = "name=Home&region=DE&time-zone=Europe%2FBerlin&contract=market"
        let wrong = await services.pages.begin(.sent("/start", place + "&price-source=nobody&surcharge=x&tax=200"))
        #expect(wrong.status == 422 && services.state.plans.isEmpty)
        for name in ["price-source", "surcharge", "tax"] {
            #expect(wrong.text.contains("id=\"error-\(name)\""), "\(name)")
        }
        let form = place + "&price-source=other%3Ade&surcharge=0%2C12&tax=19"
        #expect(await services.pages.begin(.sent("/start", form)).status == 303)
        let plan = try #require(services.state.plans.first)
        #expect(plan.priceSource == "other:de" && plan.currency == "EUR" && plan.violations.isEmpty)
        #expect(plan.charges.perKilowattHour.microsPerKilowattHour == 120_000)
        #expect(plan.charges.taxPartsPerMillion == 190_000)
        #expect(services.state.venues.first?.ratePlanID == plan.id)
        let again = await services.pages.ratePlanForm(.sent("/settings/rate-plan", query: "edit=\(plan.id)")).text
        #expect(again.contains("value=\"0.12\"") && again.contains("value=\"other:de\" selected"))
    }

    @Test func `fields that do not belong to the chosen answer are known as such`() async {
        let page = await services.pages.start(.sent("/start", query: "region=GB")).text
        let parts = page.components(separatedBy: "data-for=\"").dropFirst()
        let of = { (field: String) in
            parts.first { $0.contains("name=\"\(field)\"") }.map { String($0.prefix { $0 != "\"" }) }
        }
        #expect(of("price") == "flat" && of("level-1") == "hours" && of("document") == "document")
        #expect(of("currency") == "flat hours document")
    }

    @Test(arguments: [
        (Language.english, "Not reached yet: DE:grid."), (.german, "Noch nicht erreicht: DE:grid."),
    ])
    func `a source that was not reached is named beside the success`(language: Language, words: String) async throws {
        services.state.sources = [
            RegionSource(
                region: "GB",
                status: SignalSourceStatus(
                    name: "DE:grid", kind: .averageDirect, lastError: "no connection",
                    nextAttempt: Timestamp(unixMilliseconds: 1_782_864_030_000)), isAutomatic: true),
            RegionSource(region: "GB", status: SignalSourceStatus(name: "usual", kind: .averageDirect)),
        ]
        let location = await services.pages.begin(.sent("/start", Self.place + "&contract=none")).location
        #expect(location == "/?done=started")
        var request = PageRequest.sent("/", query: "done=started")
        request.headers["accept-language"] = language.rawValue
        let page = await services.pages.now(request).text
        #expect(page.contains(language(.startDone)) && page.contains(words))
        #expect(!page.contains("usual ") && !page.contains("no connection"))
        services.state.sources[0].status.lastSuccess = Timestamp(unixMilliseconds: 1_782_864_000_000)
        #expect(await !services.pages.now(request).text.contains(words))
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
