import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

/// What somebody finds who sent a form with something wrong in it.
struct FormProblemsTests {
    private let services = FakeServices(goalsIn: [10])

    @Test func `the focus is where all of it is said, with a way to each field in the order of the form`() async throws
    {
        let form = "name=&region=&time-zone=Mars&weight=101"
        let text = await services.pages.venueForm(.sent("/settings/venue", form)).text
        let summary = try #require(text.components(separatedBy: "id=\"form-problems\"").last?.prefix(900))
        #expect(summary.contains("tabindex=\"-1\" autofocus=\"\""), "\(summary)")
        let links = summary.components(separatedBy: "<a href=\"#").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(links == ["field-name", "field-region", "field-time-zone", "field-weight"])
        #expect(summary.contains(">Name of the home: This is needed.</a>"))
        // The name stands in the sentence itself.
        #expect(summary.contains(">How much the price counts"), "\(summary)")
        #expect(!summary.contains("percent: How much"))
        for link in links { #expect(text.contains("id=\"\(link)\"")) }
    }

    @Test func `the title of the page says that something is wrong`() async {
        let right = await services.pages.goalForm(.sent("/plan/goal", query: "device=car")).text
        #expect(right.contains("<title>Plan · Gridtide</title>") && !right.contains("autofocus"))
        let wrong = await services.pages.goal(.sent("/plan/goal", "device=car&target=run&amount=80&do=save")).text
        #expect(wrong.contains("<title>Error: Plan · Gridtide</title>") && wrong.contains("href=\"#target-charge\""))
        services.state.isGoalRefused = true
        let form = "device=car&target=charge&amount=90&day=2026-07-02&clock=06:30&do=save"
        let refused = await services.pages.goal(.sent("/plan/goal", form)).text
        #expect(refused.contains("<title>Error: ") && refused.contains("autofocus"))
        let nameless = await services.pages.keyForm(.sent("/settings/key", "name=tablet")).text
        #expect(nameless.contains("href=\"#field-allow-guidance\""))
    }
}
