/// Loads that are on or off, in each other's way only through limits, as the joint methods see them.
struct TogetherLoads {
    enum Course {
        case run(RunCourse)
        case fixed(FixedCourse)
        case either(EitherCourse)

        func price(_ extra: UnsafePointer<Double>) {
            switch self {
            case .run(let run): run.price(extra)
            case .fixed(let fixed): fixed.price(extra)
            case .either(let either): either.price(extra)
            }
        }

        var least: Double {
            switch self {
            case .run(let run): run.least
            case .fixed(let fixed): fixed.least
            case .either(let either): either.least
            }
        }

        func trace(_ mark: (Int) -> Void) {
            switch self {
            case .run(let run): run.trace(mark)
            case .fixed(let fixed): fixed.trace(mark)
            case .either(let either): either.trace(mark)
            }
        }

        var start: UInt32 {
            switch self {
            case .run(let run): run.start
            case .fixed(let fixed): fixed.start
            case .either(let either): either.start
            }
        }

        func choices(_ state: UInt32, _ slot: Int, _ choices: inout [TogetherChoice]) {
            switch self {
            case .run(let run): run.choices(state, slot, &choices)
            case .fixed(let fixed): fixed.choices(state, slot, &choices)
            case .either(let either): either.choices(state, slot, &choices)
            }
        }

        /// kW that it is sure to use while it is on.
        var power: Double {
            switch self {
            case .run(let run): run.power
            case .fixed(let fixed): fixed.power
            case .either(let either): either.run.power
            }
        }
    }

    let courses: [Course]
    let slots: Int
    /// Each limit: how much of it each load's kW takes, and its room in each slot.
    let limits: [(shares: [Double], room: [Double])]
    /// Pairs and groups of which one may be on, as bits.
    let exclusive: [UInt32]
    /// The largest sets of loads, as bits, that fit together in each slot; empty where all do.
    let sets: [[UInt32]]

    /// Whether a load draws more in one slot than in another, so that the sets do not say all.
    var hasVaryingPowers: Bool {
        courses.contains { if case .fixed = $0 { true } else { false } }
    }

    static let loadsMax = 8

    /// - Returns: `nil` unless all loads are on or off and coupled by limits only.
    init?(_ work: PlanWork) {
        guard work.isSeparable, 2...Self.loadsMax ~= work.problem.loads.count else { return nil }
        var courses: [Course] = []
        let ties = TieCosts(work)
        for index in work.problem.loads.indices {
            guard let course = Self.course(work, index, ties) else { return nil }
            courses.append(course)
        }
        self.courses = courses
        slots = work.grid.count
        limits = work.rows.map { row in (courses.indices.map { row.loads[$0] ?? 0 }, row.room) }
        exclusive = work.problem.limits.exclusive.map { group in
            courses.indices.reduce(0) { group.contains(work.problem.loads[$1].name) ? $0 | 1 << UInt32($1) : $0 }
        }
        let powers = courses.map(\.power)
        var known: [[Double]: [UInt32]] = [:]
        var sets: [[UInt32]] = []
        for slot in 0..<slots {
            let room = limits.map { $0.room[slot] }
            if let same = known[room] {
                sets.append(same)
                continue
            }
            let found = Self.largestSets(powers, limits.map(\.shares), room, exclusive)
            known[room] = found
            sets.append(found)
        }
        self.sets = sets
    }

    private static func course(_ work: PlanWork, _ index: Int, _ ties: TieCosts) -> Course? {
        let (load, grid) = (work.problem.loads[index], work.grid)
        if let profile = load.asCourse(grid) {
            guard case .energy(let need) = load.need,
                abs(Double(profile.milliseconds) / 3_600_000 * need.powerMax - need.energy) < 1e-5
            else { return nil }
            return FixedCourse(load, profile, grid, capacity: work.capacities[index], ties).map(Course.fixed)
        }
        switch load.need {
        case .profile(let profile):
            return FixedCourse(load, profile, grid, capacity: work.capacities[index], ties).map(Course.fixed)
        case .comfort: return nil
        case .energy(let need):
            let slots = UsableSlots(load, need, grid, capacity: work.capacities[index])
            guard let units = RunUnits(work, load, need, slots, ties), let first = grid.range(of: load).first,
                let run = RunCourse(units, first: first, power: need.powerMax)
            else { return nil }
            guard let profile = load.blockBesides(grid),
                let block = FixedCourse(load, profile, grid, capacity: work.capacities[index], ties)
            else { return .run(run) }
            return EitherCourse(run, block).map(Course.either)
        }
    }

    private static func largestSets(
        _ powers: [Double], _ shares: [[Double]], _ room: [Double], _ exclusive: [UInt32]
    ) -> [UInt32] {
        let all = UInt32(1) << UInt32(powers.count)
        var fitting: [UInt32] = []
        // From the largest number down, so that a set comes after those that hold it.
        for set in (0..<all).reversed() {
            let fits = zip(shares, room).allSatisfy { share, room in
                powers.indices.reduce(0) { set & 1 << UInt32($1) != 0 ? $0 + powers[$1] * share[$1] : $0 } <= room
                    + 1e-9
            }
            guard fits, exclusive.allSatisfy({ (set & $0).nonzeroBitCount <= 1 }) else { continue }
            if set == all - 1 { return [] }
            if !fitting.contains(where: { $0 & set == set }) { fitting.append(set) }
        }
        return fitting
    }
}
