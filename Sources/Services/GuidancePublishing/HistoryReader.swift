internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// Answers what the grid and the contract were at a venue.
///
/// An answer for the past never changes, unless corrections are asked for: carbon and class are those recorded before the
/// time was over, prices those of the contract in force then, of its price source what was recorded likewise. Where no
/// carbon was recorded, a timeless source speaks in its place, marked as estimated; without one, it is unknown. The first
/// revision of a venue and of a contract stands for all time before it.
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
        var result: [SignalInterval] = []
        for (venue, part) in Self.inForce(revisions, during: interval, \.changed) {
            let plans =
                if let id = venue.ratePlanID { try await store.ratePlanRevisions(id) } else { [RatePlan]() }
            let carbon = try await carbon(of: venue, in: part)
            let events = try await store.demandResponse(in: part).filter { $0.applies(to: venue) }
            // Without a contract what was declared applies all the same.
            let terms = plans.isEmpty ? [(RatePlan.unknown, part)] : Self.inForce(plans, during: part, \.changed)
            var prices: [(rate: PricedInterval, currency: String)] = []
            for (plan, time) in terms {
                let conditions = RateConditions(
                    sourcePrices: try await PriceReader.recorded(for: plan, in: time, store, revision),
                    datedRates: events.compactMap { $0.datedRate(currency: plan.currency) })
                prices += plan.priced(time, conditions).map { ($0, plan.currency) }
            }
            result += Self.joined(carbon, prices, part)
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

    /// What was recorded, and what a timeless source says of the rest; sorted, perhaps with gaps.
    private func carbon(of venue: Venue, in interval: Interval) async throws(EnergyError) -> [SignalRecord] {
        let recorded = try await store.signals(region: venue.region, in: interval, revision: revision)
            .compactMap { $0.clamped(to: interval) }
        var gaps: [Interval] = []
        var reached = interval.start
        for record in recorded {
            if let gap = Interval(start: reached, end: record.interval.start) { gaps.append(gap) }
            reached = record.interval.end
        }
        if let rest = Interval(start: reached, end: interval.end) { gaps.append(rest) }
        var result = recorded
        for gap in gaps { result += await timeless(of: venue, in: gap) }
        return result.sorted { $0.interval.start < $1.interval.start }
    }

    private func timeless(of venue: Venue, in gap: Interval) async -> [SignalRecord] {
        let days = CalendarPeriods(.daily, timeZone: venue.timeZone)
        for provider in configuration.providers(of: venue.region)
        where provider.isTimeless && provider.kind.quantity == .carbon {
            let month = Self.month(before: days.period(containing: gap.start), days)
            guard let asked = Interval(start: month.start, end: gap.end),
                let report = try? await provider.signals(region: venue.region, in: asked, now: now)
            else { continue }
            // The reference moves once a day, at the venue's midnight: often enough for a mean of 28.
            var (today, reference): (Interval?, CleanlinessReference?) = (nil, nil)
            return report.series.overlapping(gap).compactMap { point in
                let start = max(point.interval.start, gap.start)
                if today?.contains(start) != true {
                    let day = days.period(containing: start)
                    let trailing = report.series.overlapping(Self.month(before: day, days))
                    (today, reference) = (day, CleanlinessReference(trailing: Distribution(trailing)))
                }
                return SignalRecord(
                    interval: point.interval, value: point.value, isEstimated: true,
                    kind: provider.kind,
                    cleanliness: CleanlinessReference.classify(point.value, against: reference),
                    source: provider.name
                ).clamped(to: gap)
            }
        }
        return []
    }

    /// The 28 days before a local day, on the same clocks: an hour more or less where these change.
    private static func month(before day: Interval, _ days: CalendarPeriods) -> Interval {
        let noon = day.start.advanced(
            byMilliseconds: 12 * .millisecondsPerHour - CleanlinessReference.trailingMilliseconds)
        let start = days.period(containing: noon).start
        return Interval(start: start, milliseconds: day.start.milliseconds(since: start))
    }

    /// Cuts both at each other's edges. Times of which nothing is known are left out.
    private static func joined(
        _ carbon: [SignalRecord], _ prices: [(rate: PricedInterval, currency: String)], _ interval: Interval
    ) -> [SignalInterval] {
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
                isPeakDerived: priced?.rate.isPeakDerived ?? false, exportPrice: priced?.rate.exportPrice)
        }
    }
}
