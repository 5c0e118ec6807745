import EnergyModel

/// What a highest mean power of the home leaves its loads, as rows and bounds that the relaxation does not see by itself: there
/// a load is a little on, and draws less than its least.
struct PeakRoom {
    typealias Term = LinearModel.Term

    private let home: HomeModel
    /// kW, the mean of a slot at most.
    private let peak: Double
    private var model: LinearModel

    /// - Parameters:
    ///   - model: of the home, with any costs and any rows more.
    ///   - peak: the column.
    /// - Returns: the model, whose solutions are those that have their peak in a range.
    static func narrowed(
        _ model: LinearModel, of home: HomeModel, _ peak: Int, to range: ClosedRange<Double>
    ) -> LinearModel {
        var room = PeakRoom(home: home, peak: range.upperBound, model: model)
        room.model.setBounds(peak, range.lowerBound, range.upperBound)
        for slot in 0..<home.grid.count { room.narrow(slot) }
        room.model.mayCutFlow = false
        return room.model
    }

    private init(home: HomeModel, peak: Double, model: LinearModel) {
        (self.home, self.peak, self.model) = (home, peak, model)
    }

    private mutating func narrow(_ slot: Int) {
        let room = room(slot)
        var members: [(flags: [Term], power: Double)] = []
        for (index, load) in home.loads.enumerated() where load.range.contains(slot) {
            let position = slot - load.range.lowerBound
            bound(load.energy[position], to: room * home.grid.hours[slot])
            guard case .energy(let need) = home.problem.loads[index].need, let on = load.on[position] else { continue }
            narrow(load, need, position, room, room * home.grid.hours[slot])
            let flags = load.whole(position)
            guard need.partialSlots != .any, need.powerMin > 0, model.upper[on] > 0 else { continue }
            members.append((flags, need.flowMin))
        }
        for cover in Covers.minimal(members.map(\.power), room: room) {
            model.row(cover.members.flatMap { members[$0].flags }, -.infinity, Double(cover.most))
        }
    }

    /// kW: what the peak allows the whole slot, less what other parts of it take anyway.
    private func room(_ slot: Int) -> Double {
        let part = home.grid.parts[home.grid.origin[slot]]
        guard part.count > 1 else { return max(0, peak - home.drawnAnyway(slot)) }
        let others = home.boughtAnyway(part) - home.boughtAnyway(slot..<slot + 1)
        return max(0, (peak * home.grid.hours(of: part) - others) / home.grid.hours[slot] - home.drawnAnyway(slot))
    }

    /// - Parameter most: kWh of a slot.
    private mutating func bound(_ energy: [Term], to most: Double) {
        // What says how much later something begins takes away from what stands beside it.
        guard energy.allSatisfy({ $0.factor > 0 }) else { return }
        for term in energy where model.upper[term.column] * term.factor > most {
            let upper = most / term.factor
            setUpper(term.column, model.isInteger[term.column] ? (upper + 1e-9).rounded(.down) : upper)
        }
    }

    private mutating func narrow(
        _ load: LoadColumns, _ need: EnergyNeed, _ position: Int, _ room: Double, _ most: Double
    ) {
        guard let on = load.on[position], let energy = load.energy[position].first, energy.column != on else { return }
        // Where the peak leaves all that it can take there is nothing to say.
        guard model.upper[energy.column] * energy.factor >= most - 1e-9 else { return }
        model.row([energy, Term(on, -most)], -.infinity, 0)
        // Who runs all through a slot draws the least or more on average.
        if need.partialSlots != .any, need.flowMin > room + 1e-9 {
            model.row(load.whole(position), -.infinity, 0)
        }
        guard let step = need.powerStep, let level = load.running[position].first, model.isInteger[level.column] else {
            return
        }
        let full = (room / step + 1e-9).rounded(.down)
        // In a part of a slot it may draw more than its mean, but never has to draw more than the step above that.
        let top = max((need.powerMin / step - 1e-9).rounded(.up), (room / step - 1e-9).rounded(.up))
        let short = [load.last[position], load.near[position]?.flag].compactMap(\.self)
        let isWhole = need.partialSlots != .any
        setUpper(level.column, isWhole && short.isEmpty ? full : top)
        guard isWhole, !short.isEmpty, full < top else { return }
        model.row([Term(level.column, 1)] + short.map { Term($0, full - top) }, -.infinity, full)
    }

    private mutating func setUpper(_ column: Int, _ upper: Double) {
        guard upper < model.upper[column] else { return }
        guard upper >= model.lower[column] else { return model.row([Term(column, 1)], -.infinity, upper) }
        model.setBounds(column, model.lower[column], upper)
    }
}

extension LoadColumns {
    /// 1 together where a slot is used all through.
    fileprivate func whole(_ position: Int) -> [Term] {
        guard let on = on[position] else { return [] }
        return [Term(on, 1)] + (last[position].map { [Term($0, -1)] } ?? [])
    }
}

extension HomeModel {
    /// kWh that the home imports in some slots whatever is planned.
    func boughtAnyway(_ slots: Range<Int>) -> Double {
        slots.reduce(0) { $0 + max(0, drawnAnyway($1)) * grid.hours[$1] }
    }

    /// kW that the home draws in a slot whatever is planned, if its batteries give all they can.
    func drawnAnyway(_ slot: Int) -> Double {
        grid.base[slot] - grid.pv[slot] - problem.batteries.reduce(0) { $0 + $1.dischargeMax }
    }
}
