internal import EnergyModel

/// Reads a problem from JSON. The format: ``ProblemSchema``.
public struct ProblemReader {
    /// The problem, and the offset from UTC of its first slot, in which answers are told.
    public struct Reading: Sendable {
        public var problem: PlanProblem
        public var offsetMinutes: Int
        public var currency: String?
        /// What was taken for what is not said, in sentences.
        public var notes: [String] = []
    }

    static let slotsMax = 20_000
    static let loadsMax = 10_000

    /// - Throws: ``ProblemError`` with the path of the first mistake, what is wrong and what would be right.
    public static func read(_ bytes: [UInt8]) throws(ProblemError) -> Reading {
        let value = try JSONValue.parse(bytes)
        try ProblemRules.problem.check(value, at: "$")
        let root = JSONObject(value, "$")
        let objective = try self.objective(root)
        let (slots, offset) = try self.slots(root, objective)
        var problem = PlanProblem(slots: slots, loads: [], objective: objective)
        problem.timeText = { InstantText.text($0.unixMilliseconds, offset: offset) }
        var notes: [String] = []
        problem.isPVCurtailable = root.flag("pv_curtailable")
        problem.timeLimit = .milliseconds(Int64((root.number("time_limit_seconds") ?? 10) * 1000))
        let loads = root.list("loads")
        guard loads.count <= loadsMax else { throw ProblemError("$.loads", "has more than \(loadsMax)") }
        for (index, load) in loads.enumerated() {
            let reader = LoadReader(load, index: index, slots: slots, offset: offset)
            try reader.refuseHalvesOfSetback()
            if reader.type == .battery {
                let battery = try reader.battery()
                problem.batteries.append(battery)
                if !load.has("initial_soc") {
                    notes.append("Nothing says how full \(battery.name) is (initial_soc): it counts as empty.")
                }
            } else {
                problem.loads.append(try reader.load())
            }
        }
        let names = problem.loads.map(\.name) + problem.batteries.map(\.name)
        if let nameless = loads.first(where: { $0.text("name")?.isEmpty == true }) {
            throw ProblemError("\(nameless.path).name", "must not be empty; it may be left out")
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ProblemError("$.loads", "must have names of their own, but \"\(twice)\" comes twice")
        }
        try limits(root, names: Set(names), into: &problem)
        return Reading(problem: problem, offsetMinutes: offset, currency: root.text("currency"), notes: notes)
    }

    private static func objective(_ root: JSONObject) throws(ProblemError) -> PlanObjective {
        if let mix = root.object("objective") {
            guard ["money", "carbon", "rating"].contains(where: { mix.number($0) ?? 0 > 0 }) else {
                throw ProblemError(mix.path, "must weigh money, carbon or rating with more than 0")
            }
            return PlanObjective(
                money: mix.number("money") ?? 0, carbon: mix.number("carbon") ?? 0, rating: mix.number("rating") ?? 0)
        }
        return switch root.text("objective") {
        case "carbon": .carbon
        case "rating": .rating
        default: .money
        }
    }

    private static func slots(
        _ root: JSONObject, _ objective: PlanObjective
    ) throws(ProblemError) -> ([PlanSlot], Int) {
        let values = root.list("slots")
        guard values.count <= slotsMax else { throw ProblemError("$.slots", "has more than \(slotsMax)") }
        var slots: [PlanSlot] = []
        slots.reserveCapacity(values.count)
        let base = try root.perSlot("base_load_kw", values.count)
        let pv = try root.perSlot("pv_kw", values.count)
        let loads = root.list("loads")
        let needsPrice = objective.money > 0 || loads.contains { $0.number("max_price") != nil }
        let needsCarbon = objective.carbon > 0 || loads.contains { $0.number("max_carbon") != nil }
        for (index, value) in values.enumerated() {
            guard let start = value.time("start"), let end = value.time("end") else { continue }
            guard let interval = Interval(start: start, end: end) else {
                throw ProblemError("\(value.path).end", "must be after start")
            }
            if let last = slots.last, last.interval.end != start {
                throw ProblemError(
                    "\(value.path).start", "must be where slot \(index - 1) ends: slots have no gaps and do not overlap"
                )
            }
            var slot = PlanSlot(interval: interval, importPrice: 0)
            slot.importPrice = try value.known("price", "forecast_price", counts: needsPrice)
            slot.carbon = try value.known("carbon", "forecast_carbon", counts: needsCarbon)
            slot.rating = try value.known("rating", nil, counts: objective.rating > 0)
            slot.exportPrice = value.number("export_price") ?? 0
            slot.isForecast = value.number("price") == nil && value.number("forecast_price") != nil
            slot.baseLoad = try value.threePhases("base_load_kw") ?? Array(repeating: (base?[index] ?? 0) / 3, count: 3)
            slot.pv = value.number("pv_kw") ?? pv?[index] ?? 0
            slots.append(slot)
        }
        return (slots, values.first?.offset("start") ?? 0)
    }

    private static func limits(
        _ root: JSONObject, names: Set<String>, into problem: inout PlanProblem
    ) throws(ProblemError) {
        guard let limits = root.object("limits") else { return }
        problem.limits = try self.limits(limits, names: names)
        if let fuse = limits.object("fuse") { try refusePhases(of: root.list("loads"), behind: fuse) }
        // The main fuse carries all: what is on a circuit is behind it.
        if let main = problem.limits.circuits.firstIndex(where: { $0.members == nil }) {
            problem.limits.circuits[main].members = names.sorted()
        }
    }

    /// kW of an ampere on one phase.
    private static func ampere(_ circuit: JSONObject) -> Double { (circuit.number("voltage_v") ?? 230) / 1000 }

    /// - Parameter names: of the loads; `nil` if they are not known.
    static func limits(_ limits: JSONObject, names: Set<String>?) throws(ProblemError) -> PlanLimits {
        var read = PlanLimits(importPower: limits.number("import_kw"), exportPower: limits.number("export_kw"))
        if let fuse = limits.object("fuse"), let current = fuse.number("current_a") {
            let ampere = ampere(fuse)
            var circuit = Circuit(name: CircuitTree.fuse, carriesBaseLoad: true)
            let phases = fuse.number("phases") ?? 3
            if phases == 3 {
                (circuit.powerPerPhase, circuit.ampere) = (current * ampere, ampere)
            } else {
                (circuit.power, circuit.ampere) = (current * ampere * phases, ampere * phases)
            }
            read.circuits.append(circuit)
        }
        let circuits = limits.list("circuits")
        try CircuitTree(circuits, besideFuse: !read.circuits.isEmpty).check()
        for circuit in circuits {
            for (index, name) in circuit.texts("loads").enumerated() where names?.contains(name) == false {
                throw ProblemError("\(circuit.path).loads[\(index)]", "must be a load's name, but is \"\(name)\"")
            }
            guard circuit.has("power_kw") || circuit.has("current_a") else {
                throw ProblemError("\(circuit.path).power_kw", "is missing: say power_kw, current_a or both")
            }
            var added = Circuit(
                name: circuit.text("name") ?? "", parent: circuit.text("parent"), power: circuit.number("power_kw"),
                powerPerPhase: circuit.number("current_a").map { $0 * ampere(circuit) },
                members: circuit.texts("loads"), carriesBaseLoad: circuit.flag("base_load") ?? false)
            added.ampere = added.powerPerPhase.map { _ in ampere(circuit) }
            read.circuits.append(added)
        }
        for (index, group) in limits.groups("exclusive").enumerated() {
            for (member, name) in group.enumerated() {
                let path = "\(limits.path).exclusive[\(index)][\(member)]"
                guard names?.contains(name) != false else {
                    throw ProblemError(path, "must be a load's name, but is \"\(name)\"")
                }
                guard !group[..<member].contains(name) else {
                    throw ProblemError(path, "must be there once, but \"\(name)\" comes before it too")
                }
            }
            read.exclusive.append(group)
        }
        read.demandCharge = limits.object("demand_charge").map {
            DemandCharge(price: $0.number("price_per_kw") ?? 0, peakSoFar: $0.number("peak_so_far_kw") ?? 0)
        }
        return read
    }
}

extension PlanProblem {
    /// Seconds that a file, or a command, may give to a problem.
    public static let timeLimitRange = 0.01...3600.0
}

/// An object that has been checked, so that reading it only has to ask what is there.
struct JSONObject {
    let path: String
    private let members: [String: JSONValue]

    init(_ value: JSONValue, _ path: String) {
        self.path = path
        if case .object(let members) = value {
            self.members = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        } else {
            members = [:]
        }
    }

    func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

    func number(_ name: String) -> Double? {
        if case .number(let number) = members[name] { number } else { nil }
    }

    func text(_ name: String) -> String? {
        if case .text(let text) = members[name] { text } else { nil }
    }

    func flag(_ name: String) -> Bool? {
        if case .flag(let flag) = members[name] { flag } else { nil }
    }

    func object(_ name: String) -> JSONObject? {
        guard let value = members[name], case .object = value else { return nil }
        return JSONObject(value, "\(path).\(name)")
    }

    func list(_ name: String) -> [JSONObject] {
        guard case .list(let values) = members[name] else { return [] }
        return values.enumerated().map { JSONObject($1, "\(path).\(name)[\($0)]") }
    }

    func numbers(_ name: String) -> [Double]? {
        guard case .list(let values) = members[name] else { return nil }
        return values.compactMap { if case .number(let number) = $0 { number } else { nil } }
    }

    func texts(_ name: String) -> [String] { Self.texts(members[name]) }

    func groups(_ name: String) -> [[String]] {
        guard case .list(let values) = members[name] else { return [] }
        return values.map(Self.texts)
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard case .list(let values) = value else { return [] }
        return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    func time(_ name: String) -> Timestamp? {
        text(name).flatMap(InstantText.parse).map { Timestamp(unixMilliseconds: $0.milliseconds) }
    }

    func offset(_ name: String) -> Int? { text(name).flatMap(InstantText.parse)?.offset }

    /// One number for every slot, whether one or a list was said.
    func perSlot(_ name: String, _ count: Int) throws(ProblemError) -> [Double]? {
        if let number = number(name) { return Array(repeating: number, count: count) }
        guard let numbers = numbers(name) else { return nil }
        guard numbers.count == count else {
            throw ProblemError(
                "\(path).\(name)",
                "must have one number for each of \(count) slot\(count == 1 ? "" : "s"), but has \(numbers.count)")
        }
        return numbers
    }

    func threePhases(_ name: String) throws(ProblemError) -> [Double]? {
        if let number = number(name) { return Array(repeating: number / 3, count: 3) }
        guard let numbers = numbers(name) else { return nil }
        guard numbers.count == 3 else {
            throw ProblemError(
                "\(path).\(name)", "must have a number for each of three phases, but has \(numbers.count)")
        }
        return numbers
    }

    /// What is known, or its forecast; never 0 because nobody knows.
    func known(_ name: String, _ forecast: String?, counts: Bool) throws(ProblemError) -> Double {
        if let value = number(name) ?? forecast.flatMap(number) { return value }
        guard counts else { return 0 }
        let choice = forecast.map { " Say \(name), or \($0) for what is not known yet" } ?? ""
        throw ProblemError(
            "\(path).\(name)",
            "is not known, and the objective or a ceiling needs it: it is not taken for free.\(choice)")
    }
}
