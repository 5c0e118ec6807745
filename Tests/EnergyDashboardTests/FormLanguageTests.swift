import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyDashboard

/// The language is changed while a form is being filled in.
struct FormLanguageTests {
    private let services = FakeServices(goalsIn: [10])
    private static let goal = "device=car&target=charge&amount=77&day=2026-07-02&clock=06:30"

    @Test func `what was typed is kept, nothing is saved, and nothing is judged before it was sent`() async {
        let reply = await services.pages.goal(.sent("/plan/goal", Self.goal + "&language=de"))
        #expect(reply.status == 200 && reply.text.contains("Ziel für Car") && reply.text.contains("value=\"77\""))
        #expect(services.state.goals.isEmpty)
        let plan = await services.pages.ratePlanForm(
            .sent("/settings/rate-plan", "contract=flat&plan-name=Mine&price=&language=de"))
        #expect(plan.status == 200 && plan.text.contains("value=\"Mine\""))
        #expect(!plan.text.contains("aria-invalid") && services.state.plans.isEmpty)
        let place = await services.pages.venueForm(
            .sent("/settings/venue", "name=New&region=GB&time-zone=Europe%2FBerlin&language=de"))
        #expect(place.status == 200 && place.text.contains("value=\"New\"") && services.state.venues.count == 1)
    }

    @Test func `what was said to be wrong is said in the other language`() async {
        let form = "contract=flat&plan-name=Mine&price=&currency=EUR"
        let wrong = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form))
        #expect(wrong.status == 422 && wrong.text.contains("name=\"sent\" value=\"yes\""))
        let reply = await services.pages.ratePlanForm(.sent("/settings/rate-plan", form + "&sent=yes&language=de"))
        #expect(reply.text.contains(Language.german(.mustBePrice)) && services.state.plans.isEmpty)
        let key = await services.pages.keyForm(
            .sent("/settings/key", "name=a%3B&allow-guidance=yes&sent=yes&language=de"))
        #expect(key.text.contains("id=\"error-name\"") && key.text.contains("value=\"a;\""))
    }

    @Test func `a goal that was tried is tried again`() async {
        let course = GoalPreview.Course(
            blocks: [], planned: .zero, missing: .zero, costMicros: nil, carbonGrams: nil, rating: 0.2, explanation: "")
        services.state.preview = GoalPreview(planned: course, atOnce: course, best: course, currency: nil)
        let tried = await services.pages.goal(.sent("/plan/goal", Self.goal + "&do=preview")).text
        #expect(tried.contains("<input type=\"hidden\" name=\"do\" value=\"preview\">"))
        let reply = await services.pages.goal(.sent("/plan/goal", Self.goal + "&do=preview&sent=yes&language=de")).text
        #expect(reply.contains("id=\"preview-title\"") && reply.contains("value=\"77\""))
        // What a browser sends that presses Save on that page.
        let save = await services.pages.goal(.sent("/plan/goal", Self.goal + "&do=save&sent=yes&do=preview"))
        #expect(save.status == 303 && services.state.goals.count == 1)
    }

    @Test func `its buttons send the form of the page, and elsewhere come back to a page that is there`() async {
        let choice = "<button name=\"language\" value=\"de\" lang=\"de\" form=\"form\""
        for reply in [
            await services.pages.goalForm(.sent("/plan/goal", query: "device=car")),
            await services.pages.venueForm(.sent("/settings/venue")),
            await services.pages.keyForm(.sent("/settings/key")),
            await FakeServices().pages.start(.sent("/start", query: "region=CISO")),
        ] {
            #expect(reply.text.contains(choice) && reply.text.contains("<form id=\"form\""), "\(reply.text)")
        }
        let refused = await services.pages.removeVenue(.sent("/settings/venue/remove", "edit=nobody")).text
        #expect(!refused.contains(choice) && refused.contains("name=\"back\" value=\"/settings\""))
    }
}
