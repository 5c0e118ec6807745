import EnergyModel
import EnergyPlanning
import EnergyStore
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

/// How charging may be switched, and what is guaranteed, in the service's plans.
struct ChargingShapeTests {
    private let now = EventSamples.now

    private func hours(_ hours: Double) -> Timestamp {
        now.advanced(byMilliseconds: Int64(hours * Double(Int64.millisecondsPerHour)))
    }

    private func guidance(_ ratings: [Double], prices: [Double]? = nil, minutes: Int64 = 60) -> Guidance {
        let values = ratings.indices.map { index in
            GuidanceValue(
                interval: Interval(
                    start: now.advanced(byMilliseconds: Int64(index) * minutes * .millisecondsPerMinute),
                    milliseconds: minutes * .millisecondsPerMinute), rating: ratings[index],
                price: prices.map { Price(microsPerKilowattHour: Int64($0[index] * 1_000_000)) })
        }
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: now, milliseconds: Int64(ratings.count) * minutes * .millisecondsPerMinute),
            values: values, locationHasRatePlan: prices != nil, incorporatesRatePlan: prices != nil, issued: now,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    /// A car of 6 kW.
    private func record(
        _ kilowattHours: Double, by end: Double, _ shape: ChargingShape = ChargingShape(), priceMax: Int64? = nil,
        guaranteed: Int = 0
    ) -> DeviceRecord {
        let car = SchedulerWorld.car
        let rules = ChargingRules(priceMax: priceMax.map { Price(microsPerKilowattHour: $0) }, shape: shape)
        return DeviceRecord(
            device: ManagedDevice(device: car.device, venueID: car.venueID, vehicle: car.vehicle, rules: rules),
            timeZone: .gmt,
            goals: [
                Goal(
                    id: UUID(), venueID: car.venueID, deviceID: car.device.id, readyBy: hours(end),
                    target: .energy(Energy(milliwattHours: Int64(kilowattHours * 1_000_000))), created: now,
                    guaranteedPercent: guaranteed)
            ])
    }

    private func plan(
        _ record: DeviceRecord, _ guidance: Guidance, at time: Timestamp? = nil, objective: PlanObjective = .rating
    ) throws -> DevicePlan {
        let replanner = Replanner.patient(VenueSettings(objective: objective))
        guard
            case .plan(let plan) = try replanner.decide([record], guidance: [.shift: guidance], now: time ?? now)[0]
        else { throw EnergyError(.invalidInput, "kept") }
        return plan
    }

    private func runs(_ plan: DevicePlan) -> [Interval] {
        let interval = plan.blocks.last?.interval ?? Interval(start: now, milliseconds: 1)
        return Remainder(of: plan.blocks, in: Interval(start: now, end: interval.end) ?? interval).runs
    }

    /// By quarters of an hour, good and bad by turns.
    private var choppy: Guidance {
        let ratings = (0..<32).map { (quarter: Int) -> Double in
            quarter.isMultiple(of: 2) ? 0.1 : 0.4 + Double(quarter % 5) / 50
        }
        return guidance(ratings, minutes: 15)
    }

    @Test func `who is away now and has no guidance does not charge at once`() throws {
        var record = record(6, by: 8)
        func words() throws -> String {
            guard case .plan(let plan) = try Replanner.patient().decide([record], guidance: [:], now: now)[0] else {
                return ""
            }
            return plan.explanation
        }
        #expect(try words().hasPrefix("Charges at once, because there is no guidance: ready by 13:00"))
        record.device.rules = ChargingRules(absences: [.once(try #require(Interval(start: now, end: hours(4))))])
        let away = try words()
        #expect(away.hasPrefix("Waits for the vehicle to be there: starts 16:00, ready by 17:00"), "\(away)")
        #expect(away.contains("there is no guidance"), "\(away)")
    }

    @Test func `runs and pauses are as long as asked, and no more than asked`() throws {
        #expect(runs(try plan(record(9, by: 8), choppy)).count == 6)
        let hour = Int64.millisecondsPerHour
        let long = runs(try plan(record(9, by: 8, ChargingShape(runMinMilliseconds: hour / 2)), choppy))
        #expect(long.allSatisfy { $0.milliseconds >= hour / 2 } && long.count > 1)
        let rests = runs(try plan(record(9, by: 8, ChargingShape(pauseMinMilliseconds: hour)), choppy))
        #expect(zip(rests, rests.dropFirst()).allSatisfy { $1.start.milliseconds(since: $0.end) >= hour })
        #expect(runs(try plan(record(9, by: 8, ChargingShape(runsMax: 2)), choppy)).count == 2)
        let block = runs(try plan(record(9, by: 8, ChargingShape(runsMax: 1)), choppy))
        #expect(block.map(\.milliseconds) == [hour * 3 / 2])
    }

    @Test func `each start must be worth what it costs, and a run that goes on costs none`() throws {
        #expect(runs(try plan(record(9, by: 8), choppy)).count == 6)
        let dear = try plan(record(9, by: 8, ChargingShape(startCost: 5)), choppy)
        #expect(runs(dear).count == 1 && dear.planned == dear.required)
        let cheap = try plan(record(9, by: 8, ChargingShape(startCost: 0.001)), choppy)
        #expect(runs(cheap).count == 6)
        // In time is more than without starts.
        let ceiled = try plan(
            record(9, by: 2, ChargingShape(startCost: 1_000), priceMax: 300_000),
            guidance(
                [0.1, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.9], prices: [0.1, 0.5, 0.1, 0.5, 0.1, 0.5, 0.1, 0.5], minutes: 15)
        )
        #expect(ceiled.planned == Energy(milliwattHours: 6_000_000))
        #expect(runs(ceiled).count == 4)
    }

    @Test func `one block begins at any time, not only at the edges of prices`() throws {
        // 1.5 h around the good hour: half an hour of the better neighbour.
        let block = runs(
            try plan(record(9, by: 4, ChargingShape(runsMax: 1)), guidance([0.9, 0.6, 0.1, 0.7])))
        #expect(block.first?.start == hours(1.5))
    }

    @Test func `of equally good times the last is taken if asked, with a margin where there is time`() throws {
        let flat = guidance(Array(repeating: 0.5, count: 8))
        #expect(runs(try plan(record(6, by: 8), flat)).first?.start == now)
        let late = ChargingShape(ties: .later)
        #expect(runs(try plan(record(6, by: 8, late), flat)).last?.end == hours(8))
        let safe = ChargingShape(ties: .later, marginMilliseconds: .millisecondsPerHour)
        #expect(runs(try plan(record(6, by: 8, safe), flat)).last?.end == hours(7))
        let tight = try plan(record(6, by: 1.25, safe), flat)
        #expect(tight.planned == tight.required)
    }

    @Test func `preconditioning is charged right before the deadline, whatever it costs`() throws {
        let shape = ChargingShape(preconditionMilliseconds: .millisecondsPerHour / 2)
        let plan = try plan(record(6, by: 4, shape), guidance([0.1, 0.9, 0.9, 0.9]))
        #expect(runs(plan).map(\.milliseconds) == [.millisecondsPerHour / 2, .millisecondsPerHour / 2])
        #expect(runs(plan).last?.end == hours(4))
    }

    @Test func `a margin beside preconditioning is refused, which would be before it`() throws {
        let shape = ChargingShape(marginMilliseconds: 60_000, preconditionMilliseconds: 60_000)
        #expect {
            try GoalRules.check(ChargingRules(shape: shape), for: SchedulerWorld.car)
        } throws: { error in
            (error as? EnergyError)?.message.contains("rules.shape.margin_ms must be 0 beside a preconditioning")
                == true
        }
    }

    @Test func `deadlines come before wishes`() throws {
        // An hour of pause would leave too little time.
        let shape = ChargingShape(pauseMinMilliseconds: 2 * .millisecondsPerHour)
        var resting = record(18, by: 3.25, shape)
        resting.progress.switched = now.advanced(byMilliseconds: -60_000)
        let plan = try plan(resting, guidance([0.9, 0.1, 0.5, 0.8]))
        #expect(plan.planned == plan.required)
        #expect(plan.explanation.contains("no time for"))
    }

    @Test func `a run that began goes on for as long as asked, a pause too`() throws {
        var charging = record(6, by: 4, ChargingShape(runMinMilliseconds: .millisecondsPerHour / 2))
        charging.progress.switched = now.advanced(byMilliseconds: -10 * .millisecondsPerMinute)
        charging.progress.session = .init(id: UUID(), energy: .zero, power: SchedulerWorld.power(6_000_000))
        let on = runs(try plan(charging, guidance([0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1], minutes: 15)))
        #expect(on.first?.start == now)
        #expect((20...35).contains((on.first?.milliseconds ?? 0) / .millisecondsPerMinute))
        var resting = record(6, by: 4, ChargingShape(pauseMinMilliseconds: .millisecondsPerHour))
        resting.progress.switched = now.advanced(byMilliseconds: -10 * .millisecondsPerMinute)
        let off = runs(try plan(resting, guidance([0.1, 0.9, 0.9, 0.9])))
        #expect(off.first?.start == now.advanced(byMilliseconds: 50 * .millisecondsPerMinute))
    }

    /// Of a car with a goal after the first one, too.
    private func withLater(_ kilowattHours: Int64, by end: Double, _ record: DeviceRecord) -> DeviceRecord {
        var record = record
        record.goals.append(
            Goal(
                id: UUID(), venueID: record.device.venueID, deviceID: record.device.device.id, readyBy: hours(end),
                target: .energy(Energy(kilowattHours: Double(kilowattHours))), created: now))
        return record
    }

    @Test func `one block is one for each deadline, also where one goes on now`() throws {
        let shape = ChargingShape(runsMax: 1)
        let hour = { self.hours($0)...self.hours($0 + 1) }
        func times(_ record: DeviceRecord, _ ratings: [Double]) throws -> [ClosedRange<Timestamp>] {
            runs(try plan(record, guidance(ratings))).map { $0.start...$0.end }
        }
        let ratings = [0.9, 0.3, 0.9, 0.9, 0.9, 0.9, 0.1, 0.9]
        var record = withLater(12, by: 8, record(6, by: 4, shape))
        #expect(try times(record, ratings) == [hour(1), hour(6)])
        record.progress.runs = 1
        record.progress.session = .init(id: UUID(), energy: .zero, power: SchedulerWorld.power(6_000_000))
        #expect(try times(record, ratings) == [hour(0), hour(6)])
    }

    @Test func `what the battery has no room for is told`() throws {
        var full = record(50, by: 24)
        func words() throws -> String {
            try plan(full, guidance(Array(repeating: 0.5, count: 24))).explanation
        }
        #expect(!(try words().contains("its battery takes only")))
        full.progress.stateOfCharge = 80
        #expect(try words().contains("by its state of charge its battery takes only"))
    }

    @Test func `the last run that is left is not broken off`() throws {
        var charging = record(6, by: 8, ChargingShape(runsMax: 1))
        charging.progress.runs = 1
        charging.progress.session = .init(id: UUID(), energy: .zero, power: SchedulerWorld.power(6_000_000))
        let runs = runs(try plan(charging, guidance([0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])))
        #expect(runs == [Interval(start: now, milliseconds: .millisecondsPerHour)])
    }

    @Test func `preconditioning that a ceiling keeps from is told`() throws {
        let prices = [0.1, 0.2, 0.6]
        let shape = ChargingShape(preconditionMilliseconds: .millisecondsPerHour / 2)
        let words = "does not charge through the 30 min before its deadline"
        let below = try plan(
            record(6, by: 3, shape, priceMax: 300_000), guidance(prices, prices: prices), objective: .money)
        #expect(below.missing == .zero && below.explanation.contains(words), "\(below.explanation)")
        let free = try plan(record(6, by: 3, shape), guidance(prices, prices: prices), objective: .money)
        #expect(!free.explanation.contains(words))
    }

    @Test func `a guaranteed share is had even above the ceiling, and what is missing is told`() throws {
        let prices = [0.5, 0.4, 0.1, 0.6]
        let guidance = guidance([0.5, 0.4, 0.1, 0.6], prices: prices)
        let without = try plan(record(18, by: 4, priceMax: 300_000), guidance, objective: .money)
        #expect(without.planned == Energy(milliwattHours: 6_000_000))
        let enough = try plan(record(18, by: 4, priceMax: 300_000, guaranteed: 30), guidance, objective: .money)
        #expect(enough.planned == Energy(milliwattHours: 6_000_000))
        let guaranteed = try plan(record(18, by: 4, priceMax: 300_000, guaranteed: 50), guidance, objective: .money)
        #expect(guaranteed.planned == Energy(milliwattHours: 9_000_000))
        #expect(guaranteed.required == Energy(milliwattHours: 18_000_000))
        // Half an hour more, in the next dearer hour.
        #expect(runs(guaranteed).map(\.milliseconds).reduce(0, +) == 90 * .millisecondsPerMinute)
        #expect(runs(guaranteed).allSatisfy { hours(1) <= $0.start && $0.end <= hours(3) })
        #expect(guaranteed.explanation.contains("guaranteed") && guaranteed.explanation.contains("9.0 kWh"))
        #expect(
            guaranteed.explanation.contains("what helps: raise the price ceiling to 0.5"), "\(guaranteed.explanation)")
        #expect(guaranteed.blocks.last?.reason == .abovePriceCeiling)
        let reasons = guaranteed.blocks.filter { $0.power > .zero }.map(\.reason)
        #expect(Set(reasons) == [.lowerRates, .guaranteed], "\(reasons)")
    }

    @Test func `what is missing of a guaranteed share is told beside what the ceiling keeps away`() throws {
        let guidance = guidance([0.5, 0.4], prices: [0.5, 0.4])
        let short = try plan(record(30, by: 2, priceMax: 300_000, guaranteed: 50), guidance, objective: .money)
        #expect(short.planned == Energy(milliwattHours: 12_000_000))
        let text = short.explanation
        #expect(text.contains("3.0 kWh of that will be missing") && text.contains("18.0 kWh in all"), "\(text)")
        #expect(text.contains("; what helps: guarantee 3 kWh less") && text.contains("above the ceiling"), "\(text)")
    }

    @Test(arguments: [[1], [1, 2, 3]])
    func `a vehicle charges with whole steps of its current`(phases: [Int]) throws {
        func power(_ amperes: Int64) -> Power { SchedulerWorld.power(amperes * 230_000 * Int64(phases.count)) }
        let vehicle = VehicleTraits(
            batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: power(16), efficiency: 1,
            powerMin: power(6), phases: phases, currentStep: .init(milliamperes: 2_000))
        #expect(vehicle.step == power(2))
        var record = record(6 * Double(phases.count), by: 4)
        record.device = ManagedDevice(device: record.device.device, venueID: record.device.venueID, vehicle: vehicle)
        let limit = power(11).kilowatts
        let replanner = Replanner.patient(VenueSettings(limits: PlanLimits(importPower: limit)))
        let guidance = [SuggestedAction.shift: guidance([0.4, 0.1, 0.5, 0.8])]
        guard case .plan(let plan) = try replanner.decide([record], guidance: guidance, now: now)[0] else {
            Issue.record("no plan")
            return
        }
        #expect(plan.planned == plan.required)
        // 11 A are left of the connection: 10 is the most in steps of two.
        let powers = plan.blocks.map(\.power).filter { $0 > .zero }
        #expect(powers.max() == power(10))
        #expect(powers.allSatisfy { $0.milliwatts % power(2).milliwatts == 0 })
    }

    @Test func `a battery that is nearly full takes less, in steps`() throws {
        let vehicle = VehicleTraits(
            batteryCapacity: Energy(milliwattHours: 60_000_000), powerMax: SchedulerWorld.power(6_000_000),
            efficiency: 1, powerMin: SchedulerWorld.power(2_000_000), powerStep: SchedulerWorld.power(2_000_000),
            taper: .init(percent: 80, powerAtFull: SchedulerWorld.power(2_000_000)))
        var record = record(1, by: 8)
        record.device = ManagedDevice(device: record.device.device, venueID: record.device.venueID, vehicle: vehicle)
        record.goals = [
            Goal(
                id: UUID(), venueID: record.device.venueID, deviceID: record.device.device.id, readyBy: hours(8),
                target: .stateOfCharge(95), created: now)
        ]
        record.progress.stateOfCharge = 80
        let plan = try plan(record, guidance([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]))
        #expect(plan.planned == plan.required)
        let powers = plan.blocks.map(\.power.milliwatts).filter { $0 > 0 }
        #expect(powers.allSatisfy { $0 % 2_000_000 == 0 })
        #expect(powers.contains { $0 < 6_000_000 })
    }

    @Test func `a ceiling that nobody can keep is told`() throws {
        let told = "its price ceiling cannot be kept: no guidance says the price"
        let car = record(6, by: 4, priceMax: 300_000)
        guard case .plan(let blind) = try Replanner.patient().decide([car], guidance: [:], now: now)[0] else {
            throw EnergyError(.invalidInput, "kept")
        }
        #expect(blind.explanation.hasSuffix(told), "\(blind.explanation)")
        #expect(try plan(car, guidance([0.5, 0.1, 0.5, 0.5])).explanation.hasSuffix(told))
        let prices = [0.4, 0.2, 0.4, 0.4]
        #expect(try !plan(car, guidance(prices, prices: prices), objective: .money).explanation.contains(told))
    }

    /// The other one has its hour in the middle, and could as well have it at the end.
    @Test func `one block is not given up for the sake of a plan that another keeps`() throws {
        let ratings = guidance([0.5, 0.5, 0.5, 0.5])
        var other = record(6, by: 4)
        other.device = ManagedDevice(
            device: Device(id: "car-2", name: "Another car", kind: .electricVehicle), venueID: other.device.venueID,
            vehicle: other.device.vehicle)
        other.adopt(
            try plan(other, guidance([0.5, 0.1, 0.5, 0.5])), now: now)
        #expect(other.schedule?.blocks.first { $0.power > .zero }?.interval.start == hours(1))
        let asked = record(12, by: 3, ChargingShape(runsMax: 1))
        let limits = PlanLimits(exclusive: [["car-1", "car-2"]])
        let decisions = try Replanner.patient(VenueSettings(limits: limits, objective: .rating)).decide(
            [other, asked], guidance: [.shift: ratings], now: now)
        guard case .plan(let plan) = decisions[1] else { throw EnergyError(.invalidInput, "kept") }
        let runs = plan.blocks.filter { $0.power > .zero }
        #expect(plan.missing == .zero && runs.map(\.interval).joined.count == 1, "\(runs.map(\.interval))")
        #expect(!plan.explanation.contains("no time"))
    }
}
