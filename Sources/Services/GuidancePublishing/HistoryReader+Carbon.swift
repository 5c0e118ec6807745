internal import EnergyModel
internal import EnergyStore
internal import Foundation

extension HistoryReader {
    /// What was recorded; of the rest what sources hold by now, if that is asked for; of what remains what a timeless source
    /// says. Sorted, perhaps with gaps.
    func carbon(of venue: Venue, in interval: Interval) async throws(EnergyError) -> [SignalRecord] {
        var records = try await store.signals(region: venue.region, in: interval, revision: revision)
            .compactMap { $0.clamped(to: interval) }
        let providers = configuration.providers(of: venue.region).filter { $0.kind.quantity == .carbon }
        var held: [any SignalProvider] = []
        if revision == .newest {
            held = providers.filter { !$0.isTimeless }
            // What it said when guidance was made of it, it says now: others come first.
            let timeless = configuration.timelessSources(of: venue.region)
            records.removeAll { timeless.contains($0.source) }
        }
        for provider in held + providers.filter(\.isTimeless) {
            let gaps = interval.gaps(between: records.lazy.map(\.interval))
            let lacksClass = !provider.isTimeless && records.contains { $0.lacksClass(of: provider) }
            guard !gaps.isEmpty || lacksClass else { continue }
            guard var source = await SaidCarbon(provider, of: venue, in: interval, now: now) else { continue }
            if lacksClass { records = records.map { $0.lacksClass(of: provider) ? source.classified($0) : $0 } }
            records += source.records(in: gaps)
            records.sort { $0.interval.start < $1.interval.start }
        }
        return records
    }
}

/// What one source says now of a past, each value with the class that the 28 days before its day give it.
private struct SaidCarbon {
    private let provider: any SignalProvider
    private let series: SignalSeries
    private let days: CalendarPeriods
    /// Of ``reference``, which moves once a day, at the venue's midnight: often enough for a mean of 28.
    private var today: Interval?
    private var reference: CleanlinessReference?

    /// - Returns: `nil` where the source says nothing.
    init?(_ provider: any SignalProvider, of venue: Venue, in interval: Interval, now: Timestamp) async {
        self.provider = provider
        days = CalendarPeriods(.daily, timeZone: venue.timeZone)
        // What reaches into the first day has its class by the day that it began on.
        let before = days.period(containing: interval.start).start.advanced(byMilliseconds: -1)
        let month = Self.month(before: days.period(containing: before), days)
        guard let asked = Interval(start: month.start, end: interval.end),
            let said = try? await provider.signals(region: venue.region, in: asked, now: now).series
        else { return nil }
        // Of what has passed an expectation is no knowledge; a timeless source has nothing else.
        series = provider.isTimeless ? said : SignalSeries(said.ended(by: now).points.filter { !$0.isEstimated })
    }

    /// - Parameter gaps: sorted.
    mutating func records(in gaps: [Interval]) -> [SignalRecord] {
        var records: [SignalRecord] = []
        for gap in gaps {
            for point in series.overlapping(gap) {
                guard let part = point.interval.intersection(gap) else { continue }
                records.append(
                    SignalRecord(
                        interval: part, value: point.value, isEstimated: provider.isTimeless, kind: provider.kind,
                        cleanliness: cleanliness(of: point.value, at: point.interval.start),
                        source: provider.name))
            }
        }
        return records
    }

    /// One whose month before was not known when it was recorded.
    mutating func classified(_ record: SignalRecord) -> SignalRecord {
        // Also what was asked for from its middle on has the class of its day.
        let whole = series.overlapping(Interval(start: record.interval.start, milliseconds: 1)).first
        return SignalRecord(
            interval: record.interval, value: record.value, isEstimated: record.isEstimated, kind: record.kind,
            cleanliness: cleanliness(of: record.value, at: whole?.interval.start ?? record.interval.start),
            source: record.source, issued: record.issued)
    }

    /// - Parameter start: of the whole value, though only a part of it may be asked for.
    private mutating func cleanliness(of value: Double, at start: Timestamp) -> Cleanliness {
        if today?.contains(start) != true {
            let day = days.period(containing: start)
            let trailing = Distribution(series, within: Self.month(before: day, days))
            (today, reference) = (day, CleanlinessReference(trailing: trailing))
        }
        return CleanlinessReference.classify(value, against: reference)
    }

    /// The 28 days before a local day, on the same clocks: an hour more or less where these change.
    private static func month(before day: Interval, _ days: CalendarPeriods) -> Interval {
        let noon = day.start.advanced(
            byMilliseconds: 12 * .millisecondsPerHour - CleanlinessReference.trailingMilliseconds)
        let start = days.period(containing: noon).start
        return Interval(start: start, milliseconds: day.start.milliseconds(since: start))
    }
}

extension SignalRecord {
    fileprivate func lacksClass(of provider: any SignalProvider) -> Bool {
        cleanliness == .unknown && source == provider.name && kind == provider.kind
    }
}

extension Interval {
    /// The parts of it that none of `known` holds.
    ///
    /// - Parameter known: sorted by start.
    func gaps(between known: some Sequence<Interval>) -> [Interval] {
        var (gaps, reached): ([Interval], Timestamp) = ([], start)
        for interval in known where interval.end > reached {
            if let gap = Interval(start: reached, end: min(interval.start, end)) { gaps.append(gap) }
            reached = interval.end
        }
        if let rest = Interval(start: reached, end: end) { gaps.append(rest) }
        return gaps
    }
}
