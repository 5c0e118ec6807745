import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import Foundation
import Testing

@testable import Scheduling

struct VenuePlannerTests {
    private let now = EventSamples.now

    private func hours(_ hours: Double) -> Timestamp {
        now.advanced(byMilliseconds: Int64(hours * Double(Int64.millisecondsPerHour)))
    }

    private func guidance(
        _ ratings: [Double], prices: [Double]? = nil, carbon: [Double]? = nil
    ) -> Guidance {
        let values = ratings.indices.map { hour in
            GuidanceValue(
                interval: Interval(start: hours(Double(hour)), milliseconds: .millisecondsPerHour),
                rating: ratings[hour], carbonIntensity: carbon?[hour],
                price: prices.map { Price(microsPerKilowattHour: Int64($0[hour] * 1_000_000)) })
        }
        return Guidance(
            token: UUID(), venueID: EventSamples.venueID, action: .shift,
            interval: Interval(start: now, milliseconds: Int64(ratings.count) * .millisecondsPerHour), values: values,
            locationHasRatePlan: prices != nil, incorporatesRatePlan: prices != nil, issued: now,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test"))
    }

    private func task(
        _ id: String, _ kilowattHours: Int64, by end: Double, power: Int64 = 6, powerMin: Int64? = nil,
        rules: ChargeRules = ChargeRules(), phases: [Int] = [1, 2, 3]
    ) -> ChargeTask {
        ChargeTask(
            deviceID: id,
            vehicle: VehicleTraits(
                batteryCapacity: Energy(milliwattHours: 60_000_000),
                powerMax: SchedulerWorld.power(power * 1_000_000), efficiency: 1,
                powerMin: powerMin.map { SchedulerWorld.power($0 * 1_000_000) }, phases: phases),
            timeZone: .gmt, goals: [(by: hours(end), energy: Energy(milliwattHours: kilowattHours * 1_000_000))],
            end: hours(end), rules: rules)
    }

    private func plan(
        _ tasks: [ChargeTask], _ guidance: Guidance?, _ settings: VenueSettings = VenueSettings(),
        timeLimit: Duration = .seconds(60)
    ) throws -> [DevicePlan] {
        let planner = VenuePlanner(
            planner: .patient, settings: settings, time: PlanningTime(timeLimit, clock: WorkClock()))
        return try planner.plan(tasks, from: now, guidance: guidance).plans
    }

    private func power(_ plan: DevicePlan, at hour: Double) -> Double {
        plan.blocks.first { $0.interval.contains(hours(hour)) }?.power.kilowatts ?? 0
    }

    private func isWhole(_ plan: DevicePlan, until end: Double) -> Bool {
        plan.blocks.first?.interval.start == now && plan.blocks.last?.interval.end == hours(end)
            && zip(plan.blocks, plan.blocks.dropFirst()).allSatisfy { $0.interval.end == $1.interval.start }
    }

    @Test func `what others do for a part of an hour leaves no room in that part`() throws {
        let part = Interval(start: hours(1.9), end: hours(2))
        let other = DevicePlan(
            blocks: part.map {
                [
                    ScheduleBlock(
                        interval: $0, power: SchedulerWorld.power(5_000_000), stageMax: 100,
                        energy: Energy(milliwattHours: 500_000), rating: 0.1, reason: .cleanerEnergy)
                ]
            } ?? [], guidanceToken: nil, required: .zero, planned: .zero, explanation: "")
        var planner = VenuePlanner(
            planner: .patient,
            settings: VenueSettings(
                limits: PlanLimits(circuits: [Circuit(name: "fuse", power: 7, carriesBaseLoad: true)])),
            time: PlanningTime(.seconds(60), clock: WorkClock()))
        planner.others = [other]
        let plan = try planner.plan([task("a", 6, by: 4)], from: now, guidance: guidance([0.9, 0.1, 0.5, 0.8])).plans[0]
        #expect(plan.planned == plan.required)
        // The mean of the hour is 0.5 kW.
        #expect(power(plan, at: 1.89) == 6 && power(plan, at: 1.91) == 0 && power(plan, at: 1.99) == 0)
    }

    @Test(arguments: [[0.1, 0.1, 0.9, 0.9], [0.9, 0.1, 0.1, 0.9], [0.9, 0.9, 0.1, 0.1]])
    func `a plan that begins some milliseconds into an hour tells all of its energy`(ratings: [Double]) throws {
        // As a schedule is made a moment after the hour began: the rest of the best hours is a little too short.
        for milliseconds: Int64 in [1, 20, 999, 1_001] {
            let start = now.advanced(byMilliseconds: milliseconds)
            let planner = VenuePlanner(
                planner: .patient, settings: VenueSettings(), time: PlanningTime(.seconds(60), clock: WorkClock()))
            let plan = try planner.plan([task("car", 12, by: 4)], from: start, guidance: guidance(ratings)).plans[0]
            #expect(plan.blocks.reduce(Energy.zero) { $0 + $1.energy } == plan.required)
            #expect(plan.blocks.first?.interval.start == start && plan.blocks.last?.interval.end == hours(4))
            #expect(plan.blocks.allSatisfy { $0.interval.milliseconds >= 1_000 })
        }
    }

    @Test func `a quarter of an hour in which the home takes much leaves no room in it`() throws {
        var settings = VenueSettings(
            limits: PlanLimits(circuits: [Circuit(name: "fuse", power: 17, carriesBaseLoad: true)]))
        let peak = Interval(start: hours(1), milliseconds: 15 * .millisecondsPerMinute)
        settings.forecast = VenueForecast(
            venueID: EventSamples.venueID, baseLoad: [.init(interval: peak, power: SchedulerWorld.power(16_000_000))])
        let plan = try plan(
            [task("car", 22, by: 4, power: 11, powerMin: 11)], guidance([0.9, 0.1, 0.1, 0.1]), settings)[0]
        #expect(plan.planned == plan.required)
        #expect(power(plan, at: 1.01) == 0 && power(plan, at: 1.24) == 0 && power(plan, at: 1.26) == 11)
    }

    @Test(arguments: [false, true])
    func `cars that cannot both have whole hours follow one another inside one`(isExclusive: Bool) throws {
        let limits =
            isExclusive
            ? PlanLimits(exclusive: [["a", "b"]])
            : PlanLimits(circuits: [Circuit(name: "fuse", power: 11.04, carriesBaseLoad: true)])
        let cars = ["a", "b"].map { id in
            var car = task(id, 5, by: 1, power: 11, powerMin: 11)
            car.goals[0].energy = Energy(milliwattHours: 4_500_000)
            return car
        }
        let plans = try plan(cars, guidance([0.5]), VenueSettings(limits: limits))
        for plan in plans { #expect(plan.required - plan.planned < Energy(milliwattHours: 20_000)) }
        for minute in stride(from: 0.5, to: 60, by: 1) {
            #expect(plans.count { power($0, at: minute / 60) > 0 } <= 1, "minute \(minute)")
        }
    }

    @Test func `one that does not charge does not lack much for the little that another gains now`() throws {
        var cars = ["a", "b"].map { id in
            var car = task(id, 5, by: 1, power: 11, powerMin: 11)
            car.goals[0].energy = Energy(milliwattHours: 4_500_000)
            return car
        }
        cars[1].drawsNothing = true
        let limits = PlanLimits(circuits: [Circuit(name: "fuse", power: 11.04, carriesBaseLoad: true)])
        let plans = try plan(cars, guidance([0.5]), VenueSettings(limits: limits))
        for plan in plans { #expect(plan.required - plan.planned < Energy(milliwattHours: 20_000)) }
    }

    @Test func `of several that draw nothing only those whose room somebody needs leave it`() throws {
        var cars = ["a", "b", "c"].map { task($0, 11, by: 6, power: 4, powerMin: 1) }
        (cars[0].drawsNothing, cars[1].drawsNothing) = (true, true)
        let limits = PlanLimits(circuits: [Circuit(name: "fuse", power: 9, carriesBaseLoad: true)])
        let plans = try plan(cars, guidance([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), VenueSettings(limits: limits))
        #expect(power(plans[2], at: 0.1) == 4)
        let others = [power(plans[0], at: 0.1), power(plans[1], at: 0.1)]
        #expect(others.reduce(0, +) > 0 && others.reduce(0, +) <= 5, "\(others)")
    }

    @Test func `half an hour at full power does not count as sun what an hour gives`() throws {
        var settings = VenueSettings()
        let sun = Interval(start: hours(2), end: hours(3)).map {
            VenueForecast.Value(interval: $0, power: SchedulerWorld.power(6_000_000))
        }
        settings.forecast = VenueForecast(venueID: EventSamples.venueID, photovoltaics: [sun].compactMap(\.self))
        var car = task("car", 11, by: 3, power: 11, powerMin: 11)
        car.goals[0].energy = Energy(milliwattHours: 16_500_000)
        let plan = try plan([car], guidance([0.2, 0.25, 0.9]), settings)[0]
        // In the sun 5 of the 11 kW would come from the grid at its worst.
        #expect(plan.planned == plan.required && power(plan, at: 2.1) == 0 && power(plan, at: 2.9) == 0)
    }

    @Test func `two cars that would overbook the fuse in the best hour take turns, and say why`() throws {
        let settings = VenueSettings(
            limits: PlanLimits(circuits: [Circuit(name: "fuse", power: 7, carriesBaseLoad: true)]),
            baseLoad: [0.2, 0.2, 0.2])
        let plans = try plan(
            [task("a", 6, by: 4), task("b", 6, by: 4)], guidance([0.9, 0.1, 0.5, 0.8]), settings)
        for hour in [0.5, 1.5, 2.5, 3.5] { #expect(plans.reduce(0) { $0 + power($1, at: hour) } <= 6.4) }
        #expect(plans.allSatisfy { $0.planned == $0.required && isWhole($0, until: 4) })
        #expect(Set(plans.map { power($0, at: 1.5) }) == [0, 6])
        #expect(Set(plans.map { power($0, at: 2.5) }) == [0, 6])
        let later = try #require(plans.first { power($0, at: 2.5) > 0 })
        #expect(later.blocks.contains { $0.reason == .loadBalancing })
        #expect(later.explanation.contains("circuit fuse"))
    }

    @Test func `a circuit whose phases are all in the way is named once`() throws {
        func why(_ phases: [Int]) throws -> String {
            let settings = VenueSettings(limits: PlanLimits(circuits: [Circuit(name: "main fuse", powerPerPhase: 2)]))
            return try plan([task("a", 12, by: 1, power: 12, phases: phases)], guidance([0.5]), settings)[0].explanation
        }
        #expect(try why([1, 2, 3]).contains("because circuit main fuse leaves too little room"))
        #expect(
            try why([1, 2]).contains(
                "circuit main fuse, phase 1 and circuit main fuse, phase 2 leave too little room"))
        #expect(Shortfall.tooLittleRoom(["circuit main fuse", "car-x"]).hasSuffix("car-x leave too little room"))
    }

    @Test func `a car that can charge with less shares a phase with another`() throws {
        let settings = VenueSettings(limits: PlanLimits(circuits: [Circuit(name: "fuse", powerPerPhase: 4)]))
        let plans = try plan(
            [
                task("a", 3, by: 1, power: 3, powerMin: 1, phases: [1]),
                task("b", 3, by: 2, power: 9, powerMin: 3, phases: [1, 2, 3]),
            ], guidance([0.1, 0.9]), settings)
        #expect(power(plans[0], at: 0.5) == 3)
        #expect(abs(power(plans[1], at: 0.5) - 3) < 1e-6)
        #expect(plans.allSatisfy { $0.planned == $0.required })
    }

    @Test func `what cannot be done is done as far as it can, with what is missing and what would help`() throws {
        let settings = VenueSettings(limits: PlanLimits(importPower: 6))
        let tight = try plan([task("a", 12, by: 1)], guidance([0.5]))[0]
        #expect(tight.planned == Energy(milliwattHours: 6_000_000))
        #expect(tight.explanation.contains("6.0 kWh will be missing"))
        #expect(tight.blocks.map(\.reason) == [.deadline])
        let crowded = try plan([task("a", 12, by: 2), task("b", 6, by: 2)], guidance([0.5, 0.5]), settings)
        let missing = crowded.reduce(Energy.zero) { $0 + $1.required - $1.planned }
        #expect(missing == Energy(milliwattHours: 6_000_000))
        #expect(crowded.contains { $0.explanation.contains("import limit") && $0.explanation.contains("what helps") })
    }

    @Test func `all that is in the way is said, with up to three things that help`() throws {
        // Too little time even without the ceiling, and above it all the time.
        var dear = task("a", 30, by: 2)
        dear.rules.priceMax = 0.2
        let prices = guidance([0.5, 0.5], prices: [0.31, 0.31])
        let blocked = try plan([dear], prices)[0].explanation
        #expect(blocked.contains("too short and rates are above the ceiling for too long: 30"), "\(blocked)")
        // The same with a part that is had at once.
        dear.urgent = (Energy(milliwattHours: 3_000_000), .minimumCharge)
        let some = try plan([dear], prices)[0].explanation
        #expect(some.hasPrefix("Charges what it can until"), "\(some)")
        #expect(some.contains("too short and rates are above the ceiling for too long: 27"), "\(some)")
        let late = try plan([task("a", 30, by: 2)], prices)[0].explanation
        #expect(late.hasPrefix("Charges at once, the time until") && late.contains("; what helps: "), "\(late)")
        #expect(late.contains("; or "), "\(late)")
    }

    @Test func `a wish that there is no time for is named, and no other`() throws {
        var runs = task("a", 12, by: 3)
        runs.rules.absences = [Interval(start: hours(1), milliseconds: .millisecondsPerHour)]
        runs.runsMax = 1
        var margin = task("a", 18, by: 3)
        margin.marginMilliseconds = .millisecondsPerHour
        for (task, said) in [(runs, "no time for its runs and pauses"), (margin, "no time for its margin")] {
            let plan = try plan([task], guidance([0.5, 0.5, 0.5]))[0]
            #expect(plan.explanation.hasSuffix(said), "\(plan.explanation)")
        }
    }

    @Test func `a wish that costs nothing is kept, though energy will be missing`() throws {
        var short = task("a", 30, by: 2)
        short.runsMax = 1
        let plan = try plan([short], guidance([0.5, 0.5]))[0]
        #expect(plan.missing > .zero && !plan.explanation.contains("no time for"), "\(plan.explanation)")
    }

    @Test func `money, carbon and a mix of them choose other hours than the rating`() throws {
        let guidance = guidance(
            [0.1, 0.5, 0.9, 0.6], prices: [0.30, 0.10, 0.40, 0.20], carbon: [400, 500, 100, 150])
        for (objective, best) in [
            (PlanObjective.rating, 0.5), (.money, 1.5), (.carbon, 2.5),
            (PlanObjective(money: 1, carbon: 0.5, rating: 0), 3.5),
        ] {
            let plan = try plan([task("a", 6, by: 4)], guidance, VenueSettings(objective: objective))[0]
            #expect(power(plan, at: best) == 6, "\(objective)")
        }
        // Without a price money cannot decide.
        let plan = try plan([task("a", 6, by: 2)], self.guidance([0.9, 0.1]), VenueSettings(objective: .money))[0]
        #expect(power(plan, at: 1.5) == 6)
    }

    @Test func `time beyond the guidance is a forecast, dearer than what is known of the same hour, never free`() throws
    {
        let day = (0..<24).map { $0 == 3 ? 0.1 : 0.8 }
        let one = try plan([task("a", 6, by: 60)], guidance(day, prices: day), VenueSettings(objective: .money))[0]
        #expect(power(one, at: 3.5) == 6)
        // Two hours: tomorrow's dip is better than today's other hours, as far as one can know.
        let two = try plan([task("a", 12, by: 60)], guidance(day, prices: day), VenueSettings(objective: .money))[0]
        #expect(power(two, at: 3.5) == 6)
        #expect(power(two, at: 27.5) == 6)
        #expect(two.explanation.contains("what follows is a forecast"))
    }

    @Test func `ceilings and absences are kept, and told`() throws {
        let guidance = guidance([0.1, 0.2, 0.3, 0.4], prices: [0.5, 0.1, 0.1, 0.1], carbon: [1, 1, 900, 1])
        var rules = ChargeRules()
        rules.priceMax = 0.3
        rules.carbonMax = 500
        let one = try plan([task("a", 6, by: 4, rules: rules)], guidance)[0]
        #expect(power(one, at: 1.5) == 6)
        #expect(one.blocks.first?.reason == .abovePriceCeiling)
        let short = try plan([task("a", 18, by: 4, rules: rules)], guidance)[0]
        #expect(short.blocks.map(\.reason).contains(.aboveCarbonCeiling))
        #expect(short.explanation.contains("ceiling"))
        var clean = ChargeRules()
        clean.carbonMax = 500
        let dirty = self.guidance([0.1, 0.9, 0.1, 0.4], prices: [0.1, 0.5, 0.1, 0.4], carbon: [900, 1, 1, 1])
        let waiting = try plan([task("a", 6, by: 4, rules: clean)], dirty, VenueSettings(objective: .money))[0]
        #expect(waiting.blocks.prefix(2).map(\.reason) == [.aboveCarbonCeiling, .waitingForLowerRates])
        #expect(waiting.explanation.hasPrefix("Waits for cleaner energy, below the ceiling: starts"))
        var away = ChargeRules()
        away.absences = [try #require(Interval(start: now, end: hours(1.5)))]
        let late = try plan([task("a", 6, by: 4, rules: away)], guidance)[0]
        #expect(late.blocks.first?.reason == .away)
        #expect(power(late, at: 1.4) == 0)
        #expect(late.planned == late.required)
    }

    @Test func `a margin that is above the ceiling is said to be`() throws {
        var rules = ChargeRules()
        rules.priceMax = 0.3
        var task = task("a", 18, by: 4, rules: rules)
        task.marginMilliseconds = .millisecondsPerHour
        let prices = [0.1, 0.1, 0.5, 0.5]
        let short = try plan([task], guidance(prices, prices: prices))[0]
        #expect(short.blocks.filter { $0.power == .zero }.map(\.reason) == [.abovePriceCeiling])
    }

    @Test(arguments: [(0.25, 9, "leave 5 h later"), (0, 7.75, "be back 2 h 30 min earlier")])
    func `to be there longer is said to help only where rates are below the ceiling then`(
        start: Double, end: Double, help: String
    ) throws {
        let prices = [0.5, 0.5, 0.5, 0.5, 0.1, 0.1, 0.5, 0.5]
        var rules = ChargeRules()
        rules.priceMax = 0.3
        rules.absences = [try #require(Interval(start: hours(start), end: hours(end)))]
        let short = try plan([task("a", 3, by: 8, rules: rules)], guidance(prices, prices: prices))[0]
        #expect(short.explanation.contains("what helps: \(help)"), "\(short.explanation)")
    }

    @Test func `goals add up, and what is urgent comes at once`() throws {
        var task = task("a", 12, by: 4)
        task.goals.insert((by: hours(2), energy: Energy(milliwattHours: 6_000_000)), at: 0)
        let guided = guidance([0.9, 0.5, 0.2, 0.1])
        let both = try plan([task], guided)[0]
        #expect(power(both, at: 1.5) == 6 && power(both, at: 3.5) == 6)
        task.urgent = (Energy(milliwattHours: 3_000_000), .minimumCharge)
        let urgent = try plan([task], guided)[0]
        #expect(urgent.blocks.first?.reason == .minimumCharge)
        #expect(urgent.blocks.first?.interval.end == hours(0.5))
        #expect(urgent.planned == urgent.required)
    }

    /// Finds nothing at its first call.
    private final class LateSolver: PlanSolver {
        private let isWarm = Box(false)

        func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
            defer { isWarm.set(true) }
            guard isWarm.value else {
                return LinearSolution(status: .unknown, values: [], cost: .infinity, bound: -.infinity)
            }
            return PatientSolver().solve(model, timeLimit: timeLimit)
        }
    }

    @Test func `what cannot be planned together in time is planned in turn, the most important first`() throws {
        var (first, second) = (ChargeRules(), ChargeRules())
        (first.priority, second.priority) = (1, 2)
        let planner = VenuePlanner(
            planner: HomePlanner(solver: LateSolver()), settings: VenueSettings(limits: PlanLimits(importPower: 7)),
            time: PlanningTime(.seconds(5)))
        let tasks = [
            task("a", 9, by: 4, powerMin: 1, rules: first), task("b", 6, by: 3, powerMin: 1, rules: second),
        ]
        let plans = try planner.plan(tasks, from: now, guidance: guidance([0.9, 0.1, 0.5, 0.8])).plans
        #expect(plans.map(\.planned) == tasks.map(\.required))
        #expect(power(plans[1], at: 1.5) == 6)
        for hour in [0.5, 1.5, 2.5, 3.5] { #expect(plans.reduce(0) { $0 + power($1, at: hour) } <= 7 + 1e-6) }
    }

    @Test(arguments: UInt64(0)..<12)
    func `random venues stay within their fuse, and blocks are whole`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 1...3, using: &random)
        let tasks = (0..<count).map { index in
            task(
                "car \(index)", .random(in: 1...40, using: &random), by: Double(Int.random(in: 2...12, using: &random)),
                power: .random(in: 3...11, using: &random),
                powerMin: Bool.random(using: &random) ? 1 : nil)
        }
        let fuse = Double.random(in: 4...16, using: &random)
        let guidance = guidance((0..<12).map { _ in .random(in: 0...1, using: &random) })
        let plans = try plan(
            tasks, guidance, VenueSettings(limits: PlanLimits(importPower: fuse)),
            timeLimit: .milliseconds(500))
        for (task, plan) in zip(tasks, plans) {
            #expect(isWhole(plan, until: Double(task.end.milliseconds(since: now)) / 3_600_000))
            #expect(plan.blocks.reduce(Energy.zero) { $0 + $1.energy } == plan.planned)
            for block in plan.blocks where block.power > .zero {
                // Rounding to milliseconds and milliwatt-hours.
                let most = block.power.energy(overMilliseconds: block.interval.milliseconds + 1)
                #expect(block.energy.milliwattHours <= most.milliwattHours + 1)
            }
        }
        for minute in stride(from: 0.0, to: 12, by: 1.0 / 60) {
            #expect(plans.reduce(0) { $0 + power($1, at: minute + 0.001) } <= fuse + 1e-5)
        }
    }
}
