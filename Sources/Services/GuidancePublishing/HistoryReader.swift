internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// Answers what the grid and the contract were at a venue.
///
/// An answer for the past never changes, unless corrections are asked for: carbon and class are those recorded before the
/// time was over, prices those of the contract in force then, of its price source what was recorded likewise. Where no
/// carbon was recorded, a timeless source speaks in its place, marked as usual; without one, it is unknown. Where corrections
/// are asked for, sources speak before it that hold measured values of such a time by now, pushed or read from a file later,
/// even if guidance was made of what the timeless source says; so does the price source. The first revision of a venue and of a contract stands for all time before it.
struct HistoryReader {
    static let millisecondsMax: Int64 = 31 * .millisecondsPerDay
    /// 1970 to 2200: what calendars and arithmetic are sure of.
    private static let known = Timestamp(unixMilliseconds: 0)...Timestamp(unixMilliseconds: 7_258_118_400_000)

    let store: any GuidanceStore
    let configuration: GuidanceConfiguration
    let now: Timestamp
    /// What guidance was made of, or what is known by now.
    var revision = SignalRevision.whenItHappened

    func intervals(venueID: UUID, in interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        guard Self.known ~= interval.start, Self.known ~= interval.end,
            interval.milliseconds <= Self.millisecondsMax
        else {
            throw .invalidInput(
                RuleViolation(
                    field: "interval", rule: "must be at most 31 days between 1970 and 2200",
                    value: "\(interval.start.unixMilliseconds)/\(interval.end.unixMilliseconds) ms"))
        }
        let revisions = try await store.venueRevisions(venueID)
        let prices = PriceReader(store: store, configuration: configuration, now: now)
        var result: [SignalInterval] = []
        for (venue, part) in Self.inForce(revisions, during: interval, \.changed) {
            let plans =
                if let id = venue.ratePlanID { try await store.ratePlanRevisions(id) } else { [RatePlan]() }
            let carbon = try await carbon(of: venue, in: part)
            let events = try await store.demandResponse(in: part).filter { $0.applies(to: venue) }
            // Without a contract what was declared applies all the same.
            let terms = plans.isEmpty ? [(RatePlan.unknown, part)] : Self.inForce(plans, during: part, \.changed)
            var rates: [(rate: PricedInterval, currency: String)] = []
            for (plan, time) in terms {
                let conditions = RateConditions(
                    sourcePrices: try await prices.recorded(for: plan, in: time, revision),
                    datedRates: events.compactMap { $0.datedRate(currency: plan.currency) })
                rates += plan.priced(time, conditions).map { ($0, plan.currency) }
            }
            result += joined(carbon, rates, of: venue, part)
        }
        return result
    }

    /// Which revision was in force when.
    private static func inForce<Revision>(
        _ revisions: [Revision], during interval: Interval, _ changed: (Revision) -> Timestamp
    ) -> [(Revision, Interval)] {
        revisions.indices.compactMap { index in
            let start = index == 0 ? interval.start : max(interval.start, changed(revisions[index]))
            let next = index + 1 < revisions.count ? changed(revisions[index + 1]) : interval.end
            return Interval(start: start, end: min(next, interval.end)).map { (revisions[index], $0) }
        }
    }

    /// Cuts both at each other's edges. Times of which nothing is known are left out.
    private func joined(
        _ carbon: [SignalRecord], _ prices: [(rate: PricedInterval, currency: String)], of venue: Venue,
        _ interval: Interval
    ) -> [SignalInterval] {
        let timeless = configuration.timelessSources(of: venue.region)
        let edges = Set(
            [interval.start, interval.end] + carbon.flatMap { [$0.interval.start, $0.interval.end] }
                + prices.flatMap { [$0.rate.interval.start, $0.rate.interval.end] }
        ).sorted()
        var (carbon, prices) = (carbon[...], prices[...])
        return zip(edges, edges.dropFirst()).compactMap { start, end in
            while let first = carbon.first, first.interval.end <= start { carbon.removeFirst() }
            while let first = prices.first, first.rate.interval.end <= start { prices.removeFirst() }
            guard let part = Interval(start: start, end: end) else { return nil }
            let record = carbon.first.flatMap { $0.interval.contains(start) ? $0 : nil }
            let priced = prices.first.flatMap { $0.rate.interval.contains(start) ? $0 : nil }
            let peak = priced?.rate.peak ?? .unknown
            guard record != nil || priced?.rate.price != nil || peak == .criticalPeak else { return nil }
            return SignalInterval(
                interval: part, carbonIntensity: record?.value, kind: record?.kind ?? .averageDirect,
                price: priced?.rate.price, currency: priced?.rate.price == nil ? nil : priced?.currency,
                cleanliness: peak == .criticalPeak ? .avoid : record?.cleanliness ?? .unknown, peak: peak,
                isEstimated: record?.isEstimated ?? false, source: record?.source ?? "",
                isPeakDerived: priced?.rate.isPeakDerived ?? false, exportPrice: priced?.rate.exportPrice,
                isUsual: record.map { timeless.contains($0.source) } ?? false)
        }
    }
}
