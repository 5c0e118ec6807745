import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyDashboard

/// Of several goals of a device each is changed, or removed, by itself.
struct GoalChangeTests {
    private static let now = Timestamp(unixMilliseconds: 1_782_864_000_000)
    private let services = FakeServices()
    private let goals: [Goal]

    init() {
        let venue = Venue(
            id: UUID(), name: "Home", timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, region: "GB",
            changed: Self.now)
        goals = [10, 34].map { hours in
            Goal(
                id: UUID(), venueID: venue.id, deviceID: "car",
                readyBy: Self.now.advanced(byMilliseconds: hours * .millisecondsPerHour),
                target: .stateOfCharge(Int(40 + hours)), created: Self.now)
        }
        let block = ScheduleBlock(
            interval: Interval(start: Self.now, milliseconds: .millisecondsPerHour), power: .zero, stageMax: 0,
            energy: .zero, rating: 0.1, reason: .waitingForCleanerEnergy)
        services.state.venues = [venue]
        services.state.devices = [
            ManagedDevice(device: Device(id: "car", name: "Car", kind: .electricVehicle), venueID: venue.id)
        ]
        services.state.schedules = [
            Schedule(
                id: UUID(), venueID: venue.id, deviceID: "car", goal: goals[0], revision: 1, planned: Self.now,
                guidanceToken: nil, blocks: [block], required: .zero, plannedEnergy: .zero, explanation: "",
                goals: goals)
        ]
    }

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
        #expect(await services.pages.goal(changed).status == 422)
        #expect(services.state.removedGoals.count == 1)
    }

    @Test func `one goal is removed, or all`() async {
        let one = form(goals[0], "")
        #expect(await services.pages.removeGoals(one).status == 303)
        #expect(await services.pages.removeGoals(.sent("/plan/goals/remove", "device=car")).status == 303)
        #expect(services.state.removedGoals == [goals[0].id, nil])
    }
}
