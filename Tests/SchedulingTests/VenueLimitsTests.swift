import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// Limits and forecasts of a venue, as others set them.
struct VenueLimitsTests {
    private let venueID = EventSamples.venueID
    private let car = EventSamples.car.id

    private func second(_ id: String) -> ManagedDevice {
        ManagedDevice(
            device: Device(id: id, name: "Second", kind: .electricVehicle), venueID: venueID,
            vehicle: SchedulerWorld.car.vehicle)
    }

    private func goal(_ world: SchedulerWorld, _ device: String, kilowattHours: Int64, hours: Double) -> GoalDraft {
        GoalDraft(
            venueID: venueID, deviceID: device, readyBy: world.hours(hours),
            target: .energy(Energy(milliwattHours: kilowattHours * 1_000_000)))
    }

    /// Two cars of 6 kW that want the best hour, the second one.
    private func twoCars(_ planning: PlanningSettings = .patient()) async throws -> SchedulerWorld {
        let world = try await SchedulerWorld(planning: planning)
        world.setGuidance(world.guidance([0.9, 0.1, 0.5, 0.8]))
        for device in [SchedulerWorld.car, second("car-2")] {
            _ = try await world.scheduler.put(device)
            _ = try await world.scheduler.put(goal(world, device.device.id, kilowattHours: 6, hours: 4))
        }
        return world
    }

    private func power(_ world: SchedulerWorld, at hour: Double) async -> Int64 {
        await world.scheduler.schedules(ScheduleFilter()).schedules.reduce(0) { sum, schedule in
            sum + (schedule.blocks.first { $0.interval.contains(world.hours(hour)) }?.power.milliwatts ?? 0)
        }
    }

    private func limits(_ circuits: [VenueLimits.Circuit] = [], importPower: Int64? = nil) -> VenueLimits {
        VenueLimits(venueID: venueID, importPower: importPower.map(SchedulerWorld.power), circuits: circuits)
    }

    @Test func `limits that are set hold at once, are remembered, and can be taken back`() async throws {
        let world = try await twoCars()
        #expect(await power(world, at: 1.5) == 12_000_000)
        let asked = limits(importPower: 7_000_000)
        var told = asked
        told.objective = .rating
        #expect(try await world.scheduler.put(asked) == told)
        for hour in [0.5, 1.5, 2.5, 3.5] { #expect(await power(world, at: hour) <= 6_000_000) }
        #expect(await power(world, at: 2.5) == 6_000_000)
        let again = try await SchedulerWorld(store: world.store)
        #expect(await again.scheduler.limits(of: PlannedVenue(venueID: venueID)) == told)
        let cleared = try await world.scheduler.put(VenueLimits(venueID: venueID, isDefault: true))
        #expect(cleared.isDefault && cleared.importPower == nil)
        #expect(await power(world, at: 1.5) == 12_000_000)
        #expect(try await world.store.load().venues.isEmpty)
    }

    @Test func `heating is not held back as long again because the home's limits change`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([1, 0.9, 0.9, 0.1], action: .reduce))
        _ = try await world.scheduler.put(SchedulerWorld.heatPump)
        _ = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: EventSamples.heatPump.id, readyBy: world.hours(4),
                target: .reduce(maxMilliseconds: .millisecondsPerHour)))
        world.clock.advance(by: .seconds(1_800))
        for power in [9_000_000, 8_000_000] as [Int64] {
            _ = try await world.scheduler.put(limits(importPower: power))
            let schedule = try #require(await world.scheduler.schedules(ScheduleFilter()).schedules.first)
            let reduced = schedule.blocks.filter { $0.reason == .reduced && $0.interval.end > world.now }
            #expect(reduced.map(\.interval.end) == [world.hours(1)])
        }
    }

    @Test(arguments: [6_000_000, 1_500_000] as [Int64], [3.0, 5.5])
    func `whoever is asked for one after the other, what is told stays within the limit`(
        powerMin: Int64, needHours: Double
    ) async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.9, 0.4, 0.5, 0.8, 0.3, 0.7]))
        _ = try await world.scheduler.put(limits(importPower: 7_000_000))
        for number in 1...4 {
            let device = ManagedDevice(
                device: second("car-\(number)").device, venueID: venueID,
                vehicle: VehicleTraits(
                    batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: SchedulerWorld.power(6_000_000),
                    powerMin: SchedulerWorld.power(powerMin)))
            _ = try await world.scheduler.put(device)
            // "In three hours", said a little later each time.
            let hours = needHours + Double(number) / Double(Int64.millisecondsPerHour)
            _ = try await world.scheduler.put(goal(world, device.device.id, kilowattHours: 14, hours: hours))
            for minute in 0..<Int(needHours * 60) {
                let power = await power(world, at: (Double(minute) + 0.5) / 60)
                // Each car's is rounded to a milliwatt.
                #expect(power <= 7_000_000 + Int64(number), "car \(number), minute \(minute)")
            }
        }
    }

    @Test func `without limits of its own a venue has those of the settings`() async throws {
        let settings = VenueSettings(
            limits: PlanLimits(
                importPower: 7, circuits: [Circuit(name: "garage", powerPerPhase: 5, members: [car])],
                demandCharge: DemandCharge(price: 2.5, peakSoFar: 3)))
        let world = try await twoCars(.patient(venues: [venueID: settings]))
        let shown = await world.scheduler.limits(of: PlannedVenue(venueID: venueID))
        #expect(shown.isDefault)
        #expect(shown.importPower?.milliwatts == 7_000_000)
        #expect(shown.circuits.first?.powerPerPhase?.milliwatts == 5_000_000)
        #expect(shown.demandCharge == .init(microsPerKilowatt: 2_500_000, peakSoFar: SchedulerWorld.power(3_000_000)))
        _ = try await world.scheduler.put(limits())
        #expect(await power(world, at: 1.5) == 12_000_000)
    }

    @Test func `nested circuits, groups and what runs anyway are kept to`() async throws {
        let world = try await twoCars()
        let fuse = VenueLimits.Circuit(
            name: "main fuse", powerPerPhase: SchedulerWorld.power(3_000_000), carriesBaseLoad: true)
        let garage = VenueLimits.Circuit(
            name: "garage", parent: "main fuse", power: SchedulerWorld.power(20_000_000), deviceIDs: [car, "car-2"])
        _ = try await world.scheduler.put(limits([fuse, garage]))
        // 2 kW a phase each: both would be 4 of 3.
        #expect(await power(world, at: 1.5) == 6_000_000)
        let busy = [0, 0, 1_500_000].map(SchedulerWorld.power)
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, circuits: [fuse, garage], baseLoad: busy))
        // 1.5 kW are left on the third phase.
        #expect(await power(world, at: 1.5) == 0)
        _ = try await world.scheduler.put(VenueLimits(venueID: venueID, exclusive: [[car, "car-2"]]))
        for hour in [0.5, 1.5, 2.5, 3.5] { #expect(await power(world, at: hour) <= 6_000_000) }
        #expect(await power(world, at: 1.5) == 6_000_000)
    }

    @Test func `a demand charge spreads the cars where money counts`() async throws {
        let settings = VenueSettings(objective: .money)
        let world = try await SchedulerWorld(
            planning: .patient(others: settings))
        world.setGuidance(world.guidance([0.5, 0.5, 0.5, 0.5], prices: [0.3, 0.2, 0.3, 0.3]))
        for device in [SchedulerWorld.car, second("car-2")] {
            _ = try await world.scheduler.put(device)
            _ = try await world.scheduler.put(goal(world, device.device.id, kilowattHours: 6, hours: 4))
        }
        #expect(await power(world, at: 1.5) == 12_000_000)
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, demandCharge: .init(microsPerKilowatt: 5_000_000)))
        for hour in [0.5, 1.5, 2.5, 3.5] { #expect(await power(world, at: hour) <= 6_000_000) }
    }

    @Test func `a demand charge moves nothing, and is no reason, where only ratings count`() async throws {
        let world = try await twoCars()
        _ = try await world.scheduler.put(
            VenueLimits(venueID: venueID, demandCharge: .init(microsPerKilowatt: 5_000_000)))
        #expect(await power(world, at: 1.5) == 12_000_000)
        let reasons = await world.scheduler.schedules(ScheduleFilter()).schedules.flatMap(\.blocks).map(\.reason)
        #expect(!reasons.contains { [.peakShaving, .lowPeak].contains($0) })
    }

    @Test func `photovoltaics that are expected are used first, and base load takes room`() async throws {
        let world = try await twoCars()
        func value(_ hour: Double, _ kilowatts: Int64) -> VenueForecast.Value {
            .init(
                interval: Interval(start: world.hours(hour), milliseconds: .millisecondsPerHour),
                power: SchedulerWorld.power(kilowatts * 1_000_000))
        }
        let sunny = VenueForecast(venueID: venueID, photovoltaics: [value(3, 12)])
        #expect(try await world.scheduler.put(sunny) == sunny)
        #expect(await world.scheduler.forecast(of: PlannedVenue(venueID: venueID)) == sunny)
        _ = try await world.scheduler.put(limits(importPower: 6_000_000))
        // What the roof gives emits nothing, and takes no room on the connection.
        #expect(await power(world, at: 3.5) == 12_000_000)
        let busy = VenueForecast(venueID: venueID, baseLoad: [value(1, 1), value(2, 1)])
        _ = try await world.scheduler.put(busy)
        _ = try await world.scheduler.put(limits(importPower: 6_500_000))
        #expect(await power(world, at: 1.5) == 0)
        #expect(await power(world, at: 0.5) + power(world, at: 3.5) == 12_000_000)
        let again = try await SchedulerWorld(store: world.store)
        #expect(await again.scheduler.forecast(of: PlannedVenue(venueID: venueID)) == busy)
        _ = try await world.scheduler.put(VenueForecast(venueID: venueID))
        #expect(try await world.store.load().venues.first?.forecast == nil)
    }

    @Test func `a schedule that other loads leave no room for any more is made anew, with less power in the same run`()
        async throws
    {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.9, 0.1, 0.1, 0.8]))
        let traits = VehicleTraits(
            batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: SchedulerWorld.power(6_000_000),
            efficiency: 1, powerMin: SchedulerWorld.power(1_000_000))
        _ = try await world.scheduler.put(
            ManagedDevice(device: EventSamples.car, venueID: venueID, vehicle: traits))
        _ = try await world.scheduler.put(limits(importPower: 6_000_000))
        let first = try await world.scheduler.put(goal(world, car, kilowattHours: 9, hours: 4))
        #expect(await power(world, at: 1.5) == 6_000_000)
        let busy = VenueForecast.Value(
            interval: Interval(start: world.hours(1), milliseconds: .millisecondsPerHour),
            power: SchedulerWorld.power(2_000_000))
        _ = try await world.scheduler.put(VenueForecast(venueID: venueID, baseLoad: [busy]))
        await world.scheduler.evaluate(world.scheduler.plannedKeys(at: venueID))
        let second = try #require(await world.scheduler.schedules(ScheduleFilter()).schedules.first)
        #expect(second.revision == first.revision + 1)
        #expect(await power(world, at: 1.5) <= 4_000_000)
        #expect(second.missing == .zero)
        await world.scheduler.evaluate(world.scheduler.plannedKeys(at: venueID))
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules == [second])
    }

    @Test func `who is planned anew lacks nothing for the sake of a plan that is kept`() async throws {
        let world = try await SchedulerWorld()
        world.setGuidance(world.guidance([0.5, 0.1, 0.1, 0.8]))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        _ = try await world.scheduler.put(second("car-2"))
        _ = try await world.scheduler.put(limits(importPower: 6_000_000))
        let first = try await world.scheduler.put(goal(world, car, kilowattHours: 12, hours: 4))
        // Half a kWh of it has no room beside the first one's two hours: less than what may lack of a plan that is kept.
        let later = try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: "car-2", readyBy: world.hours(3),
                target: .energy(Energy(milliwattHours: 6_500_000))))
        #expect(first.missing == .zero && later.missing == .zero)
        #expect(await world.scheduler.schedules(ScheduleFilter()).schedules.allSatisfy { $0.missing == .zero })
    }

    @Test func `what a venue is erased with is gone`() async throws {
        let world = try await twoCars()
        _ = try await world.scheduler.put(limits(importPower: 7_000_000))
        _ = try await world.scheduler.erase(DataSubject(venueID: venueID))
        #expect(await world.scheduler.limits(of: PlannedVenue(venueID: venueID)).isDefault)
        #expect(try await world.store.load().venues.isEmpty)
    }

    private func fields(_ body: () async throws(EnergyError) -> Void) async -> [String] {
        do {
            try await body()
            return []
        } catch { return error.violations.isEmpty ? ["\(error.code)"] : error.violations.map(\.field) }
    }

    @Test func `limits that contradict themselves are refused, by field`() async throws {
        let world = try await SchedulerWorld()
        func circuit(_ name: String, _ parent: String? = nil, devices: [String] = ["car"]) -> VenueLimits.Circuit {
            .init(name: name, parent: parent, deviceIDs: devices)
        }
        for (circuits, field) in [
            ([circuit("")], "circuits[0].name"), ([circuit("a"), circuit("a")], "circuits[0].name"),
            ([circuit("a", "b")], "circuits[0].parent"),
            ([circuit("a", "b"), circuit("b", "a")], "circuits[0].parent"),
            ([circuit("a", devices: []), circuit("b", devices: [])], "circuits"),
        ] {
            let asked = limits(circuits)
            #expect(
                await fields { () async throws(EnergyError) in _ = try await world.scheduler.put(asked) }.contains(
                    field))
        }
        let onePhase = VenueLimits(venueID: venueID, baseLoad: [.zero])
        #expect(
            await fields { () async throws(EnergyError) in _ = try await world.scheduler.put(onePhase) } == [
                "base_load_mw"
            ])
        let elsewhere = VenueLimits(venueID: EventSamples.id(99))
        #expect(
            await fields { () async throws(EnergyError) in _ = try await world.scheduler.put(elsewhere) }.count == 1)
        let hour = Interval(start: world.now, milliseconds: .millisecondsPerHour)
        let twice = VenueForecast(
            venueID: venueID, photovoltaics: [.init(interval: hour, power: .zero), .init(interval: hour, power: .zero)])
        #expect(
            await fields { () async throws(EnergyError) in _ = try await world.scheduler.put(twice) } == [
                "photovoltaics"
            ])
    }

    @Test func `a device that a circuit or a group names twice is refused`() {
        let garage = VenueLimits.Circuit(name: "garage", deviceIDs: [car, car])
        let found = VenueLimits(venueID: venueID, circuits: [garage], exclusive: [["car-2", car, "car-2"]]).violations
        #expect(found.map(\.field) == ["circuits[0].device_ids[1]", "exclusive[0].device_ids[2]"])
        #expect(found.map(\.value) == [car, "car-2"])
    }

    @Test func `a forecast that is over when it is told is refused, as one of the wrong year is`() async throws {
        let world = try await SchedulerWorld()
        let past = Interval(start: world.hours(-2), milliseconds: .millisecondsPerHour)
        let asked = VenueForecast(
            venueID: venueID, baseLoad: [.init(interval: past, power: .zero)],
            outdoor: [.init(interval: past, celsius: 4)])
        #expect(
            await fields { () async throws(EnergyError) in _ = try await world.scheduler.put(asked) } == [
                "base_load", "outdoor",
            ])
        let lasting = Interval(start: world.hours(-2), milliseconds: 3 * .millisecondsPerHour)
        _ = try await world.scheduler.put(
            VenueForecast(venueID: venueID, baseLoad: [.init(interval: lasting, power: .zero)]))
    }

    @Test func `a heat pump without a building is refused in a group that could not hold for it`() async throws {
        let world = try await SchedulerWorld()
        let heatPump = ManagedDevice(device: Device(id: "pump", name: "Pump", kind: .hvac), venueID: venueID)
        for device in [SchedulerWorld.car, heatPump] { _ = try await world.scheduler.put(device) }
        let error = await #expect(throws: EnergyError.self) {
            _ = try await world.scheduler.put(VenueLimits(venueID: venueID, exclusive: [[car, "pump"]]))
        }
        let violation = try #require(error?.violations.first)
        #expect(violation.field == "exclusive[0].device_ids[1]" && violation.value == "pump")
        #expect(violation.rule.contains("climate"))
    }

    @Test(arguments: [nil, "house"])
    func `a device is on one circuit, and on those that feed it`(parent: String?) async throws {
        let world = try await twoCars()
        let house = VenueLimits.Circuit(name: "house", deviceIDs: [car, "car-2"])
        let garage = VenueLimits.Circuit(name: "garage", parent: parent, deviceIDs: ["car-2"])
        let found = VenueLimits(venueID: venueID, circuits: [house, garage]).violations
        #expect(found.map(\.field) == (parent == nil ? ["circuits[1].device_ids[0]"] : []))
        guard parent == nil else {
            _ = try await world.scheduler.put(limits([house, garage]))
            return
        }
        #expect(found.allSatisfy { $0.rule.contains("house") && $0.value == "car-2" })
        await #expect(throws: EnergyError.self) { _ = try await world.scheduler.put(limits([house, garage])) }
    }

    @Test func `devices that the venue does not have are refused by circuit, with those that it has`() async throws {
        let world = try await twoCars()
        let garage = VenueLimits.Circuit(
            name: "garage", power: SchedulerWorld.power(9_000_000), deviceIDs: [car, "car-3"])
        let asked = VenueLimits(venueID: venueID, circuits: [garage], exclusive: [["car-2", "dishwasher"]])
        let error = await #expect(throws: EnergyError.self) { _ = try await world.scheduler.put(asked) }
        #expect(error?.code == .invalidInput)
        let violations = error?.violations ?? []
        #expect(violations.map(\.field) == ["circuits[0].device_ids[1]", "exclusive[0].device_ids[1]"])
        #expect(violations.map(\.value) == ["car-3", "dishwasher"])
        #expect(violations.first?.rule.contains("garage") == true)
        for id in [car, "car-2"] { #expect(violations.allSatisfy { $0.rule.contains(id) }) }
        #expect(await world.scheduler.limits(of: PlannedVenue(venueID: venueID)).circuits.isEmpty)
        let known = VenueLimits.Circuit(name: "garage", power: SchedulerWorld.power(9_000_000), deviceIDs: [car])
        _ = try await world.scheduler.put(limits([known]))
    }
}
