import EnergyModel
import EnergyPlanning
import EnergyTestSupport
import Testing

@Suite struct `Where every minute counts` {
    private static let hour: Int64 = 3_600_000

    /// - Parameters:
    ///   - sun: kW beside 1 kW of base load.
    private static func problem(
        _ prices: [Double], _ sun: [Double], _ need: PlannedLoad.Need, _ shape: RunShape = RunShape()
    ) -> PlanProblem {
        let slots = prices.indices.map { index in
            PlanSlot(
                interval: Interval(start: Timestamp(unixMilliseconds: Int64(index) * hour), milliseconds: hour),
                importPrice: prices[index], exportPrice: 0.05, baseLoad: [1, 0, 0], pv: sun[index])
        }
        var problem = PlanProblem(slots: slots, loads: [PlannedLoad(name: "car", need: need, shape: shape)])
        problem.countsMinutes = true
        return problem
    }

    private static func energy(_ energy: Double) -> PlannedLoad.Need {
        let goal = EnergyNeed.Goal(by: Timestamp(unixMilliseconds: 1_000 * hour), energy: energy)
        return .energy(EnergyNeed(goals: [goal], powerMin: 11, powerMax: 11, partialSlots: .last))
    }

    /// What a minute of a slot costs more while 11 kW run.
    private static func costPerMinute(_ price: Double, _ sun: Double) -> Double {
        let spare = max(0, sun - 1)
        let own = min(11, spare)
        return (own * 0.05 + (11 - own) * price) / 60
    }

    @Test func `a part of a sunny slot draws from the grid what the sun does not give`() throws {
        let problem = Self.problem([0.18, 0.19, 0.45], [0, 0, 7], Self.energy(16.5))
        let plan = try HomePlanner.patient.plan(problem)
        // By the mean of the last slot half an hour in it would cost no more than what is given to the grid otherwise.
        let added = plan.totals.objective - plan.baseline.objective
        #expect(abs(added - (11 * 0.18 + 5.5 * 0.19)) < 1e-9)
        #expect(plan.totals == plan.asRun && plan.isOptimal)
    }

    @Test(arguments: UInt64(0)..<60)
    func `no minutes cost less than those that were chosen`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let prices = (0..<8).map { _ in Double.random(in: 0.06...0.5, using: &random) }
        let sun = (0..<8).map { _ in Double.random(in: 0...14, using: &random) }
        let minutes = Int.random(in: 1...470, using: &random)
        let plan = try HomePlanner.patient.plan(
            Self.problem(prices, sun, Self.energy(11 * Double(minutes) / 60)))
        let costs = zip(prices, sun).flatMap { Array(repeating: Self.costPerMinute($0, $1), count: 60) }
        let best = costs.sorted().prefix(minutes).reduce(0, +)
        #expect(plan.loads[0].missing == 0)
        let added = plan.asRun.objective - plan.baseline.objective
        #expect(abs(added - best) < 1e-6, "seed \(seed)")
    }

    @Test(arguments: UInt64(0)..<60, [false, true])
    func `no start of a block costs less than the one that was chosen`(seed: UInt64, isCourse: Bool) throws {
        var random = SplitMix64(seed: seed)
        let prices = (0..<6).map { _ in Double.random(in: 0.06...0.5, using: &random) }
        let sun = (0..<6).map { _ in Double.random(in: 0...14, using: &random) }
        let minutes = Int.random(in: 1...200, using: &random)
        let course = LoadProfile(steps: [.init(milliseconds: Int64(minutes) * 60_000, power: 11)])
        let need = isCourse ? PlannedLoad.Need.profile(course) : Self.energy(11 * Double(minutes) / 60)
        let shape = RunShape(runsMax: 1, startsAnywhere: true)
        let plan = try HomePlanner.patient.plan(Self.problem(prices, sun, need, shape))
        let costs = zip(prices, sun).flatMap { Array(repeating: Self.costPerMinute($0, $1), count: 60) }
        let best = (0...(costs.count - minutes)).map { costs[$0..<($0 + minutes)].reduce(0, +) }.min() ?? 0
        #expect(plan.loads[0].runs.count == 1)
        let added = plan.asRun.objective - plan.baseline.objective
        #expect(abs(added - best) < 1e-6, "seed \(seed)")
    }
}
