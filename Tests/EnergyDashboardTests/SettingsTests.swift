import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyDashboard

struct SettingsTests {
    private let services = FakeServices()
    private let home = Venue(
        id: UUID(), name: "Home", timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, region: "GB",
        homeIDs: [UUID()], changed: Timestamp(unixMilliseconds: 0))
    private var id: String { home.id.uuidString.lowercased() }

    init() { services.state.venues = [home] }

    @Test func `what may not be changed is shown without the means to, and says why`() async {
        let all = await services.pages.settings(.sent("/settings")).text
        #expect(all.contains("href=\"/settings/venue\"") && all.contains("href=\"/settings/device\""))
        #expect(!all.contains("permission"))
        services.state.permissions = [.guidance, .schedules, .control]
        let some = await services.pages.settings(.sent("/settings")).text
        #expect(!some.contains("href=\"/settings/venue") && some.contains("href=\"/settings/device\""))
        #expect(some.contains("its key has no permission &#39;admin&#39;"))
        let reply = await services.pages.venueForm(
            .sent("/settings/venue", "edit=\(id)&name=New&region=GB&time-zone=Europe%2FBerlin"))
        #expect(reply.status == 403)
        #expect(reply.text.contains("This dashboard may not change that") && reply.text.contains("value=\"New\""))
    }

    // MARK: Places

    @Test func `a home keeps what the form does not ask`() async {
        let form = "edit=\(id)&name=Cabin&region=CISO&time-zone=Europe%2FBerlin&weight=80"
        let reply = await services.pages.venueForm(.sent("/settings/venue", form))
        #expect(reply.location == "/settings?done=saved")
        #expect(services.state.venues.map(\.name) == ["Cabin"])
        #expect(services.state.venues[0].homeIDs == home.homeIDs)
        #expect(services.state.venues[0].priceWeight == 0.8)
        let shown = await services.pages.venueForm(.sent("/settings/venue", query: "edit=\(id)")).text
        #expect(shown.contains("value=\"Cabin\"") && shown.contains("value=\"80\""))
    }

    @Test func `a home that the service keeps says why`() async {
        let reply = await services.pages.removeVenue(.sent("/settings/venue/remove", "edit=\(id)"))
        #expect(reply.status == 409)
        #expect(reply.text.contains("the venue is one of the configured"))
    }

    @Test(arguments: [
        (EnergyError(.unavailable, "no answer within the call's timeout"), "Es kam keine Antwort"),
        (.away(.guidance), "guidance-publisher antwortet nicht"),
        (
            .invalidInput(RuleViolation(field: "venue.name", rule: "must be nice", value: "")),
            "id=\"error-name\">Das nimmt der Dienst nicht an"
        ),
    ])
    func `that no answer came is no refusal, and the reader's language says so`(
        failure: EnergyError, words: String
    ) async {
        services.state.failure = failure
        var request = PageRequest.sent("/settings/venue", "edit=\(id)&name=New&region=GB&time-zone=Europe%2FBerlin")
        request.headers["accept-language"] = "de"
        let reply = await services.pages.venueForm(request)
        #expect(reply.text.contains(words) && !reply.text.contains("abgelehnt"), "\(reply.text)")
        #expect(!reply.text.contains("timeout"))
    }

    @Test func `the form of what is no longer there makes nothing of it anew`() async {
        let gone = "edit=\(UUID().uuidString)&name=Back&region=CISO&time-zone=Europe%2FBerlin&weight=80"
        let reply = await services.pages.venueForm(.sent("/settings/venue", gone))
        #expect(reply.status == 404 && reply.text.contains("no longer there"))
        #expect(reply.text.contains("value=\"Back\""), "what was typed stays")
        #expect(services.state.venues.map(\.id) == [home.id])
        #expect(await services.pages.deviceForm(.sent("/settings/device", query: "edit=nope")).status == 404)
        #expect(await services.pages.ratePlanForm(.sent("/settings/rate-plan", query: "edit=nope")).status == 404)
    }

    @Test func `a home is told from the others by its name`() async {
        let other = "name=\(home.name)&region=CISO&time-zone=Europe%2FBerlin&weight=80"
        let reply = await services.pages.venueForm(.sent("/settings/venue", other))
        #expect(reply.status == 422 && reply.text.contains("Another home has this name already."))
        #expect(services.state.venues.map(\.id) == [home.id])
        #expect(await services.pages.venueForm(.sent("/settings/venue", "edit=\(id)&\(other)")).status == 303)
    }

    @Test func `removing a home asks first`() async throws {
        let page = await services.pages.venueForm(.sent("/settings/venue", query: "edit=\(id)")).text
        let asked = try #require(page.components(separatedBy: "<details class=\"removal\">").last)
        #expect(asked.contains("Remove the home …</summary>"))
        #expect(asked.contains("/settings/venue/remove") && !asked.contains("open"))
    }

    @Test func `a device is removed, asking first`() async throws {
        let device = "car"
        services.state.devices = [
            ManagedDevice(device: Device(id: device, name: "Car", kind: .electricVehicle), venueID: home.id)
        ]
        let page = await services.pages.deviceForm(.sent("/settings/device", query: "edit=\(device)")).text
        let asked = try #require(page.components(separatedBy: "<details class=\"removal\">").last)
        #expect(asked.contains("Remove the device …</summary>") && asked.contains("/settings/device/remove"))
        // Of which home, where there are several.
        #expect(asked.contains("name=\"venue\" value=\"\(home.id.uuidString.lowercased())\""))
        let count = services.state.devices.count
        let reply = await services.pages.removeDevice(.sent("/settings/device/remove", "edit=\(device)"))
        #expect(reply.location?.hasSuffix("done=deviceRemoved") == true)
        #expect(services.state.devices.count == count - 1)
        let again = await services.pages.removeDevice(.sent("/settings/device/remove", "edit=\(device)"))
        #expect(again.status == 404)
    }

    // MARK: Contracts

    @Test func `a contract that no home has can be looked at`() async {
        services.state.plans = [DemoHome.ratePlan]
        let settings = await services.pages.settings(.sent("/settings")).text
        #expect(settings.contains("href=\"/settings/rate-plan/prices?plan=demo\""))
        let page = await services.pages.ratePlanPrices(.sent("/settings/rate-plan/prices", query: "plan=demo"))
        #expect(page.status == 200 && page.text.contains("<h1>Demo</h1>") && page.text.contains("0,58"))
        #expect(await services.pages.ratePlanPrices(.sent("/x", query: "plan=none")).status == 404)
    }

    @Test func `a contract that no home has is removed, asking first`() async throws {
        services.state.plans = [DemoHome.ratePlan]
        let form = PageRequest.sent("/settings/rate-plan", query: "edit=demo")
        let asked = try #require(
            await services.pages.ratePlanForm(form).text.components(separatedBy: "<details class=\"removal\">").last)
        #expect(asked.contains("Remove the rate plan …</summary>") && asked.contains("/settings/rate-plan/remove"))
        let venue = try #require(services.state.venues.first)
        services.state.venues[0].ratePlanID = "demo"
        #expect(await !services.pages.ratePlanForm(form).text.contains("rate-plan/remove"))
        services.state.venues[0] = venue
        let removal = PageRequest.sent("/settings/rate-plan/remove", "edit=demo")
        #expect(await services.pages.removeRatePlan(removal).location?.hasSuffix("done=planRemoved") == true)
        #expect(services.state.plans.isEmpty)
        #expect(await services.pages.removeRatePlan(removal).status == 404)
    }

    private static let evcc = """
        {"zones": [{"price": 0.3}, {"hours": "0-5", "price": 0.2}], "price": 0.3, "currency": "EUR"}
        """

    @Test func `a contract is read from what another program wrote, and is the home's`() async throws {
        let form =
            "contract=document&plan-name=Night+rate&assign=yes&document=" + QueryText.escaped(Self.evcc)
        let reply = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form))
        #expect(reply.location == "/settings?done=saved", "\(reply.text)")
        let plan = try #require(services.state.plans.first)
        #expect(plan.currency == "EUR")
        #expect((plan.id, plan.name, plan.timeZone) == ("night-rate", "Night rate", home.timeZone))
        #expect(services.state.venues[0].ratePlanID == "night-rate")
        #expect(services.state.venues[0].homeIDs == home.homeIDs)
    }

    @Test(arguments: [("{", "document"), ("", "document"), (#"{"tariff": 1}"#, "document")])
    func `a document that is none is said beside it`(document: String, field: String) async {
        let form = "contract=document&document=" + QueryText.escaped(document)
        let reply = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form))
        #expect(reply.status == 422)
        #expect(reply.text.contains("id=\"error-\(field)\""))
        #expect(services.state.plans.isEmpty)
    }

    @Test func `a contract in which hours lack a price is stored when somebody says so`() async {
        let gap = QueryText.escaped(#"{"zones": [{"hours": "0-5", "price": 0.2}], "currency": "EUR"}"#)
        let form = "contract=document&plan-name=Gap&document=" + gap
        let reply = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form))
        #expect(reply.status == 422 && reply.text.contains("name=\"force\""), "\(reply.text)")
        let forced = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form + "&force=yes"))
        #expect(forced.status == 303)
        #expect(services.state.plans.map(\.id) == ["gap"])
        #expect(services.state.venues[0].ratePlanID == nil)
    }

    private static let several: String = {
        let hours = "[" + Array(repeating: "0", count: 24).joined(separator: ",") + "]"
        let year = "[" + Array(repeating: hours, count: 12).joined(separator: ",") + "]"
        func rate(_ label: String, _ price: String) -> String {
            """
            {"label": "\(label)", "name": "Rate \(label)", "utility": "Utility", "startdate": 1704067200,
             "energyratestructure": [[{"rate": \(price)}]],
             "energyweekdayschedule": \(year), "energyweekendschedule": \(year)}
            """
        }
        return #"{"items": ["# + rate("A", "0.1") + "," + rate("B", "0.2") + "]}"
    }()

    @Test func `of a file with several rates one is chosen`() async throws {
        let form = "contract=document&document=" + QueryText.escaped(Self.several)
        let asked = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form))
        #expect(asked.status == 422 && services.state.plans.isEmpty)
        #expect(asked.text.contains("id=\"error-label\">The file has 2 rates: choose one.<"))
        #expect(asked.text.contains("<option value=\"B\">Rate B, Utility, from 2024-01-01</option>"), "\(asked.text)")
        let reply = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form + "&label=B"))
        #expect(reply.status == 303)
        let plan = try #require(services.state.plans.first)
        #expect(plan.name == "Rate B" && plan.zones.map(\.price.microsPerKilowattHour) == [200_000])
        let wrong = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form + "&label=C"))
        #expect(wrong.status == 422 && wrong.text.contains("id=\"error-label\""))
    }

    // MARK: Devices

    @Test func `a vehicle is told with its limits, and changed without losing the rest`() async throws {
        let form = "kind=electricVehicle&name=My+Zoe&capacity=52&power=11&least=20&price-max=0%2C4&priority=5"
        #expect(await services.pages.deviceForm(.sent("/settings/device", form)).status == 303)
        let car = try #require(services.state.devices.first)
        #expect(car.device.id == "my-zoe" && car.device.kind == .electricVehicle)
        #expect(car.vehicle?.batteryCapacity.kilowattHours == 52)
        #expect(car.rules.stateOfChargeMin == 20 && car.rules.priority == 5)
        #expect(car.rules.priceMax?.microsPerKilowattHour == 400_000)
        let change = "edit=my-zoe&name=Zoe&capacity=52&power=22&power-min=4.1&least=20&priority=5"
        #expect(await services.pages.deviceForm(.sent("/settings/device", change)).status == 303)
        #expect(services.state.devices.count == 1)
        #expect(services.state.devices[0].device.name == "Zoe")
        #expect(services.state.devices[0].vehicle?.powerMin.milliwatts == 4_100_000)
        #expect(services.state.devices[0].rules.priceMax == nil)
    }

    @Test(arguments: [
        ("kind=electricVehicle&name=&capacity=52&power=11&least=0&priority=0", "name"),
        ("kind=electricVehicle&name=A&capacity=many&power=11&least=0&priority=0", "capacity"),
        ("kind=electricVehicle&name=A&capacity=52&power=11&power-min=12&least=0&priority=0", "power-min"),
        ("kind=electricVehicle&name=A&capacity=52&power=11&least=101&priority=0", "least"),
        ("kind=homeBattery&name=A&capacity=10&power=5&least=0&priority=0", "discharge"),
        ("kind=appliance&name=A&priority=0", "kind"),
        ("kind=toaster&name=A&capacity=52&power=11&least=0&priority=0", "kind"),
        ("kind=hvac&name=A&priority=x", "priority"),
    ])
    func `what is wrong with a device is named by its field`(form: String, field: String) async {
        let reply = await services.pages.deviceForm(.sent("/settings/device", form))
        #expect(reply.status == 422)
        #expect(reply.text.contains("id=\"error-\(field)\""))
        #expect(reply.text.components(separatedBy: "class=\"error\"").count == 2)
        #expect(services.state.devices.isEmpty)
    }

    // MARK: Times to use less

    @Test func `a time to use less is declared, listed and cancelled`() async throws {
        let form = "kind=reduce&scope=region&day=2026-07-01&clock=18:00&hours=1,5&reason=Heat"
        #expect(await services.pages.eventForm(.sent("/settings/event", form)).status == 303)
        let event = try #require(services.state.events.first)
        #expect(event.scope == .region("GB") && event.kind == .reduce)
        #expect(event.interval.milliseconds == 90 * .millisecondsPerMinute)
        let page = await services.pages.settings(.sent("/settings")).text
        #expect(page.contains("Use less, 18:00–19:30") && page.contains("Heat"))
        let cancel = "event=\(event.id.uuidString)"
        let reply = await services.pages.cancelEvent(.sent("/settings/event/cancel", cancel))
        #expect(reply.location == "/settings?done=eventCancelled")
        #expect(services.state.events.isEmpty)
        #expect(await services.pages.cancelEvent(.sent("/settings/event/cancel", cancel)).status == 404)
    }

    @Test(arguments: [
        ("kind=reduce&scope=all&day=2026-06-01&clock=18:00&hours=1", "day"), ("day=soon&clock=18:00&hours=1", "day"),
        ("day=2026-07-02&clock=25:00&hours=1", "clock"), ("day=2026-07-02&clock=18:00&hours=200", "hours"),
        ("kind=bogus&scope=venue&day=2026-07-02&clock=18:00&hours=1", "kind"),
        ("kind=reduce&scope=bogus&day=2026-07-02&clock=18:00&hours=1", "scope"),
    ])
    func `a time that cannot be is named by its field`(form: String, field: String) async {
        let reply = await services.pages.eventForm(.sent("/settings/event", form))
        #expect(reply.status == 422)
        #expect(reply.text.contains("id=\"error-\(field)\""))
        #expect(services.state.events.isEmpty)
    }

    // MARK: Sources

    private func source(_ name: String, kind: SignalKind = .averageDirect, error: String? = nil) -> RegionSource {
        RegionSource(
            region: "GB",
            status: SignalSourceStatus(
                name: name, kind: kind, currency: kind == .price ? "GBP" : nil, lastError: error))
    }

    private func test(_ name: String, in query: String = "") async -> Reply {
        await services.pages.testSource(.sent("/settings/source/test", "region=GB&source=\(name)" + query))
    }

    @Test func `a source that is tested says its newest value and how far ahead it knows`() async {
        let now = Timestamp(unixMilliseconds: 1_782_864_000_000)
        services.state.sources = [source("meter"), source("market", kind: .price)]
        services.state.tests["market"] = SourceTest(
            source: source("market", kind: .price), isAsked: true,
            newest: SignalPoint(
                interval: Interval(start: now.advanced(byMilliseconds: -2_700_000), milliseconds: 1_800_000),
                value: 123_000, isEstimated: false), knownUntil: now.advanced(byMilliseconds: 7_200_000))
        let page = await test("market").text
        #expect(page.contains("Its newest value is 0,123\u{A0}£ per kWh, from 15 min ago."), "\(page)")
        #expect(page.contains("2 h ahead."))
        #expect(page.components(separatedBy: "id=\"tested\"").count == 2)
        services.state.tests["market"]?.isAsked = false
        #expect(await test("market").text.contains("It was not asked now"))
    }

    @Test(arguments: [
        (EnergyError.Code.denied, "Its key is missing or wrong"), (.notFound, "It does not know this place"),
        (.rateLimited, "It was asked too often"), (.unavailable, "It is asked again by itself"),
        (.invalidInput, "Its answer is of no use"),
    ])
    func `a source that fails says what can be done`(code: EnergyError.Code, words: String) async {
        services.state.sources = [source("meter")]
        services.state.tests["meter"] = SourceTest(
            source: source("meter", error: "api.example answered oddly"), isAsked: true, failure: code)
        let page = await test("meter").text
        #expect(page.contains(words) && page.contains("api.example answered oddly"), "\(page)")
    }

    @Test func `who may not test a source is not offered it`() async {
        services.state.sources = [source("meter")]
        #expect(await services.pages.settings(.sent("/settings")).text.contains("/settings/source/test"))
        services.state.permissions = [.guidance]
        #expect(await !services.pages.settings(.sent("/settings")).text.contains("/settings/source/test"))
        #expect(await test("nobody").status == 404)
    }

    @Test(arguments: [
        ("My Zoe", ["a"], "my-zoe"), ("My Zoe", ["my-zoe", "my-zoe-2"], "my-zoe-3"), ("Größe!", [], "gr-e"),
        ("東京", [], "device"), ("", ["device"], "device-2"),
    ])
    func `an id is like its name, and nobody else has it`(name: String, taken: [String], id: String) {
        #expect(FormText.id(for: name, taken: taken, unless: "device") == id)
    }
}
