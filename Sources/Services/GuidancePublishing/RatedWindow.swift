internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// The ratings that all venues of one group share: a venue adds its id and a token.
struct RatedWindow: Sendable {
    let interval: Interval
    let values: [GuidanceValue]
    let incorporatesRatePlan: Bool
    let basis: GuidanceBasis

    init(interval: Interval, values: [GuidanceValue], incorporatesRatePlan: Bool, basis: GuidanceBasis) {
        (self.interval, self.values) = (interval, values)
        (self.incorporatesRatePlan, self.basis) = (incorporatesRatePlan, basis)
    }

    /// - Parameters:
    ///   - carbon: of the outlook, for the action.
    ///   - prices: of the contract and the events over the outlook; `nil` without both.
    ///   - plan: `nil` where none is known.
    ///   - source: of the plan's prices, if they are a signal's.
    ///   - events: those that apply to the venues.
    init(
        _ outlook: Outlook, _ carbon: RatingMethod.Carbon, _ prices: PlanPrices?, _ plan: RatePlan?,
        source: PlanSource, events: [DemandResponseEvent], skill: ForecastSkill?, method: RatingMethod
    ) {
        let parts = Self.parts(outlook.ahead, prices?.rates)
        let window = parts.map(\.input)
        let result = method.rate(
            window, carbon, prices?.scale(usesTrailing: carbon.usesTrailing) ?? SignalScale(Distribution([])))
        let isPredicted = prices?.isPredicted ?? false
        values = zip(parts, result.ratings).map { part, rating in
            let input = part.input
            let price = part.rate.flatMap { prices?.saidPrice(of: $0) }
            return GuidanceValue(
                interval: input.interval, rating: rating,
                carbonIntensity: outlook.isRepublishable ? input.carbonIntensity : nil,
                price: source.isRepublishable ? price : nil, peak: input.peak,
                isPeakDerived: part.rate?.isPeakDerived ?? false, exportPrice: part.rate?.exportPrice)
        }
        incorporatesRatePlan = result.priceWeight > 0
        let whole = outlook.interval
        interval = whole
        let hasPrice = window.contains { $0.price != nil }
        basis = GuidanceBasis(
            source: outlook.source, kind: outlook.kind, method: RatingMethod.name, priceWeight: result.priceWeight,
            relativeSpread: result.relativeSpread, dataAgeMilliseconds: outlook.dataAgeMilliseconds,
            isForecast: outlook.isForecast || isPredicted && result.priceWeight > 0,
            currency: values.contains { $0.price != nil } ? plan?.currency : nil,
            skippedSources: outlook.skipped + source.skipped, certainty: result.certainty, carbonNoise: carbon.noise,
            priceRelativeSpread: result.priceRelativeSpread, priceSource: hasPrice ? plan?.priceSource : nil,
            forecastMethod: outlook.isForecast ? HistoryForecast.name : nil, forecastSkill: skill,
            events: events.filter { $0.timeInForce?.overlaps(whole) ?? false }
                .sorted { ($0.interval.start, $0.id.uuidString) < ($1.interval.start, $1.id.uuidString) },
            withholdsValues: !outlook.isRepublishable || hasPrice && !source.isRepublishable,
            tiers: plan.flatMap { Self.tiers(of: $0, at: whole.start) },
            unpriced: plan == nil ? [] : prices?.unpriced ?? [], comparesPast: carbon.usesTrailing,
            forecastMilliseconds: outlook.forecastMilliseconds)
    }

    /// What is known of where a contract's prices come from.
    struct PlanSource {
        /// With its reason, if it says nothing.
        var skipped: [String] = []
        var isRepublishable = true
    }

    /// Meters are not read: the contract says what it expects, or the first tier counts.
    private static func tiers(of plan: RatePlan, at start: Timestamp) -> TierBasis? {
        plan.isTiered ? plan.expectedEnergy(at: start).map(TierBasis.monthToDate) ?? .first : nil
    }

    /// The points, cut where the rate changes.
    private static func parts(
        _ points: [SignalPoint], _ rates: [PricedInterval]?
    ) -> [(input: RatingMethod.Input, rate: PricedInterval?)] {
        guard let rates else {
            return points.map { (RatingMethod.Input(interval: $0.interval, carbonIntensity: $0.value), nil) }
        }
        var result: [(input: RatingMethod.Input, rate: PricedInterval?)] = []
        var rest = rates[...]
        for point in points {
            while let rate = rest.first, rate.interval.end <= point.interval.start { rest.removeFirst() }
            for rate in rest {
                guard let part = rate.interval.intersection(point.interval) else { break }
                let input = RatingMethod.Input(
                    interval: part, carbonIntensity: point.value, price: rate.price, peak: rate.peak)
                result.append((input, rate))
            }
        }
        return result
    }

    /// Ratings within this of what was published are not worth a publication of their own.
    private static let hysteresis = 0.05

    /// Whether someone who follows `old` should be told.
    func differs(from old: RatedWindow) -> Bool {
        if !basis.tellsTheSame(as: old.basis) || incorporatesRatePlan != old.incorporatesRatePlan { return true }
        // Longer by an hour or more, or shorter: what can be planned has changed.
        if interval.end.milliseconds(since: old.interval.end) >= .millisecondsPerHour { return true }
        if interval.end < old.interval.end { return true }
        var before = old.values[...]
        for value in values {
            while let first = before.first, first.interval.end <= value.interval.start { before.removeFirst() }
            for other in before {
                guard other.interval.overlaps(value.interval) else { break }
                if abs(other.rating - value.rating) > Self.hysteresis || !value.tellsTheSame(as: other) { return true }
            }
        }
        return false
    }
}

extension GuidanceValue {
    /// Carbon that differs by less than this reads the same, g/kWh: forecasts move a little with each measurement.
    private static let carbonStep = 0.5

    /// Whether somebody who reads both sees the same prices, peaks and carbon. Ratings have a hysteresis of their own.
    fileprivate func tellsTheSame(as other: GuidanceValue) -> Bool {
        guard
            (price, exportPrice, peak, isPeakDerived) == (
                other.price, other.exportPrice, other.peak, other.isPeakDerived
            )
        else { return false }
        guard let carbonIntensity, let old = other.carbonIntensity else {
            return carbonIntensity == other.carbonIntensity
        }
        return abs(carbonIntensity - old) < Self.carbonStep
    }
}

extension GuidanceBasis {
    /// Whether the reasons are the same; how old and how certain values are changes all the time.
    fileprivate func tellsTheSame(as other: GuidanceBasis) -> Bool {
        (source, kind, method, currency, priceSource, forecastMethod)
            == (other.source, other.kind, other.method, other.currency, other.priceSource, other.forecastMethod)
            && (priceWeight, isForecast, withholdsValues, tiers)
                == (other.priceWeight, other.isForecast, other.withholdsValues, other.tiers)
            && (skippedSources, events, unpriced) == (other.skippedSources, other.events, other.unpriced)
    }
}
