internal import EnergyModel

/// A plan as it is printed: keys as in the problem, times with the offset of the problem's first slot.
public struct PlanDocument: Encodable, Sendable {
    public struct Totals: Encodable, Sendable {
        public let objective: Double
        public let money: Double
        public let carbonKg: Double
        public let ratingKwh: Double

        init(_ totals: HomePlan.Totals) {
            objective = totals.objective.shown
            money = totals.money.shown
            carbonKg = totals.carbon.shown
            ratingKwh = totals.rating.shown
        }
    }
    public struct Run: Encodable, Sendable {
        public let start: String
        public let end: String
        public let powerKw: Double
        public let energyKwh: Double
        public let reason: String
    }
    public struct Wait: Encodable, Sendable {
        public let start: String
        public let end: String
        public let reason: String
        public let limit: String?
    }
    public struct Span: Encodable, Sendable {
        public let start: String
        public let end: String
    }
    public struct Cause: Encodable, Sendable {
        public let cause: String
        public let who: [String]
    }
    public struct Missing: Encodable, Sendable {
        public let cause: String
        public let who: [String]
        /// What is in the way besides.
        public let also: [Cause]
        public let remedies: [String]

        init(_ shortfall: Shortfall) {
            cause = PlanDocument.words(shortfall.cause.rawValue)
            also = shortfall.also.map { Cause(cause: PlanDocument.words($0.cause.rawValue), who: $0.who) }
            (who, remedies) = (shortfall.who, shortfall.remedies)
        }
    }
    public struct Load: Encodable, Sendable {
        public let name: String
        public let requiredKwh: Double
        public let plannedKwh: Double
        /// For comfort: kelvin-hours outside the band.
        public let missingKwh: Double?
        public let discomfortKh: Double?
        public let starts: Int
        public let runs: [Run]
        public let waits: [Wait]
        public let temperaturesC: [Double]?
        /// When its comfort band may be left.
        public let setbacks: [Span]?
        /// Kelvin by which the end misses `final_c`.
        public let finalMissingK: Double?
        public let shortfall: Missing?
        /// In each of `slots`.
        public let energyKwh: [Double]
    }
    public struct Block: Encodable, Sendable {
        public let start: String
        public let end: String
        public let powerKw: Double
    }
    public struct Battery: Encodable, Sendable {
        public let name: String
        /// The mean of each of `slots`.
        public let powerKw: [Double]
        /// The same energy, given while loads run that need only a part of a slot.
        public let blocks: [Block]
        public let storedKwh: [Double]
        public let missingKwh: Double
        public let shortfall: Missing?
    }
    public struct Slot: Encodable, Sendable {
        public let start: String
        public let end: String
        public let importKw: Double
        public let exportKw: Double
        public let curtailedKw: Double
    }

    public let status: String
    public let method: String
    public let objective: Double
    public let bound: Double
    public let gap: Double
    public let currency: String?
    /// Each slot counts with its mean.
    public let totals: Totals
    /// The same with what runs in a part of a slot counted when it runs.
    public let asRun: Totals
    /// The home without what was planned.
    public let baseline: Totals
    public let loads: [Load]
    public let batteries: [Battery]
    public let slots: [Slot]
    public let notes: [String]

    public init(_ plan: HomePlan, of reading: ProblemReader.Reading) {
        let offset = reading.offsetMinutes
        func text(_ time: Timestamp) -> String { InstantText.text(time.unixMilliseconds, offset: offset) }
        status = plan.isOptimal ? "optimal" : "feasible"
        method = plan.method.rawValue
        objective = plan.totals.objective.shown
        bound = plan.bound.shown
        gap = max(0, plan.totals.objective - plan.bound).shown
        currency = reading.currency
        totals = Totals(plan.totals)
        asRun = Totals(plan.asRun)
        baseline = Totals(plan.baseline)
        loads = zip(plan.loads, reading.problem.loads).map { load, source in
            Load(
                name: load.name, requiredKwh: load.required.shown, plannedKwh: load.planned.shown,
                missingKwh: source.isBuilding ? nil : load.missing.shown,
                discomfortKh: source.isBuilding ? load.missing.shown : nil,
                starts: load.starts,
                runs: load.runs.map {
                    Run(
                        start: text($0.interval.start), end: text($0.interval.end), powerKw: $0.power.shown,
                        energyKwh: $0.energy.shown, reason: Self.words($0.reason.rawValue))
                },
                waits: load.waits.map {
                    Wait(
                        start: text($0.interval.start), end: text($0.interval.end),
                        reason: Self.words($0.reason.rawValue), limit: $0.limit)
                },
                temperaturesC: load.temperatures.isEmpty ? nil : load.temperatures.map(\.shown),
                setbacks: source.isBuilding
                    ? load.setbacks.map { Span(start: text($0.start), end: text($0.end)) } : nil,
                finalMissingK: load.finalMissing?.shown,
                shortfall: load.shortfall.map(Missing.init), energyKwh: load.energies.map(\.shown))
        }
        batteries = plan.batteries.map {
            Battery(
                name: $0.name, powerKw: $0.power.map(\.shown),
                blocks: $0.blocks.map {
                    Block(start: text($0.interval.start), end: text($0.interval.end), powerKw: $0.power.shown)
                }, storedKwh: $0.stored.map(\.shown), missingKwh: $0.missing.shown,
                shortfall: $0.shortfall.map(Missing.init))
        }
        slots = plan.slots.map {
            Slot(
                start: text($0.interval.start), end: text($0.interval.end), importKw: $0.importPower.shown,
                exportKw: $0.exportPower.shown, curtailedKw: $0.curtailed.shown)
        }
        notes = reading.notes + plan.notes
    }

    /// `waitingForSolar` is `waiting_for_solar`.
    static func words(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}

extension Double {
    /// Without the sign of a nothing, and without what a solver's rounding leaves of one.
    fileprivate var shown: Double { abs(self) < 1e-9 ? 0 : self }
}
