internal import EnergyModel
internal import EnergyPlanning
internal import Foundation

/// A vehicle that needs energy, as its venue's plan sees it.
struct ChargeTask {
    let deviceID: String
    let vehicle: VehicleTraits
    let timeZone: TimeZone
    /// From the grid, counted from now; sorted by time, rising, at least one.
    var goals: [(by: Timestamp, energy: Energy)]
    /// Of what is planned; not before the last goal.
    var end: Timestamp
    var rules = ChargeRules()
    /// What is needed at once, and why; part of what the goals need.
    var urgent: (energy: Energy, reason: ScheduleReason)?
    /// The vehicle has not said its state of charge.
    var isGuess = false
    /// What it really takes, if that is less than it should.
    var slowPower: Power?
    /// Why the plan may not be followed, for its explanation.
    var doubts: [String] = []
    /// A plan that is to be kept: it runs only then.
    var kept: Remainder?

    var required: Energy { goals.last?.energy ?? .zero }

    /// What it takes when it charges with all it can.
    var powerMax: Power { slowPower ?? vehicle.powerMax }

    /// - Parameter now: before ``end``.
    func load(from now: Timestamp) -> PlannedLoad? {
        guard let last = goals.last?.by, let window = Interval(start: now, end: last) else { return nil }
        var goals = goals.map { EnergyNeed.Goal(by: $0.by, energy: $0.energy.kilowattHours) }
        var absences = rules.absences.compactMap { $0.intersection(window) }
        var ceilingsFrom: Timestamp?
        if let urgent {
            let by = now.advanced(byMilliseconds: urgent.energy.milliseconds(at: self.powerMax))
            ceilingsFrom = urgent.reason == .chargeNow ? end : by
            if by < last { goals = Self.adding(.init(by: by, energy: urgent.energy.kilowattHours), to: goals) }
        }
        if let kept {
            let most = min(required, kept.energy).kilowattHours
            goals = [.init(by: last, energy: most)]
            absences += kept.pauses(in: window)
        }
        let powerMax = self.powerMax.kilowatts
        var load = PlannedLoad(
            name: deviceID,
            need: .energy(
                EnergyNeed(goals: goals, powerMin: min(vehicle.powerMin.kilowatts, powerMax), powerMax: powerMax)),
            window: window, phases: vehicle.phases, priority: rules.priority, priceMax: rules.priceMax,
            carbonMax: rules.carbonMax, absences: absences)
        load.ceilingsFrom = ceilingsFrom
        return load
    }

    private static func adding(_ goal: EnergyNeed.Goal, to goals: [EnergyNeed.Goal]) -> [EnergyNeed.Goal] {
        let earlier = goals.filter { $0.by < goal.by }
        let later = goals.filter { $0.by >= goal.by && ($0.by > goal.by || $0.energy > goal.energy) }
        return earlier + [goal] + later
    }
}

/// What a vehicle's charging has to keep to besides its goals.
struct ChargeRules: Hashable, Sendable {
    /// Times at which the vehicle is not there.
    var absences: [Interval] = []
    /// Currency per kWh.
    var priceMax: Double?
    /// g CO2 per kWh.
    var carbonMax: Double?
    /// When not all can have what they need, those with a higher one have it first.
    var priority = 0
}

extension Power {
    var kilowatts: Double { Double(milliwatts) / 1_000_000 }

    /// - Parameter kilowatts: at most 1 MW counts, and nothing below 0.
    init(kilowatts: Double) {
        let milliwatts = Int64((min(max(kilowatts, 0), 1_000) * 1_000_000).rounded())
        self = (try? Power(milliwatts: milliwatts)) ?? .zero
    }
}

extension Energy {
    /// Rounded to a milliwatt-hour; at most 1 GWh.
    init(kilowattHours: Double) {
        self.init(milliwattHours: Int64((min(max(kilowattHours, 0), 1_000_000) * 1_000_000).rounded()))
    }

    /// How long `power` takes to bring it, rounded up to a millisecond.
    func milliseconds(at power: Power) -> Int64 {
        guard power > .zero, self > .zero else { return 0 }
        let product = milliwattHours.multipliedFullWidth(by: .millisecondsPerHour)
        // The quotient must fit: more than 292 million years is as good as never.
        guard product.high < power.milliwatts else { return .max }
        let (quotient, remainder) = power.milliwatts.dividingFullWidth(product)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
