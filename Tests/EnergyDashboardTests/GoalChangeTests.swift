import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyDashboard

/// Of several goals of a device each is changed, or removed, by itself.
struct GoalChangeTests {
    private let services = FakeServices(goalsIn: [10, 34])
    private var goals: [Goal] { services.state.schedules[0].goals }

    private func form(_ goal: Goal, _ more: String) -> PageRequest {
        .sent("/plan/goal", "device=car&goal=\(goal.id.uuidString)&\(more)")
    }

    @Test func `each goal has its own way to be changed, and is shown as it is`() async {
        let plan = await services.pages.plan(.sent("/plan")).text
        for goal in goals {
            let id = goal.id.uuidString.lowercased()
            #expect(plan.contains("href=\"/plan/goal?device=car&amp;goal=\(id)\""))
        }
        let page = await services.pages.goalForm(
            .sent("/plan/goal", query: "device=car&goal=\(goals[1].id.uuidString)")
        ).text
        #expect(page.contains("value=\"74\"") && page.contains("Remove this goal"))
        #expect(!page.contains("name=\"keep\""))
    }

    @Test func `a goal that is changed takes its own place only, once the new one is there`() async {
        let changed = form(goals[1], "target=charge&amount=90&day=2026-07-02&clock=06:30&do=save")
        #expect(await services.pages.goal(changed).status == 303)
        #expect(services.state.goals.map(\.keepsOthers) == [true])
        #expect(services.state.removedGoals == [goals[1].id])
        services.state.isGoalRefused = true
        #expect(await services.pages.goal(changed).status == 429, "too many goals")
        #expect(services.state.removedGoals.count == 1)
    }

    @Test func `one goal is removed, or all`() async {
        let one = form(goals[0], "")
        #expect(await services.pages.removeGoals(one).status == 303)
        #expect(await services.pages.removeGoals(.sent("/plan/goals/remove", "device=car")).status == 303)
        #expect(services.state.removedGoals == [goals[0].id, nil])
    }
}
