import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Changes are stored and answered whatever their planning takes.
@Suite struct `Prompt answers`: HomeLoadWorld {
    /// Lets nobody through until it is opened.
    private final class HeldSolver: PlanSolver {
        let asked: AsyncStream<Void>
        private let ask: AsyncStream<Void>.Continuation
        private let isOpen = Box(false)
        private let gate = DispatchSemaphore(value: 0)

        init() { (asked, ask) = AsyncStream.makeStream() }

        func open() {
            isOpen.set(true)
            gate.signal()
        }

        func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
            ask.yield()
            if !isOpen.value { gate.wait() }
            return PatientSolver().solve(model, timeLimit: timeLimit)
        }
    }

    private let solver = HeldSolver()

    private func world() async throws -> SchedulerWorld {
        let world = try await SchedulerWorld(planning: PlanningSettings(solver: solver))
        world.setGuidance(world.guidance([0.9, 0.1, 0.5, 0.3]))
        _ = try await world.scheduler.put(battery(50))
        return world
    }

    private func set(_ world: SchedulerWorld, _ percent: Int, keepsOthers: Bool = false) async throws -> Schedule {
        try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: "battery", readyBy: world.hours(Double(percent) / 20),
                target: .stateOfCharge(percent), keepsOthers: keepsOthers))
    }

    /// The goals of the first schedule that is published from now on.
    private func published(_ world: SchedulerWorld) async throws -> [Goal.Target] {
        for await publication in world.publisher.publications {
            return try Schedule(decoding: publication.body).goals.map(\.target)
        }
        return []
    }

    @Test func `a goal is stored and answered while its plan is made, which is published later`() async throws {
        let world = try await world()
        let task = Task { try await set(world, 60) }
        for await _ in solver.asked { break }
        #expect(try await world.store.load().records.map(\.goals.count) == [1])
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(2))
        let answer = try await task.value
        #expect(answer.goals.map(\.target) == [.stateOfCharge(60)])
        #expect(answer.blocks.map(\.reason) == [.beingPlanned] && answer.explanation.contains("is being made"))
        let listed = await world.scheduler.schedules(ScheduleFilter(venueID: venueID)).schedules
        #expect(listed.map(\.id) == [answer.id])
        solver.open()
        #expect(try await published(world) == [.stateOfCharge(60)])
    }

    @Test func `what is asked while a plan is made is planned together next, and nothing in between`() async throws {
        let world = try await world()
        var tasks = [Task { try await set(world, 60) }]
        for await _ in solver.asked { break }
        for percent in [70, 80] {
            tasks.append(Task { try await set(world, percent, keepsOthers: true) })
            await world.clock.waitForSleepers(tasks.count)
        }
        solver.open()
        let targets: [Goal.Target] = [60, 70, 80].map { .stateOfCharge($0) }
        for task in tasks {
            let answer = try await task.value
            #expect(Swift.Set(answer.goals.map(\.target)) == Swift.Set(targets), "\(answer)")
            #expect(answer.blocks.allSatisfy { $0.reason != .beingPlanned })
        }
        #expect(try await Swift.Set(published(world)) == Swift.Set(targets))
    }

    @Test func `what is taken away while a plan is made gets none`() async throws {
        let world = try await world()
        let task = Task { try await set(world, 60) }
        for await _ in solver.asked { break }
        await world.clock.waitForSleepers()
        try await world.scheduler.deleteGoal(of: DeviceReference(venueID: venueID, deviceID: "battery"))
        solver.open()
        await #expect(throws: EnergyError(.conflict, "the goals are over")) { try await task.value }
        #expect(await world.scheduler.schedules(ScheduleFilter(venueID: venueID)).schedules.isEmpty)
    }

    /// Needs all the time it is given and finds nothing.
    private struct SlowSolver: PlanSolver {
        let clock: ManualClock

        func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
            clock.advance(by: timeLimit)
            return LinearSolution(status: .unknown, values: [], cost: .infinity, bound: -.infinity)
        }
    }

    @Test func `all plans of a change and of a preview share one time`() throws {
        let clock = ManualClock()
        let start = clock.now
        var replanner = Replanner(planner: HomePlanner(solver: SlowSolver(clock: clock), clock: clock))
        (replanner.timeLimit, replanner.clock) = (.seconds(4), clock)
        replanner.settings.limits.importPower = 8
        var records = [battery(50), dishwasher].map { DeviceRecord(device: $0, timeZone: .gmt) }
        for id in ["car-2", "car-3", "car-4"] {
            var car = SchedulerWorld.car
            car.device = Device(id: id, name: "A car", kind: .electricVehicle)
            car.rules = ChargingRules(shape: ChargingShape(runMinMilliseconds: .millisecondsPerHour))
            records.append(DeviceRecord(device: car, timeZone: .gmt))
        }
        let hours = { EventSamples.now.advanced(byMilliseconds: $0 * .millisecondsPerHour) }
        for index in records.indices {
            let target: Goal.Target =
                index == 0 ? .stateOfCharge(80) : index == 1 ? .run : .energy(Energy(kilowattHours: 20))
            records[index].goals = [
                Goal(
                    id: UUID(), venueID: venueID, deviceID: records[index].device.device.id, readyBy: hours(12),
                    target: target, created: EventSamples.now)
            ]
            // Their pace is looked for, too.
            if index == 4 { records[index].override = .chargeNow }
        }
        let car = records.removeLast()
        let decided = try replanner.decide([car] + records, guidance: [:], now: EventSamples.now)
        #expect(decided.count == 5)
        #expect(start.duration(to: clock.now) < .seconds(5), "\(start.duration(to: clock.now))")

        let before = clock.now
        let preview = try? replanner.preview(
            [car] + records, guidance: [:], now: EventSamples.now,
            within: PlanningTime(.milliseconds(2_500), clock: clock))
        #expect(preview != nil && before.duration(to: clock.now) < .seconds(3), "\(before.duration(to: clock.now))")
    }
}
