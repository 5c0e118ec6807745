import EnergyModel

/// Says why a load cannot have all it needs, and what would help.
struct ShortfallFinder {
    let work: PlanWork
    let decisions: PlanDecisions
    let load: Int

    private var grid: PlanGrid { work.grid }

    func find(_ missing: Double) -> Shortfall {
        let planned = work.problem.loads[load]
        switch planned.need {
        case .comfort:
            return Shortfall(
                cause: .window, who: [],
                remedies: ["allow a wider comfort band, or more than \(text(power(planned))) kW"])
        case .profile:
            if SoloPlanner(work: work).plan(load)?.isLeftOut ?? true { return window(planned, missing) }
            return others(planned, missing)
        case .energy(let need):
            if most(planned, need, { _ in 0 }) < need.energy - 1e-6, planned.priceMax == nil, planned.carbonMax == nil {
                return window(planned, missing)
            }
            return energy(planned, need, missing)
        }
    }

    private func energy(_ planned: PlannedLoad, _ need: EnergyNeed, _ missing: Double) -> Shortfall {
        if most(planned, need, { _ in 0 }) < need.energy - 1e-6 { return ceiling(planned, need, missing) }
        let narrow = work.rows.filter { row in
            guard let share = row.loads[load] else { return false }
            return grid.range(of: planned).contains { row.room[$0] / share < need.powerMax - 1e-9 }
        }
        let alone = grid.range(of: planned).reduce(0) { $0 + usable(planned, need, $1, 0, aside: false) }
        if alone < need.energy - 1e-6 {
            return limit(planned, need, missing, who: narrow.map(\.name), aside: false)
        }
        let competitors = rivals(planned)
        guard !competitors.isEmpty else {
            return Shortfall(
                cause: .shape, who: [],
                remedies: ["allow shorter runs, shorter pauses, more runs or slots used in part"])
        }
        return limit(planned, need, missing, who: competitors, aside: true)
    }

    /// The ceiling to blame, or the window if it is too short without any.
    private func ceiling(_ planned: PlannedLoad, _ need: EnergyNeed, _ missing: Double) -> Shortfall {
        func suffices(_ change: (inout PlannedLoad) -> Void) -> Bool {
            var load = planned
            change(&load)
            return most(load, need, { _ in 0 }) >= need.energy - 1e-6
        }
        if let price = planned.priceMax, suffices({ $0.priceMax = nil }) {
            return Shortfall(
                cause: .priceCeiling, who: [], remedies: ["raise the price ceiling above \(text(price))"])
        }
        if let carbon = planned.carbonMax, suffices({ ($0.priceMax, $0.carbonMax) = (nil, nil) }) {
            let price = suffices { $0.carbonMax = nil } ? "" : ", and the price ceiling"
            return Shortfall(
                cause: .carbonCeiling, who: [], remedies: ["raise the carbon ceiling above \(text(carbon))\(price)"])
        }
        var free = planned
        (free.priceMax, free.carbonMax) = (nil, nil)
        return window(free, missing)
    }

    private func window(_ planned: PlannedLoad, _ missing: Double) -> Shortfall {
        let minutes = (missing / max(1e-9, power(planned)) * 60).rounded(.up)
        return Shortfall(
            cause: .window, who: [],
            remedies: [
                "be ready \(Int(min(1e6, minutes))) min later or start so much earlier",
                "need \(text(missing)) kWh less",
            ] + faster(planned, missing))
    }

    private func faster(_ planned: PlannedLoad, _ missing: Double) -> [String] {
        guard case .energy(let need) = planned.need else { return [] }
        let hours = grid.range(of: planned).reduce(0) { $0 + (grid.allows(planned, $1) ? grid.hours[$1] : 0) }
        return hours > 0 ? ["use a connection of at least \(text(need.energy / hours)) kW"] : []
    }

    private func others(_ planned: PlannedLoad, _ missing: Double) -> Shortfall {
        Shortfall(
            cause: .otherLoads, who: rivals(planned),
            remedies: ["raise the limit, or give other loads more time or a lower priority"])
    }

    private func limit(
        _ planned: PlannedLoad, _ need: EnergyNeed, _ missing: Double, who: [String], aside: Bool
    ) -> Shortfall {
        func energy(_ more: Double) -> Double {
            grid.range(of: planned).reduce(0) { $0 + usable(planned, need, $1, more, aside: aside) }
        }
        var (low, high) = (0.0, need.powerMax * 4 + 1000)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if energy(middle) >= need.energy - 1e-9 { high = middle } else { low = middle }
        }
        let raise = "raise \(who.first ?? "the limit") by \(text(high)) kW"
        return Shortfall(
            cause: .limit, who: who,
            remedies: [raise, "need \(text(missing)) kWh less", "allow more time"]
                + (aside ? ["give it a higher priority, or other loads more time"] : []))
    }

    /// kWh that fit into a slot beside the limits raised by `more` kW; with `aside` also beside the other loads.
    private func usable(
        _ planned: PlannedLoad, _ need: EnergyNeed, _ slot: Int, _ more: Double, aside: Bool
    ) -> Double {
        guard grid.allows(planned, slot) else { return 0 }
        var power = need.powerMax
        for row in work.rows {
            guard let share = row.loads[load] else { continue }
            let used =
                aside
                ? row.loads.reduce(0) { $1.key == load ? $0 : $0 + decisions.loads[$1.key].running[slot] * $1.value }
                : 0
            power = min(power, (row.room[slot] + more - used) / share)
        }
        return power >= need.powerMin - 1e-9 && power > 0 ? power * grid.hours[slot] : 0
    }

    private func most(_ planned: PlannedLoad, _ need: EnergyNeed, _ used: (Int) -> Double) -> Double {
        grid.range(of: planned).reduce(0) { sum, slot in
            guard grid.allows(planned, slot) else { return sum }
            return sum + (need.powerMax - used(slot)) * grid.hours[slot]
        }
    }

    /// The limits that are full while the load could run, then the loads that fill them.
    private func rivals(_ planned: PlannedLoad) -> [String] {
        var (limits, loads): ([String], [String]) = ([], [])
        let least = max(1e-6, power(planned) * 0.01)
        for row in work.rows {
            guard let share = row.loads[load] else { continue }
            for slot in grid.range(of: planned) {
                let used = row.loads.reduce(0) { $0 + decisions.loads[$1.key].running[slot] * $1.value }
                guard used + least * share > row.room[slot] + 1e-9 || decisions.loads[load].running[slot] == 0
                else { continue }
                let names = row.loads.keys.filter { $0 != load && decisions.loads[$0].running[slot] > 0 }.sorted()
                guard !names.isEmpty else { continue }
                if !limits.contains(row.name) { limits.append(row.name) }
                for name in names.map({ work.problem.loads[$0].name }) where !loads.contains(name) {
                    loads.append(name)
                }
            }
        }
        return limits + loads
    }

    private func power(_ planned: PlannedLoad) -> Double {
        switch planned.need {
        case .energy(let need): need.powerMax
        case .profile(let profile): profile.steps.map(\.power).max() ?? 0
        case .comfort(let need): need.powerMax
        }
    }

    private func text(_ value: Double) -> String { Self.text(value) }

    /// At most three decimals.
    static func text(_ value: Double) -> String {
        let thousandths = Int64((min(max(value, -1e9), 1e9) * 1000).rounded(.up))
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        var digits = String(abs(rest))
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
    }
}
