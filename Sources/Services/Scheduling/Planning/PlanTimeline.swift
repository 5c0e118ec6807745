internal import EnergyModel
internal import EnergyPlanning
internal import Foundation

/// The time ahead, cut into slots of one price, carbon and rating each.
///
/// What guidance does not reach is a forecast: as at the same local time of what it does reach, but for each day ahead a
/// tenth nearer to the worst of it, so that the known is taken before the guessed, the near before the far, and never the
/// unknown because it might be free. A ceiling looks at the same local time as it is: a contract's prices do not drift.
/// Where the contract itself is known, so are its prices, and where they decide, a time is rated as one that costs as much.
struct PlanTimeline {
    let slots: [PlanSlot]
    /// What counts, of what was asked for: what guidance does not tell is left out.
    let objective: PlanObjective
    /// `nil` if the guidance rates no part of the time.
    let guidance: Guidance?
    /// End of what the guidance covers.
    let ratedUntil: Timestamp?
    /// Whether the contract says what all of the rest costs.
    let isContracted: Bool
    /// Whether there is anything that loads have to share.
    let hasLimits: Bool
    /// Whether the most that the home draws costs something.
    let hasPeak: Bool
    let hasPrices: Bool
    let hasCarbon: Bool

    fileprivate struct Values {
        var rating: Double
        var price: Double?
        var carbon: Double?
        /// Of a forecast, before it is drawn to the worst.
        var expectedPrice: Double?
        var expectedCarbon: Double?
    }

    /// - Parameter cuts: times at which a slot ends besides, but for a second.
    init(
        _ window: Interval, by guidance: Guidance?, _ settings: VenueSettings, in zone: TimeZone,
        cuts: [Timestamp] = []
    ) {
        let known = (guidance?.values ?? []).filter { 0...1 ~= $0.rating && $0.interval.end > window.start }
            .sorted { $0.interval.start < $1.interval.start }
        let rest = Interval(start: max(window.start, known.last?.interval.end ?? window.start), end: window.end)
        let contract = ContractPrices(settings.contract, in: rest)
        let edges = cuts + settings.forecastEdges(in: window) + contract.edges
        let cuts = edges.sorted().reduce(into: [Timestamp]()) { cuts, cut in
            if cut.milliseconds(since: cuts.last ?? window.start) >= 1_000 { cuts.append(cut) }
        }
        func edge(after time: Timestamp) -> Timestamp {
            min(cuts.first { $0 > time } ?? time.nextHour, time.nextHour)
        }
        let forecast = Forecast(
            known, contract, ratesByPrice: guidance?.isDecidedByRates ?? false, from: window.start, in: zone)
        var slots: [PlanSlot] = []
        func add(_ start: Timestamp, _ end: Timestamp, _ values: Values, isForecast: Bool) {
            guard let interval = Interval(start: start, end: end) else { return }
            var slot = PlanSlot(
                interval: interval, importPrice: values.price ?? forecast.worst.price ?? 0,
                exportPrice: settings.exportPrice, carbon: values.carbon ?? forecast.worst.carbon ?? 0,
                rating: values.rating, baseLoad: settings.baseLoad(in: interval),
                pv: settings.photovoltaics(in: interval), isForecast: isForecast)
            (slot.expectedPrice, slot.expectedCarbon) = (values.expectedPrice, values.expectedCarbon)
            slots.append(slot)
        }
        var cursor = window.start
        func guess(until end: Timestamp) {
            while cursor < end {
                let next = min(end, edge(after: cursor))
                add(cursor, next, forecast.values(at: cursor), isForecast: true)
                cursor = next
            }
        }
        for value in known where value.interval.end > cursor && value.interval.start < window.end {
            guess(until: max(cursor, value.interval.start))
            // By hours at most: what is decided of a slot holds for all of it.
            let end = min(value.interval.end, window.end)
            while cursor < end {
                let next = min(end, edge(after: cursor))
                add(cursor, next, Values(value), isForecast: false)
                cursor = next
            }
        }
        guess(until: window.end)
        self.slots = slots
        ratedUntil = slots.last { !$0.isForecast }?.interval.end
        isContracted = contract.isComplete
        self.guidance = ratedUntil == nil ? nil : guidance
        hasLimits = settings.limits != PlanLimits()
        hasPrices = forecast.worst.price != nil
        hasCarbon = forecast.worst.carbon != nil
        var objective = settings.objective
        if forecast.worst.price == nil { objective.money = 0 }
        if forecast.worst.carbon == nil { objective.carbon = 0 }
        let isEmpty = objective.money == 0 && objective.carbon == 0 && objective.rating == 0
        self.objective = isEmpty ? .rating : objective
        hasPeak = settings.limits.demandCharge != nil && self.objective.money > 0
    }

    /// Whether rates, rather than carbon, decide.
    var isByRates: Bool {
        if objective.rating != 0 { return guidance?.isDecidedByRates ?? false }
        return objective.money != 0
    }

    /// Mean over time, `0...1`.
    func rating(of interval: Interval) -> Double {
        var (sum, length) = (0.0, 0.0)
        for slot in slots {
            guard let part = slot.interval.intersection(interval) else { continue }
            sum += slot.rating * Double(part.milliseconds)
            length += Double(part.milliseconds)
        }
        return length > 0 ? min(1, sum / length) : 1
    }

    /// The same plan, its blocks with the ratings of this time.
    func rating(_ plan: DevicePlan) -> DevicePlan {
        let blocks = plan.blocks.map { block in
            ScheduleBlock(
                interval: block.interval, power: block.power, stageMax: block.stageMax, energy: block.energy,
                rating: rating(of: block.interval), reason: block.reason, isDischarging: block.isDischarging)
        }
        var rated = plan
        rated.blocks = blocks
        return rated
    }

    /// What some energy costs.
    struct Totals {
        /// `nil` where guidance has no price at all.
        var money: Double?
        /// g CO2
        var carbon: Double?
        /// Mean of the energy.
        var rating = 0.0
    }

    func totals(of blocks: [ScheduleBlock]) -> Totals {
        var (money, carbon, rating, energy) = (0.0, 0.0, 0.0, 0.0)
        for block in blocks where block.energy > .zero {
            for slot in slots {
                guard let part = slot.interval.intersection(block.interval) else { continue }
                let share = Double(part.milliseconds) / Double(block.interval.milliseconds)
                let taken = block.energy.kilowattHours * share
                // What would be exported otherwise costs what that would have brought, and emits nothing.
                let surplus = max(0, slot.pv - slot.baseLoad.reduce(0, +)) * Double(part.milliseconds) / 3_600_000
                let own = min(taken, surplus)
                energy += taken
                money += own * slot.exportPrice + (taken - own) * slot.importPrice
                carbon += (taken - own) * slot.carbon
                rating += (taken - own) * slot.rating
            }
        }
        return Totals(
            money: hasPrices ? money : nil, carbon: hasCarbon ? carbon : nil,
            rating: energy > 0 ? min(1, rating / energy) : 0)
    }

    /// What the known hours say of those that are not.
    private struct Forecast {
        static let quarters = 96
        let worst: Values
        private let contract: ContractPrices
        private let ratesByPrice: Bool
        private let zone: TimeZone
        private let start: Timestamp
        private var byQuarter: [Values?]

        init(
            _ known: [GuidanceValue], _ contract: ContractPrices, ratesByPrice: Bool, from start: Timestamp,
            in zone: TimeZone
        ) {
            self.contract = contract
            self.ratesByPrice = ratesByPrice
            self.zone = zone
            self.start = start
            let values = known.map(Values.init)
            worst = Values(
                rating: values.map(\.rating).max() ?? 1, price: values.compactMap(\.price).max(),
                carbon: values.compactMap(\.carbon).max())
            byQuarter = Array(repeating: nil, count: Self.quarters)
            for (value, values) in zip(known, values) {
                var time = value.interval.start
                while time < value.interval.end {
                    byQuarter[quarter(at: time)] = values
                    time = time.advanced(byMilliseconds: 15 * .millisecondsPerMinute)
                }
            }
        }

        func values(at time: Timestamp) -> Values {
            var same = byQuarter[quarter(at: time)] ?? worst
            let price = same.price == nil ? nil : contract.price(at: time)
            if let price, ratesByPrice, price != same.price { same.rating = rating(costing: price) }
            let days = max(1, Double(time.milliseconds(since: start)) / Double(Int64.millisecondsPerDay)).rounded(.down)
            let share = 1 - pow(0.9, days)
            func nearer(_ value: Double, _ worst: Double?) -> Double { value + share * ((worst ?? value) - value) }
            return Values(
                rating: nearer(same.rating, worst.rating), price: price ?? same.price.map { nearer($0, worst.price) },
                carbon: same.carbon.map { nearer($0, worst.carbon) }, expectedPrice: price ?? same.price,
                expectedCarbon: same.carbon)
        }

        /// Between those of known times that cost nearly as much; the best, or worst, there is where none costs as little or much.
        private func rating(costing price: Double) -> Double {
            let known = byQuarter.compactMap { values in values?.price.map { (price: $0, rating: values?.rating ?? 1) }
            }
            guard let below = known.filter({ $0.price <= price }).max(by: { $0.price < $1.price }) else { return 0 }
            guard let above = known.filter({ $0.price >= price }).min(by: { $0.price < $1.price }) else { return 1 }
            let share = above.price > below.price ? (price - below.price) / (above.price - below.price) : 0
            return below.rating + share * (above.rating - below.rating)
        }

        private func quarter(at time: Timestamp) -> Int {
            LocalTime(time, offsetMilliseconds: zone.offsetMilliseconds(at: time)).minuteOfDay / 15
        }
    }
}

extension PlanTimeline.Values {
    fileprivate init(_ value: GuidanceValue) {
        self.init(
            rating: value.rating, price: value.price.map { Double($0.microsPerKilowattHour) / 1_000_000 },
            carbon: value.carbonIntensity)
    }
}
