import EnergyModel
import EnergyTransport
import Foundation
import Testing

@testable import EnergyDashboard

/// What is done from a page, and what the page that follows is.
struct ActionTests {
    private let services = FakeServices(goalsIn: [10])
    private static let pause = PageRequest.sent("/plan/override", "device=car&action=pause")

    @Test func `what is refused leads to a page that may be asked for again, which says it once`() async throws {
        services.state.isOverrideRefused = true
        let reply = await services.pages.override(Self.pause)
        #expect(reply.status == 303 && reply.location == "/plan")
        var plan = PageRequest.sent("/plan")
        plan.headers["cookie"] = try #require(reply.cookies.first?.split(separator: ";").first.map(String.init))
        let told = await services.pages.plan(plan)
        #expect(told.text.contains("This was refused: no answer; within a second"), "\(told.text)")
        #expect(told.cookies.first?.hasPrefix("refusal=; Max-Age=0;") == true)
        plan.headers["x-refresh"] = "1"
        let fetched = await services.pages.plan(plan)
        #expect(!fetched.text.contains("refused") && fetched.cookies.isEmpty)
    }

    @Test func `what was sent is never answered by a page that fetches itself anew`() async {
        let pages = services.pages
        #expect(await pages.plan(.sent("/plan")).isLive)
        let replies = [
            await pages.override(Self.pause), await pages.goal(.sent("/plan/goal", "device=nobody")),
            await pages.goal(.sent("/plan/goal", "device=car&do=save")),
            await pages.removeVenue(.sent("/settings/venue/remove", "edit=nobody")),
            await pages.venueForm(.sent("/settings/venue", "name=")),
            await pages.page(.history, .sent("/any", "a=b")) { _ in "any" },
        ]
        for reply in replies { #expect(!reply.isLive, "\(reply.text)") }
    }

    @Test func `what was done is told apart from what is wrong`() async {
        let plan = await services.pages.plan(.sent("/plan", query: "done=pause")).text
        #expect(plan.contains("<p class=\"notice done\">Done: Pause.</p>"))
    }

    // MARK: Rights

    @Test func `a plan that may not be changed has no means to, and says once why`() async {
        let means = ["/plan/override", "/plan/goal"]
        let all = await services.pages.plan(.sent("/plan")).text
        #expect(means.allSatisfy(all.contains) && !all.contains("permission"))
        services.state.permissions = [.guidance, .insights, .schedules]
        let some = await services.pages.plan(.sent("/plan")).text
        #expect(!means.contains(where: some.contains))
        #expect(some.components(separatedBy: "its key has no permission &#39;control&#39;").count == 2)
    }

    @Test func `a goal that may not be saved can be tried`() async {
        services.state.permissions = [.schedules]
        let form = await services.pages.goalForm(.sent("/plan/goal", query: "device=car")).text
        #expect(form.contains("value=\"preview\"") && form.contains("permission &#39;control&#39;"))
        #expect(!form.contains("value=\"save\"") && !form.contains("/plan/goals/remove"))
    }
}
