internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What rate plans ask of a price source: plans with the same share what it says.
struct PriceKey: Hashable {
    let source: String
    let currency: String

    /// - Returns: `nil` for a plan with fixed prices.
    init?(_ plan: RatePlan) {
        guard let source = plan.priceSource else { return nil }
        self.source = source
        currency = plan.currency
    }
}

/// What the price sources of some rate plans say, or why they say nothing.
struct KnownPrices {
    private(set) var prices: [PriceKey: [RateConditions.SourcePrice]] = [:]
    private(set) var failures: [PriceKey: String] = [:]
    private var expected: [String: [RateConditions.SourcePrice]] = [:]

    /// Sources whose values must not be passed on.
    private var withheld: Set<String> = []

    mutating func know(_ key: PriceKey, _ prices: [RateConditions.SourcePrice]) { self.prices[key] = prices }
    mutating func withhold(_ source: String) { withheld.insert(source) }
    mutating func expect(_ planID: String, _ prices: [RateConditions.SourcePrice]) { expected[planID] = prices }
    mutating func fail(_ key: PriceKey, _ reason: String) { failures[key] = reason }

    /// Empty for a plan with fixed prices, and while its source says nothing: then the price is unknown.
    func prices(of plan: RatePlan?) -> [RateConditions.SourcePrice] {
        plan.flatMap(PriceKey.init).flatMap { prices[$0] } ?? []
    }

    /// What the prices that the source does not know yet will be about, for ratings alone: nobody has said them.
    func expectedPrices(of plan: RatePlan?) -> [RateConditions.SourcePrice] { plan.flatMap { expected[$0.id] } ?? [] }

    /// Where the prices of a plan come from, as guidance shows it.
    func source(of plan: RatePlan?) -> RatedWindow.PlanSource {
        guard let key = plan.flatMap(PriceKey.init) else { return RatedWindow.PlanSource() }
        return RatedWindow.PlanSource(
            skipped: failures[key].map { ["\(key.source): \($0)"] } ?? [],
            isRepublishable: !withheld.contains(key.source))
    }
}

/// What a price source said.
struct PriceReport {
    let series: SignalSeries
    let stepMilliseconds: Int64
    let currency: String?
    let isRepublishable: Bool

    var prices: [RateConditions.SourcePrice] { series.points.compactMap(RateConditions.SourcePrice.init) }

    /// The hours of a guidance made at `now` that the source says nothing of, by the same-hour mean of the last 28 days.
    /// Markets say the prices of tomorrow after noon: without this no contract would count in the small hours.
    ///
    /// - Parameter lookAhead: how long a guidance is, in milliseconds.
    func expected(now: Timestamp, timeZone: TimeZone, lookAhead: Int64) -> [RateConditions.SourcePrice] {
        let step = OutlookFinder.guidanceStep(stepMilliseconds)
        // As long as a guidance, which may have begun up to an hour ago.
        let window = Interval(
            start: now.floored(toMilliseconds: .millisecondsPerHour),
            milliseconds: lookAhead + .millisecondsPerHour)
        let own = series.resampled(over: window, stepMilliseconds: step)
        guard own.contains(nil) else { return [] }
        let forecast = SameHourForecast(history: series, stepMilliseconds: step, timeZone: timeZone)
        return own.enumerated().compactMap { index, point in
            guard point == nil,
                let mean = forecast.point(at: window.start.advanced(byMilliseconds: Int64(index) * step))
            else { return nil }
            // A market's hours may begin at half past: what it said of this step stands.
            let said = series.overlapping(mean.interval).last?.interval.end ?? mean.interval.start
            return Interval(start: max(said, mean.interval.start), end: mean.interval.end)
                .flatMap { RateConditions.SourcePrice($0, mean.value) }
        }
    }
}

/// Asks a price source, and writes down what it expects.
struct PriceReader {
    private static let aheadMilliseconds: Int64 = 2 * .millisecondsPerDay + 2 * .millisecondsPerHour
    /// Peaks compare a price with the 28 days before its local day, which began up to a day ago.
    static let trailingMilliseconds = CleanlinessReference.trailingMilliseconds + 2 * .millisecondsPerDay

    let store: any GuidanceStore
    let configuration: GuidanceConfiguration
    let now: Timestamp

    /// - Throws: ``EnergyError`` when the source is not configured, says nothing of the time ahead or cannot be asked,
    ///   and when what it says cannot be written down: history must know every price that guidance was made of.
    func read(_ name: String) async throws(EnergyError) -> PriceReport {
        let (region, provider) = try provider(name)
        let start = now.floored(toMilliseconds: .millisecondsPerHour)
            .advanced(byMilliseconds: -Self.trailingMilliseconds)
        let asked = Interval(start: start, milliseconds: Self.trailingMilliseconds + Self.aheadMilliseconds)
        let report = try await provider.signals(region: region, in: asked, now: now)
        let ahead = report.series.ending(after: now).points
        guard !ahead.isEmpty else { throw EnergyError(.unavailable, "has no price for now or later") }
        // What has passed may have been corrected since.
        let passed = report.series.ending(after: now.advanced(byMilliseconds: -2 * .millisecondsPerDay)).ended(by: now)
        try await store.recordSignals(
            (passed.points.filter { !$0.isEstimated } + ahead).prefix(GuidanceLimits.signalRecordsMax).map {
                SignalRecord(
                    interval: $0.interval, value: $0.value, isEstimated: $0.isEstimated, kind: provider.kind,
                    cleanliness: .unknown, source: name, issued: report.issued, currency: report.currency)
            }, region: Self.storedRegion(of: name), learned: now)
        return PriceReport(
            series: report.series, stepMilliseconds: report.stepMilliseconds, currency: report.currency,
            isRepublishable: provider.isRepublishable)
    }

    private func provider(_ name: String) throws(EnergyError) -> (region: String, provider: any SignalProvider) {
        let named = configuration.priceProviders.filter { $0.provider.name == name }
        guard let (region, provider) = named.first, named.count == 1 else {
            throw EnergyError(.notFound, "the setting 'sources' has \(named.count) price sources of this name")
        }
        return (region, provider)
    }

    /// What was known at each point of `interval` and of the days before, for a plan that passes on prices; where that is
    /// nothing and the newest is asked for, what the source holds of it by now.
    func recorded(
        for plan: RatePlan, in interval: Interval, _ revision: SignalRevision
    ) async throws(EnergyError) -> [RateConditions.SourcePrice] {
        guard let key = PriceKey(plan),
            let whole = Interval(
                start: interval.start.advanced(byMilliseconds: -Self.trailingMilliseconds), end: interval.end)
        else { return [] }
        let recorded = try await store.signals(
            .price, region: Self.storedRegion(of: key.source), in: whole, revision: revision
        ).filter { $0.currency == key.currency }
            .compactMap { RateConditions.SourcePrice($0.interval, $0.value) }
        guard revision == .newest else { return recorded }
        let held = await held(key, in: whole.gaps(between: recorded.lazy.map(\.interval)))
        return held.isEmpty ? recorded : (recorded + held).sorted { $0.interval.start < $1.interval.start }
    }

    /// Of what has passed an expectation is no knowledge.
    private func held(_ key: PriceKey, in gaps: [Interval]) async -> [RateConditions.SourcePrice] {
        guard let first = gaps.first, let last = gaps.last, let asked = Interval(start: first.start, end: last.end),
            let (region, provider) = try? provider(key.source),
            let report = try? await provider.signals(region: region, in: asked, now: now),
            report.currency == key.currency
        else { return [] }
        let measured = SignalSeries(report.series.ended(by: now).points.filter { !$0.isEstimated })
        return gaps.flatMap { gap in
            measured.overlapping(gap).compactMap { point in
                point.interval.intersection(gap).flatMap { RateConditions.SourcePrice($0, point.value) }
            }
        }
    }

    /// Prices of a source are kept under its name: among prices no region has such a name.
    private static func storedRegion(of name: String) -> String { name }
}

extension RateConditions.SourcePrice {
    fileprivate init?(_ point: SignalPoint) { self.init(point.interval, point.value) }

    /// - Parameter micros: millionths of the currency unit per kWh; `nil` unless it makes sense.
    fileprivate init?(_ interval: Interval, _ micros: Double) {
        guard SignalQuantity.price.range.contains(micros), let whole = Int64(exactly: micros.rounded()) else {
            return nil
        }
        self.init(interval: interval, price: Price(microsPerKilowattHour: whole))
    }
}
