internal import EnergyModel

/// Reads one load of a problem.
struct LoadReader {
    enum Kind: String {
        case ev, load, appliance, hvac, battery
    }

    let object: JSONObject
    private let index: Int
    let slots: [PlanSlot]
    let type: Kind
    /// From UTC, in minutes, of the times in messages: that of the file.
    private let offset: Int

    init(_ object: JSONObject, index: Int, slots: [PlanSlot], offset: Int = 0) {
        self.object = object
        self.index = index
        self.slots = slots
        self.offset = offset
        type =
            object.text("type").flatMap(Kind.init)
            ?? (object.has("profile_kw")
                ? .appliance
                : object.has("thermal")
                    ? .hvac : object.has("max_charge_kw") ? .battery : object.has("capacity_kwh") ? .ev : .load)
    }

    var name: String { object.text("name") ?? "load-\(index + 1)" }

    func wrong(_ member: String, _ message: String) -> ProblemError {
        ProblemError("\(object.path).\(member)", message)
    }

    func text(_ time: Timestamp) -> String { InstantText.text(time.unixMilliseconds, offset: offset) }

    /// In a message: without what floating point adds.
    static func text(_ value: Double) -> String { JSONValue.number((value * 1e6).rounded() / 1e6).description }

    /// A member of a member, as ``wrong(_:_:)`` names it.
    func member(_ name: String, of part: JSONObject) -> String {
        "\(part.path.dropFirst(object.path.count + 1)).\(name)"
    }

    var phases: [Int] {
        if let count = object.number("phases") { return Array(1...Int(count)) }
        return object.numbers("phases").map { Array(Set($0.map { Int($0) })).sorted() } ?? [1, 2, 3]
    }

    func load() throws(ProblemError) -> PlannedLoad {
        try refuseStrangers()
        try refuseContradictions()
        let (minimum, maximum, step) = try powers()
        var shape = RunShape(
            runMin: milliseconds("min_run_minutes"), pauseMin: milliseconds("min_pause_minutes"),
            runsMax: object.flag("one_block") == true ? 1 : object.number("max_runs").map { Int($0) },
            startCost: object.number("start_cost") ?? 0,
            ties: object.text("prefer") == "late" ? .later : .earlier, isOn: object.flag("is_on") ?? false)
        shape.startsAnywhere =
            object.flag("start_anywhere")
            ?? (type == .appliance
                || (minimum == maximum && (object.text("partial_slots") ?? "last") == "last"))
        let need: PlannedLoad.Need
        var deadline = object.time("deadline")
        switch type {
        case .appliance: need = .profile(try profile())
        case .hvac: need = .comfort(try thermal(minimum, maximum))
        default:
            let (energy, last) = try energyNeed(minimum, maximum, step, shape)
            need = .energy(energy)
            deadline = deadline ?? last
        }
        return PlannedLoad(
            name: name, need: need, window: try window(deadline), shape: shape, phases: phases,
            priority: Int(object.number("priority") ?? 0), priceMax: object.number("max_price"),
            carbonMax: object.number("max_carbon"))
    }

    /// Members that say nothing about a load of this type are mistakes.
    func refuseStrangers() throws(ProblemError) {
        try refuseEmptiness()
        let strangers: [String] =
            switch type {
            case .ev, .load:
                ["profile_kw", "profile_step_minutes", "thermal"] + Self.batteryMembers
            case .appliance:
                [
                    "thermal", "energy_kwh", "max_energy_kwh", "target_soc", "goals", "taper", "partial_slots",
                    "precondition_minutes", "power_kw", "max_power_kw", "min_power_kw", "current_step_a",
                    "power_step_kw", "min_run_minutes", "min_pause_minutes", "is_on",
                ] + Self.batteryMembers
            case .hvac:
                [
                    "profile_kw", "energy_kwh", "max_energy_kwh", "target_soc", "goals", "taper", "partial_slots",
                    "precondition_minutes", "current_step_a", "power_step_kw",
                ] + Self.batteryMembers
            case .battery: Self.strangersOfBatteries
            }
        if let stranger = strangers.first(where: object.has) {
            throw wrong(
                stranger, "says nothing about a load of type \(type.rawValue); the type is another, or leave it out")
        }
    }

    private static let batteryMembers = [
        "max_charge_kw", "max_discharge_kw", "charge_efficiency", "discharge_efficiency", "min_soc", "max_soc",
        "final_soc", "wear_cost_per_kwh", "end_value_per_kwh",
    ]

    private func milliseconds(_ name: String) -> Int64 { Int64(((object.number(name) ?? 0) * 60_000).rounded()) }

    private func window(_ deadline: Timestamp?) throws(ProblemError) -> Interval? {
        guard let first = slots.first?.interval.start, let last = slots.last?.interval.end else { return nil }
        // As it is called in the file: the last of the goals is a deadline too.
        let goal = object.list("goals").first { $0.time("by") == deadline }
        let said = object.has("deadline") ? "deadline" : goal.map { member("by", of: $0) }
        if let deadline, let said, deadline > last {
            throw wrong(
                said,
                "is after the last slot ends (\(text(last))): add slots until then, with forecast_price where the "
                    + "price is not known")
        }
        let start = max(first, object.time("earliest_start") ?? first)
        let end = min(last, deadline ?? last)
        guard let window = Interval(start: start, end: end) else {
            throw wrong(
                start > first ? "earliest_start" : said ?? "deadline",
                "leaves no time: the load would have to run after \(text(start)) and until \(text(end))")
        }
        return window
    }

    private func profile() throws(ProblemError) -> LoadProfile {
        guard let powers = object.numbers("profile_kw") else { throw wrong("profile_kw", "is missing") }
        let step = max(1, Int64(((object.number("profile_step_minutes") ?? 15) * 60_000).rounded()))
        return LoadProfile(steps: powers.map { LoadProfile.Step(milliseconds: step, power: $0) })
    }

    private func thermal(_ minimum: Double, _ maximum: Double) throws(ProblemError) -> ThermalNeed {
        guard let thermal = object.object("thermal") else { throw wrong("thermal", "is missing") }
        let setbackMin = Int64((thermal.number("setback_min_minutes") ?? 0) * 60_000)
        let setback = Int64((thermal.number("setback_minutes") ?? 0) * 60_000)
        if thermal.has("setback_minutes"), setbackMin > setback {
            throw ProblemError("\(thermal.path).setback_min_minutes", "must not be above setback_minutes")
        }
        var need = ThermalNeed(
            isCooling: thermal.text("mode") == "cool", resistance: thermal.number("resistance_k_per_kw") ?? 1,
            capacity: thermal.number("capacity_kwh_per_k") ?? 1, performance: thermal.number("cop") ?? 1,
            initial: thermal.number("initial_c") ?? 0, outdoor: try thermal.perSlot("outdoor_c", slots.count) ?? [],
            comfortMin: try thermal.perSlot("comfort_min_c", slots.count)
                ?? Array(repeating: -273, count: slots.count),
            comfortMax: try thermal.perSlot("comfort_max_c", slots.count)
                ?? Array(repeating: 1000, count: slots.count),
            setbackDepth: thermal.number("setback_k") ?? 0,
            setbackMilliseconds: setback, final: thermal.number("final_c"), powerMin: minimum, powerMax: maximum)
        need.setbackMin = setbackMin
        if let slot = zip(need.comfortMin, need.comfortMax).enumerated().first(where: { $1.0 > $1.1 })?.offset {
            throw ProblemError(
                "\(thermal.path).comfort_min_c",
                "must not be above comfort_max_c (\(Self.text(need.comfortMax[slot]))), but is "
                    + Self.text(need.comfortMin[slot]))
        }
        return need
    }

    // MARK: Energy

    private func energyNeed(
        _ minimum: Double, _ maximum: Double, _ step: Double?, _ shape: RunShape
    ) throws(ProblemError) -> (EnergyNeed, Timestamp?) {
        let (goals, last) = try goals()
        try refuseMost(below: goals.last?.energy ?? 0)
        let isAny = shape.isFree && (minimum == maximum || minimum == 0)
        let partial =
            object.text("partial_slots").flatMap(EnergyNeed.PartialSlots.init) ?? (isAny ? .any : .last)
        var need = EnergyNeed(
            goals: goals, energyMax: object.number("max_energy_kwh"), powerMin: minimum, powerMax: maximum,
            powerStep: step, partialSlots: partial)
        need.precondition = milliseconds("precondition_minutes")
        if object.number("max_energy_kwh") == nil, partial == .never { need.roundUp(to: slots) }
        if let initial = object.number("initial_soc"), let capacity = object.number("capacity_kwh") {
            let efficiency = object.number("efficiency") ?? 1
            let full = (100 - initial) / 100 * capacity / efficiency
            guard need.energy <= full + 1e-9 else {
                throw wrong(
                    ["target_soc", "goals"].first(where: object.has) ?? "energy_kwh",
                    "must fit into the battery, which takes \(Self.text(full)) kWh more, but needs "
                        + Self.text(need.energy))
            }
            need.energyMax = min(need.energyMax, max(full, need.energy))
            if let taper = object.object("taper"), let from = taper.number("from_soc") {
                let powerAtFull = taper.number("power_at_full_kw") ?? maximum / 10
                guard powerAtFull <= maximum * 1.01 else { throw tapersUp(taper, powerAtFull, maximum) }
                need.taper = Taper(
                    energyAtStart: (from - initial) / 100 * capacity / efficiency, energyAtFull: full,
                    powerAtFull: min(maximum, powerAtFull))
            }
        } else if object.has("taper") {
            throw wrong("taper", needsBattery)
        }
        return (need, last)
    }

    private func goals() throws(ProblemError) -> ([EnergyNeed.Goal], Timestamp?) {
        let end = object.time("deadline") ?? slots.last?.interval.end ?? Timestamp(unixMilliseconds: 0)
        let said = ["energy_kwh", "target_soc", "goals"].filter(object.has)
        guard said.count == 1 else {
            throw wrong(
                "energy_kwh",
                said.isEmpty
                    ? "is missing: say energy_kwh, target_soc or goals"
                    : "must be the only one of energy_kwh, target_soc and goals; there are \(said.joined(separator: ", "))"
            )
        }
        if let energy = object.number("energy_kwh") { return ([.init(by: end, energy: energy)], nil) }
        if let target = object.number("target_soc") {
            return ([.init(by: end, energy: try energy(ofSoC: target, "target_soc"))], nil)
        }
        var goals: [EnergyNeed.Goal] = []
        for goal in object.list("goals") {
            guard let by = goal.time("by") else { continue }
            let energy: Double
            switch (goal.number("energy_kwh"), goal.number("soc")) {
            case (let said?, nil): energy = said
            case (nil, let soc?): energy = try self.energy(ofSoC: soc, member("soc", of: goal))
            default: throw ProblemError("\(goal.path).energy_kwh", "must be said, or soc, and not both")
            }
            if let deadline = object.time("deadline"), by > deadline {
                throw ProblemError(
                    "\(goal.path).by",
                    "must not be after deadline (\(text(deadline))), after which it does not run, but is \(text(by))")
            }
            goals.append(.init(by: by, energy: energy))
        }
        goals.sort { $0.by < $1.by }
        // A later goal is never below an earlier one: what is in the battery stays there.
        for index in goals.indices.dropFirst() {
            goals[index].energy = max(goals[index].energy, goals[index - 1].energy)
        }
        guard let last = goals.last else { return (goals, nil) }
        // What runs on until a later deadline has its last goal's time all the same.
        if let deadline = object.time("deadline"), deadline > last.by {
            goals.append(.init(by: deadline, energy: last.energy))
        }
        return (goals, last.by)
    }

    /// What is missing where a state of charge is said.
    private var needsBattery: String {
        let missing = ["capacity_kwh", "initial_soc"].filter { !object.has($0) }
        return "needs \(missing.joined(separator: " and ")), which \(missing.count == 1 ? "is" : "are") missing"
    }

    private func energy(ofSoC target: Double, _ member: String) throws(ProblemError) -> Double {
        guard let capacity = object.number("capacity_kwh"), let initial = object.number("initial_soc") else {
            throw wrong(member, needsBattery)
        }
        return max(0, target - initial) / 100 * capacity / (object.number("efficiency") ?? 1)
    }
}
