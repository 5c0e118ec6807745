import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Testing

@testable import Scheduling

/// What the log is told of vehicles that tell nothing themselves.
struct ToldStatusTests {
    private let now = EventSamples.now
    private let car = EventSamples.car.id

    @Test(arguments: [false, true])
    func `charging that was asked for is told as it is, after ten seconds for the vehicle to begin`(
        begins: Bool
    ) async throws {
        let (world, task) = try await SchedulerWorld.waitingCar()
        _ = try await world.scheduler.override(
            OverrideRequest(venueID: EventSamples.venueID, deviceID: car, action: .chargeNow))
        if begins {
            world.append([EventSamples.vehicle(at: EventSamples.now.advanced(byMilliseconds: 1), .begin)])
            world.eventUpdates.send(.joined)
            while try await world.store.load().records.first?.progress.session == nil { await Task.yield() }
        }
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(10))
        let event = try #require(await world.submitted.next())
        guard case .vehicleStatus(let status) = event.content else {
            Issue.record("\(event)")
            return
        }
        #expect(event.timestamp == EventSamples.now.advanced(byMilliseconds: 10_000))
        #expect(status.status == (begins ? .active(.userInitiated) : .idle(.unknown)))
        #expect(status.target?.stateOfCharge == 55 && status.target?.scheduledStart == event.timestamp)
        task.cancel()
        await task.value
    }

    @Test func `one that is plugged in, has a plan and takes no power is told of, and planned so after ten minutes`()
        async throws
    {
        let (world, task) = try await SchedulerWorld.waitingCar([0.1] + Array(repeating: 0.9, count: 7))
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(61))
        guard case .vehicleStatus(let status)? = await world.submitted.next()?.content else {
            Issue.record("no status")
            return
        }
        #expect(status.status == .idle(.unknown) && status.target?.scheduledStart == world.now)
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(9 * 60))
        while let next = await world.publisher.publications.next() {
            if try Schedule(decoding: next.body).explanation.contains("and has not") { break }
        }
        #expect(world.now == now.advanced(byMilliseconds: 601_000))
        task.cancel()
        await task.value
    }

    @Test func `the log is told why a vehicle waits, once, a minute after nobody else did`() async throws {
        let (world, task) = try await SchedulerWorld.waitingCar()
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(61))
        let event = try #require(await world.submitted.next())
        guard case .vehicleStatus(let status) = event.content else {
            Issue.record("\(event)")
            return
        }
        #expect(event.device == EventSamples.car)
        #expect(status.status == .idle(.waitingForCleanerEnergy))
        #expect(status.stateOfCharge == 45)
        #expect(status.energyMilliwattHours == 27_000_000)
        #expect(
            status.target
                == ChargingTarget(
                    stateOfCharge: 55, estimatedCompletion: world.hours(3), scheduledStart: world.hours(2)))
        task.cancel()
        await task.value
    }

    @Test func `another time and another target are told too, and what nearly stays is not`() async throws {
        let (world, task) = try await SchedulerWorld.waitingCar()
        func target(_ stateOfCharge: Int) async throws {
            _ = try await world.scheduler.put(
                GoalDraft(
                    venueID: EventSamples.venueID, deviceID: car, readyBy: world.hours(8),
                    target: .stateOfCharge(stateOfCharge)))
        }
        func told() async throws -> ChargingTarget? {
            await world.clock.waitForSleepers()
            world.clock.advance(by: .seconds(61))
            let event = try #require(await world.submitted.next())
            guard case .vehicleStatus(let status) = event.content else { return nil }
            #expect(status.status == .idle(.waitingForCleanerEnergy))
            world.append([event])
            world.eventUpdates.send(.joined)
            while try await world.store.load().records.first?.progress.status != status.status { await Task.yield() }
            return status.target
        }
        let first = try await told()
        #expect(first?.stateOfCharge == 55 && first?.estimatedCompletion == world.hours(3))
        // Six minutes longer.
        try await target(56)
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(61))
        try await target(50)
        let second = try await told()
        #expect(second?.stateOfCharge == 50 && second?.estimatedCompletion == world.hours(2.5))
        task.cancel()
        await task.value
    }
}
