import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

/// A contract by a table of hours.
struct HourTableTests {
    private let services = FakeServices()
    private let home = Venue(
        id: UUID(), name: "Home", timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, region: "GB",
        changed: Timestamp(unixMilliseconds: 0))

    init() { services.state.venues = [home] }

    private static let prices = "contract=hours&plan-name=Ours&currency=EUR&level-1=0%2C2&level-2=0.4"
    /// Workdays from 16:00 to 21:00.
    private static let evening = (16..<21).map { "&hour-0-0-\($0)=2" }.joined()

    private func send(_ form: String) async -> Reply {
        await services.pages.ratePlanForm(.sent("/settings/rate-plan", form))
    }

    private func price(_ plan: RatePlan, month: Int, weekday: Int, hour: Int) -> Int64? {
        let hours = plan.monthlyHours(on: weekday...weekday) { $0?.price.microsPerKilowattHour }
        return hours[month - 1][hour].first ?? nil
    }

    @Test func `each hour has the price that was chosen for it`() async throws {
        #expect(await send(Self.prices + Self.evening).status == 303)
        let plan = try #require(services.state.plans.first)
        #expect((plan.id, plan.name, plan.currency) == ("ours", "Ours", "EUR"))
        for (weekday, hour, expected) in [(0, 15, 200_000), (4, 16, 400_000), (4, 20, 400_000), (5, 17, 200_000)] {
            #expect(price(plan, month: 3, weekday: weekday, hour: hour) == Int64(expected))
        }
        #expect(plan.violations.isEmpty && plan.findings().isEmpty)
    }

    @Test func `a second season may go over New Year`() async throws {
        let winter = "&second-from=11&second-to=2&level-3=0.5" + (0..<24).map { "&hour-1-1-\($0)=3" }.joined()
        #expect(await send(Self.prices + Self.evening + winter).status == 303)
        let plan = try #require(services.state.plans.first)
        #expect(price(plan, month: 1, weekday: 6, hour: 3) == 500_000)
        #expect(price(plan, month: 12, weekday: 0, hour: 17) == 200_000)
        #expect(price(plan, month: 3, weekday: 6, hour: 3) == 200_000)
        #expect(price(plan, month: 10, weekday: 0, hour: 17) == 400_000)
    }

    @Test(arguments: [
        ("&hour-0-1-3=4", "level-4"), ("&second-from=3", "second-to"), ("&second-to=3", "second-from"),
    ])
    func `what is missing is named by its field, and nothing that was chosen is lost`(more: String, field: String) async
    {
        let reply = await send(Self.prices + Self.evening + more)
        #expect(reply.status == 422 && services.state.plans.isEmpty)
        #expect(reply.text.contains("id=\"error-\(field)\""))
        #expect(reply.text.components(separatedBy: "class=\"error\"").count == 2)
        #expect(reply.text.contains("value=\"hours\" checked"))
        let kept = "Monday to Friday, 16:00–17:00"
        #expect(reply.text.contains("<option value=\"2\" selected=\"\">2</option>"), "\(kept)")
    }

    @Test func `a price of an hour that no season has may be missing`() async {
        // The second season has no months.
        #expect(await send(Self.prices + "&hour-1-0-3=4").status == 303)
    }

    @Test func `what was stored comes back into the table`() async throws {
        let winter = "&second-from=6&second-to=9&level-3=0.5" + (0..<24).map { "&hour-1-1-\($0)=3" }.joined()
        #expect(await send(Self.prices + Self.evening + winter).status == 303)
        let plan = try #require(services.state.plans.first)
        let table = try #require(HourTable(plan))
        #expect(table.prices == ["0.2", "0.4", "0.5", ""])
        #expect((table.secondFrom, table.secondTo) == (6, 9))
        #expect(table.cells[0][0] == (0..<24).map { 16..<21 ~= $0 ? 2 : 1 })
        #expect(table.cells[1][1] == Array(repeating: 3, count: 24))
        let shown = await services.pages.ratePlanForm(.sent("/settings/rate-plan", query: "edit=ours")).text
        #expect(shown.contains("value=\"hours\" checked") && shown.contains("value=\"0.5\""))
    }

    @Test func `a contract that the table cannot hold is not put into it`() throws {
        let zone = RateZone(price: Price(microsPerKilowattHour: 1), peak: .unknown)
        var plan = RatePlan(
            id: "a", name: "A", currency: "EUR", timeZone: .gmt, zones: [zone], changed: Timestamp(unixMilliseconds: 0))
        #expect(HourTable(plan) != nil)
        plan.exportZones = [zone]
        #expect(HourTable(plan) == nil)
        plan.exportZones = []
        plan.zones.append(
            RateZone(price: Price(microsPerKilowattHour: 2), peak: .unknown, startMinute: 90, endMinute: 150))
        #expect(HourTable(plan) == nil)
    }
}
