import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

/// Which home a page is about whose address names none.
struct VenueChoiceTests {
    private let services = FakeServices(goalsIn: [10])
    private let first = UUID()
    private let second = UUID()

    init() {
        services.state.venues = [(first, "Cabin"), (second, "House")].map { id, name in
            Venue(id: id, name: name, timeZone: .gmt, region: "GB", changed: FakeServices.now)
        }
    }

    private func plan(_ query: String = "", cookie: String? = nil, isRefresh: Bool = false) async -> Reply {
        var request = PageRequest.sent("/plan", query: query)
        request.headers["cookie"] = cookie
        request.headers["x-refresh"] = isRefresh ? "1" : nil
        return await services.pages.plan(request)
    }

    private func isOf(_ id: UUID, _ reply: Reply) -> Bool {
        reply.text.contains("data-live-venue=\"\(id.uuidString.lowercased())\"")
    }

    @Test func `it is the one that was looked at last`() async throws {
        #expect(isOf(first, await plan()))
        let chosen = await plan("venue=\(second)")
        let cookie = try #require(chosen.cookies.first?.split(separator: ";").first.map(String.init))
        #expect(isOf(second, chosen))
        #expect(isOf(second, await plan(cookie: cookie)))
        #expect(isOf(first, await plan("venue=\(first)", cookie: cookie)))
    }

    @Test(arguments: ["venue=5E0C7F0A-0000-4000-8000-000000000000", "venue=x", "venue=", "other=1"])
    func `without one that is still there it is the first`(cookie: String) async {
        let reply = await plan(cookie: cookie)
        #expect(isOf(first, reply) && reply.status == 200)
    }

    @Test func `it is changed by who looks at another, and not by a page that is open`() async {
        #expect(await plan("venue=\(second)", cookie: "venue=\(second)").cookies.isEmpty)
        #expect(await plan("venue=\(second)", cookie: "venue=\(first)", isRefresh: true).cookies.isEmpty)
        #expect(await plan("venue=\(second)", cookie: "venue=\(first)").cookies.count == 1)
        #expect(await plan(cookie: "venue=\(second)").cookies.isEmpty)
    }
}
