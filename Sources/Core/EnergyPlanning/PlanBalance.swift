import EnergyModel

/// What happens inside the slots: loads that run in a part of one, and batteries that balance them.
///
/// A plan's cost counts each slot's mean, as a meter does that is settled by slots. Who pays for every minute pays that only
/// if batteries give while the loads run: here each battery moves what the plan says of a slot when that helps most.
struct PlanBalance {
    /// A part of a slot in which no power changes.
    struct Piece {
        var interval: Interval
        let slot: Int
        let hours: Double
        /// kW of each load.
        var loads: [Double]
        /// kW of each battery, positive while it charges.
        var batteries: [Double] = []
        /// kW that the home draws, below 0 what it gives.
        var net: Double
    }

    private let work: PlanWork
    private let decisions: PlanDecisions
    /// By slot.
    private var runs: [[(load: Int, run: LoadPlan.Run)]]
    private(set) var pieces: [Piece] = []

    private var grid: PlanGrid { work.grid }

    /// - Parameter runs: of each load.
    init(_ work: PlanWork, _ decisions: PlanDecisions, runs: [[LoadPlan.Run]]) {
        (self.work, self.decisions) = (work, decisions)
        let grid = work.grid
        self.runs = Array(repeating: [], count: grid.count)
        for (load, runs) in runs.enumerated() {
            for run in runs {
                var slot = max(0, grid.index(at: run.interval.start.unixMilliseconds + 1) - 1)
                while slot < grid.count, grid.edges[slot] < run.interval.end.unixMilliseconds {
                    self.runs[slot].append((load, run))
                    slot += 1
                }
            }
        }
        for slot in 0..<grid.count { pieces += balanced(slot) }
    }

    /// What an export limit that counts each slot's mean lets through inside the slots; `nil` if nothing.
    var exportNote: String? {
        let above = pieces.filter { -$0.net > grid.exportMax + 1e-3 }
        guard let most = above.map({ -$0.net }).max() else { return nil }
        let minutes = Int((above.reduce(0) { $0 + $1.hours } * 60).rounded(.up))
        return "For \(minutes) min in all up to \(most.plainText) kW are given, more than the export limit of "
            + "\(grid.exportMax.plainText) kW, which counts the mean of each slot: shorter slots keep nearer to it."
    }

    private func balanced(_ slot: Int) -> [Piece] {
        let cut = cut(slot)
        let means = work.problem.batteries.indices.map { battery in
            (decisions.charge[battery][slot] - decisions.discharge[battery][slot]) / grid.hours[slot]
        }
        let even = cut.map { piece in
            var piece = piece
            piece.batteries = means
            piece.net += means.reduce(0, +)
            return piece
        }
        // Where giving brings more than drawing costs it is better not to balance.
        guard cut.count > 1, means.contains(where: { $0 != 0 }), grid.importWeight[slot] >= grid.exportWeight[slot]
        else { return even }
        var pieces = cut
        for (battery, mean) in means.enumerated() { level(&pieces, battery, mean) }
        return pieces.allSatisfy(fits) ? pieces : even
    }

    /// A slot at the edges of what runs in it, without batteries.
    private func cut(_ slot: Int) -> [Piece] {
        let (start, end) = (grid.edges[slot], grid.edges[slot + 1])
        let inner = runs[slot].flatMap {
            [$0.run.interval.start.unixMilliseconds, $0.run.interval.end.unixMilliseconds]
        }
        let edges = ([start, end] + inner.filter { start < $0 && $0 < end }).sorted()
        let idle = grid.base[slot] - grid.pv[slot] + decisions.curtailed[slot] / grid.hours[slot]
        var pieces = zip(edges, edges.dropFirst()).filter { $0 < $1 }.map { from, to in
            Piece(
                interval: Interval(start: Timestamp(unixMilliseconds: from), milliseconds: to - from), slot: slot,
                hours: Double(to - from) / 3_600_000, loads: Array(repeating: 0, count: decisions.loads.count),
                net: idle)
        }
        for (load, run) in runs[slot] {
            for index in pieces.indices where run.interval.contains(pieces[index].interval.start) {
                pieces[index].loads[load] = run.power
            }
        }
        for (load, decision) in decisions.loads.enumerated() where decision.energy[slot] > 0 {
            // Runs end at whole milliseconds; together they are what was decided.
            let told = pieces.reduce(0) { $0 + $1.loads[load] * $1.hours }
            for index in pieces.indices {
                pieces[index].loads[load] *= told > 0 ? decision.energy[slot] / told : 0
                pieces[index].net += pieces[index].loads[load]
            }
        }
        return pieces
    }

    /// Has a battery give where most is drawn, or take where least is, so that what the home draws is as even as can be.
    private func level(_ pieces: inout [Piece], _ battery: Int, _ mean: Double) {
        let traits = work.problem.batteries[battery]
        let (sign, most) = mean < 0 ? (-1.0, traits.dischargeMax) : (1.0, traits.chargeMax)
        let energy = abs(mean) * pieces.reduce(0) { $0 + $1.hours }
        func power(_ piece: Piece, _ level: Double) -> Double { min(most, max(0, level - sign * piece.net)) }
        let nets = pieces.map { sign * $0.net }
        var (low, high) = (nets.min() ?? 0, (nets.max() ?? 0) + most)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let moved = pieces.reduce(0) { $0 + power($1, middle) * $1.hours }
            if moved < energy { low = middle } else { high = middle }
        }
        for index in pieces.indices {
            let power = sign * power(pieces[index], high)
            pieces[index].batteries.append(power)
            pieces[index].net += power
        }
    }

    /// Whether the limits hold in every part of the slot, of which some count its mean only.
    private func fits(_ piece: Piece) -> Bool {
        let slot = piece.slot
        return work.rows.allSatisfy { row in
            guard !row.batteries.isEmpty else { return true }
            let drawn = row.loads.reduce(row.pvShare * decisions.curtailed[slot] / grid.hours[slot]) {
                $0 + piece.loads[$1.key] * $1.value
            }
            let flow = row.batteries.reduce(drawn) { $0 + piece.batteries[$1.key] * $1.value }
            return flow >= row.floor[slot] - 1e-6 && flow <= row.room[slot] + 1e-6
        }
    }
}
