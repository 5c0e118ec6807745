internal import Foundation

/// Reads a contract at one point in time after the other.
struct RateReader {
    private let plan: RatePlan
    private let conditions: RateConditions
    private var calendar: RateCalendar
    private var source: SourcePrices
    /// Those that touch what is priced, the plan's before the others.
    private let datedRates: [DatedRate]
    /// The month that the energy used belongs to.
    private let billingMonth: Int64?
    /// Points of absolute time where a rate may change, ascending.
    let edges: [Timestamp]

    init(_ plan: RatePlan, _ conditions: RateConditions, in interval: Interval) {
        self.plan = plan
        self.conditions = conditions
        calendar = RateCalendar(plan.holidays)
        source = SourcePrices(plan.priceSource == nil ? [] : conditions.sourcePrices)
        datedRates = (plan.datedRates + conditions.datedRates).filter { $0.interval.overlaps(interval) }
        edges = Set(
            datedRates.flatMap { [$0.interval.start, $0.interval.end] } + source.edges(in: interval)
        ).sorted()
        billingMonth = conditions.asOf.map { instant in
            let local = LocalTime(instant, offsetMilliseconds: plan.timeZone.offsetMilliseconds(at: instant))
            return Self.billingMonth(ofDay: local.day, startingOn: plan.billingDay)
        }
    }

    /// - Parameters:
    ///   - part: in which nothing changes.
    ///   - local: its start.
    mutating func rate(during part: Interval, _ local: LocalTime, offsetMilliseconds: Int64) -> PricedInterval {
        let (yesterday, today) = (calendar.day(local.day - 1), calendar.day(local.day))
        func last(of zones: [RateZone]) -> RateZone? {
            zones.last { $0.matches(minute: local.minuteOfDay, on: today, after: yesterday) }
        }
        let zone = last(of: plan.zones)
        var price = zone?.price(after: used(onDay: local.day))
        var (peak, isDerived) = (zone?.peak ?? .unknown, zone?.isPeakDerived ?? false)
        if plan.priceSource != nil {
            let ofSource = source.price(at: part.start)
            price = ofSource.flatMap { $0.adding(price ?? Price(microsPerKilowattHour: 0)) }
            if peak == .unknown, let ofSource {
                // Of the days before this one: a day's own prices must not move its peaks while they become known.
                let midnight = Timestamp(unixMilliseconds: local.day * .millisecondsPerDay - offsetMilliseconds)
                peak = source.peak(of: ofSource, before: midnight)
                isDerived = peak != .unknown
            }
        }
        var exportPrice = last(of: plan.exportZones)?.price
        for rate in datedRates where rate.interval.contains(part.start) {
            switch rate.change {
            case .price(let fixed): price = fixed
            case .multiplier(let permille): price = price?.multiplied(by: permille, over: 1000)
            case nil: break
            }
            exportPrice = rate.exportPrice ?? exportPrice
            if rate.peak != .unknown { (peak, isDerived) = (rate.peak, false) }
        }
        return PricedInterval(
            interval: part, price: price.flatMap(plan.charges.applied), peak: peak,
            isPeakDerived: isDerived, exportPrice: exportPrice)
    }

    private func used(onDay day: Int64) -> Energy {
        guard let billingMonth, Self.billingMonth(ofDay: day, startingOn: plan.billingDay) == billingMonth else {
            return plan.expectedEnergy(beforeDay: day) ?? .zero
        }
        return conditions.monthToDate
    }

    /// Months since the year 0, counted from the billing day.
    private static func billingMonth(ofDay number: Int64, startingOn billingDay: Int) -> Int64 {
        let (year, month, day) = CivilDate(dayNumber: number).components
        return year * 12 + month - (day < Int64(billingDay) ? 1 : 0)
    }
}

extension Price {
    fileprivate func adding(_ other: Price) -> Price? {
        let (sum, overflows) = microsPerKilowattHour.addingReportingOverflow(other.microsPerKilowattHour)
        return overflows ? nil : Price(microsPerKilowattHour: sum)
    }
}
