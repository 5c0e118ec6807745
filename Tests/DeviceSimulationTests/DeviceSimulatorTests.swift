import DeviceSimulation
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

struct DeviceSimulatorTests {
    private func isIdle(_ event: Event, _ reason: IdleReason) -> Bool {
        if case .vehicleStatus(let status) = event.content { status.status == .idle(reason) } else { false }
    }

    /// Takes batches until one holds an event like this.
    private func arrival(_ world: SimulatorWorld, where matches: (Event) -> Bool) async -> Event? {
        while let batch = await world.arrivals.next() {
            if let event = batch.first(where: matches) { return event }
        }
        return nil
    }

    @Test func `the first start submits two weeks, sets goals and then follows the schedule`() async throws {
        let world = SimulatorWorld()
        try await world.running {
            let goal = try #require(await world.goals.next())
            #expect(goal.deviceID == "simulated-car")
            #expect(goal.target == .stateOfCharge(80))
            #expect(await world.goals.next()?.deviceID == "simulated-heat-pump")
            let waiting = try #require(
                await arrival(world) { isIdle($0, .waitingForCleanerEnergy) && $0.timestamp >= EventSamples.now })
            guard case .vehicleStatus(let status) = waiting.content else { return }
            #expect(status.target?.scheduledStart == EventSamples.now.advanced(byMilliseconds: 300_000))
            // The orders bring 7.4 kWh from the grid, of which 90 % reach the 64 kWh of the battery.
            let expected = Double(status.energyMilliwattHours + 6_660_000) / 640_000
            #expect(status.target?.stateOfCharge == Int(expected.rounded()))

            // Living, sending, goals, two schedules: whoever sleeps, the charge begins after five minutes.
            await world.clock.waitForSleepers(1)
            world.clock.advance(by: .seconds(300))
            let begin = try #require(
                await arrival(world) { $0.session?.state == .begin && $0.timestamp > EventSamples.now })
            #expect(begin.timestamp == EventSamples.now.advanced(byMilliseconds: 300_000))
            #expect(begin.session?.guidanceToken == EventSamples.token)
            #expect(begin.session?.wasFollowingGuidance == true)
        }
        #expect(world.violations().isEmpty)
        let first = try #require(world.log.value.first?.timestamp)
        #expect(EventSamples.now.milliseconds(since: first) >= 13 * .millisecondsPerDay)
        #expect(world.log.value.count > 300)
    }

    @Test func `a plan that changes while the car waits is reported`() async throws {
        let world = SimulatorWorld()
        try await world.running {
            let goal = try #require(await world.goals.next())
            _ = try #require(
                await arrival(world) { isIdle($0, .waitingForCleanerEnergy) && $0.timestamp >= EventSamples.now })
            let (start, now) = (EventSamples.now.advanced(byMilliseconds: 600_000), EventSamples.now)
            let block = ScheduleBlock(
                interval: Interval(start: start, milliseconds: .millisecondsPerHour),
                power: try Power(milliwatts: 7_400_000), stageMax: 100, energy: Energy(milliwattHours: 7_400_000),
                rating: 0.1, reason: .cleanerEnergy)
            let schedule = Schedule(
                id: UUID(), venueID: goal.venueID, deviceID: goal.deviceID,
                goal: Goal(
                    id: UUID(), venueID: goal.venueID, deviceID: goal.deviceID, readyBy: goal.readyBy,
                    target: goal.target, created: now), revision: 2, planned: now,
                guidanceToken: EventSamples.token, blocks: [block], required: block.energy, plannedEnergy: block.energy,
                explanation: "later")
            world.scheduleUpdates.send(
                .publication(
                    Publication(
                        topic: Topics.schedule(venueID: goal.venueID, deviceID: goal.deviceID), epoch: 1, sequence: 1,
                        body: schedule.encoded())))
            let second = try #require(
                await arrival(world) { event in
                    if case .vehicleStatus(let status) = event.content {
                        status.target?.scheduledStart == start
                    } else {
                        false
                    }
                })
            #expect(second.timestamp >= EventSamples.now)
        }
        #expect(world.violations().isEmpty)
    }

    @Test func `reasons and target are those of the published schedule`() async throws {
        let world = SimulatorWorld()
        try await world.running {
            let goal = try #require(await world.goals.next())
            _ = try #require(
                await arrival(world) { isIdle($0, .waitingForCleanerEnergy) && $0.timestamp >= EventSamples.now })
            func block(_ minutes: Range<Int64>, _ kilowatts: Double, _ reason: ScheduleReason) throws -> ScheduleBlock {
                let start = EventSamples.now.advanced(byMilliseconds: minutes.lowerBound * .millisecondsPerMinute)
                let length = Int64(minutes.count) * .millisecondsPerMinute
                return ScheduleBlock(
                    interval: Interval(start: start, milliseconds: length), power: Power(kilowatts: kilowatts),
                    stageMax: 100, energy: Energy(milliwattHours: 1_000_000), rating: 0.1, reason: reason)
            }
            let schedule = Schedule(
                id: UUID(), venueID: goal.venueID, deviceID: goal.deviceID,
                goal: Goal(
                    id: UUID(), venueID: goal.venueID, deviceID: goal.deviceID, readyBy: goal.readyBy,
                    target: .stateOfCharge(85), created: EventSamples.now), revision: 2, planned: EventSamples.now,
                guidanceToken: EventSamples.token,
                blocks: try [
                    block(0..<5, 0, .loadBalancing), block(5..<20, 7.4, .minimumCharge),
                    block(20..<720, 7.4, .lowerRates),
                ], required: .zero, plannedEnergy: .zero, explanation: "for a reason")
            world.scheduleUpdates.send(
                .publication(
                    Publication(
                        topic: Topics.schedule(venueID: goal.venueID, deviceID: goal.deviceID), epoch: 1, sequence: 1,
                        body: schedule.encoded())))
            let waiting = try #require(await arrival(world) { isIdle($0, .loadBalancing) })
            guard case .vehicleStatus(let status) = waiting.content else { return }
            #expect(status.target?.stateOfCharge == 85)
            for (seconds, reason) in [(300, ActiveReason.scheduledStart), (900, .lowerElectricityRatesAvailable)] {
                await world.clock.waitForSleepers(1)
                world.clock.advance(by: .seconds(seconds))
                _ = try #require(
                    await arrival(world) { event in
                        if case .vehicleStatus(let status) = event.content {
                            status.status == .active(reason)
                        } else {
                            false
                        }
                    })
            }
        }
        #expect(world.violations().isEmpty)
    }

    @Test func `a second start goes on where the first stopped`() async throws {
        let world = SimulatorWorld()
        try await world.running { _ = try #require(await world.goals.next()) }
        let before = world.log.value
        world.clock.advance(by: .seconds(3_600))
        try await world.running {
            _ = try #require(await arrival(world) { $0.timestamp > EventSamples.now })
        }
        #expect(world.log.value.starts(with: before))
        #expect(Set(world.log.value.map(\.id)).count == world.log.value.count)
        #expect(world.violations().isEmpty)
    }

    @Test func `a household stays at its venue when another is the first of the list by then`() async throws {
        let world = SimulatorWorld()
        try await world.running { _ = try #require(await world.goals.next()) }
        world.venues.update {
            $0.insert(
                Venue(
                    id: EventSamples.id(11), name: "Cabin", timeZone: SimulatorWorld.zone, region: "CISO",
                    changed: EventSamples.now), at: 0)
        }
        world.clock.advance(by: .seconds(3_600))
        try await world.running {
            _ = try #require(await arrival(world) { $0.timestamp > EventSamples.now })
        }
        #expect(Set(world.log.value.map(\.venueID)) == [EventSamples.venueID])
    }

    @Test func `nobody moves into a home that somebody sets up, but into the demo`() async throws {
        let world = SimulatorWorld()
        func venue(_ id: UInt64, _ name: String, _ plan: String?) -> Venue {
            Venue(
                id: EventSamples.id(id), name: name, timeZone: SimulatorWorld.zone, region: "CISO", ratePlanID: plan,
                changed: EventSamples.now)
        }
        world.venues.update { $0 = [] }
        try await world.running {
            await world.clock.waitForSleepers(1)
            world.venues.update { $0 = [venue(11, "Cabin", nil)] }
            world.clock.advance(by: .seconds(5))
            await world.clock.waitForSleepers(1)
            #expect(world.log.value.isEmpty)
            world.venues.update { $0.append(venue(12, DemoHome.name, DemoHome.ratePlan.id)) }
            world.clock.advance(by: .seconds(5))
            _ = try #require(await world.goals.next())
        }
        #expect(Set(world.log.value.map(\.venueID)) == [EventSamples.id(12)])
    }

    @Test func `a lost acknowledgement loses and doubles nothing`() async throws {
        let world = SimulatorWorld()
        world.losesNextAnswer.set(true)
        try await world.running {
            let first = try #require(await world.arrivals.next())
            await world.clock.waitForSleepers(1)
            // Until the same batch comes again, time passes.
            var second: [Event]?
            let retry = Task { await world.arrivals.next() }
            while second == nil {
                world.clock.advance(by: .milliseconds(250))
                if world.events.calls.count > 1 { second = await retry.value }
                await Task.yield()
            }
            #expect(second == first)
        }
        #expect(Set(world.log.value.map(\.id)).count == world.log.value.count)
        #expect(world.violations().isEmpty)
    }

    @Test func `while the log is away events wait on disk, also across a restart`() async throws {
        let world = SimulatorWorld()
        world.events.isAway = true
        try await world.running(historyDays: 2) {
            // The first try has failed and waits.
            while world.events.calls.isEmpty { await Task.yield() }
        }
        #expect(world.log.value.isEmpty)
        world.events.isAway = false
        try await world.running(historyDays: 2) {
            _ = try #require(await arrival(world) { $0.timestamp == EventSamples.now })
        }
        #expect(world.violations().isEmpty)
        let first = try #require(world.log.value.first?.timestamp)
        #expect(EventSamples.now.milliseconds(since: first) >= .millisecondsPerDay)
    }

    @Test func `a device that has a past gets no second one`() async throws {
        let world = SimulatorWorld()
        world.pastEnergy.set(Energy(milliwattHours: 1))
        try await world.running {
            let plugIn = try #require(await arrival(world) { $0.device.kind == .electricVehicle })
            #expect(plugIn.timestamp == EventSamples.now)
        }
        #expect(world.log.value.allSatisfy { $0.timestamp >= EventSamples.now })
    }

    @Test func `a damaged state file stops the start and is left alone`() async throws {
        let world = SimulatorWorld()
        let file = world.folder.appending(path: "simulator.json")
        try FileManager.default.createDirectory(at: world.folder, withIntermediateDirectories: true)
        try Data("not JSON".utf8).write(to: file)
        await #expect(throws: EnergyError.self) { try await world.simulator().run() }
        #expect(try Data(contentsOf: file) == Data("not JSON".utf8))
    }
}
