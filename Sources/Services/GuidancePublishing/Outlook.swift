internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// What the best usable source says of a region: the hours ahead, and the month behind to judge them by.
struct Outlook: Sendable {
    let source: String
    let kind: SignalKind
    /// Its values may be passed on.
    let isRepublishable: Bool
    /// Without gaps, from the start of the running step, for the look-ahead or until the data end; never empty.
    var ahead: [SignalPoint]
    /// The last 28 days, as far as the source knows them.
    let trailing: [SignalPoint]
    /// What was measured of the last two days, in the source's own steps: what was used then is worth what holds in each.
    /// In history it stands beside what was known when guidance was made of it.
    let measured: [SignalPoint]
    let reference: CleanlinessReference?
    /// The steps that were predicted here; perhaps also some after ``ahead``.
    let forecast: [Interval]
    let dataAgeMilliseconds: Int64
    /// When the source made its values known, if it says so.
    let issued: Timestamp?
    /// Preferred sources that were not used, each with its reason.
    let skipped: [String]

    /// Some of ``ahead`` was predicted here.
    var isForecast: Bool { forecastMilliseconds > 0 }
    /// How much of it.
    var forecastMilliseconds: Int64 {
        forecast.reduce(0) { $0 + ($1.start < interval.end ? $1.milliseconds : 0) }
    }

    /// Of ``ahead``.
    var interval: Interval {
        Interval(start: ahead[0].interval.start, end: ahead[ahead.count - 1].interval.end) ?? ahead[0].interval
    }

    /// The 28 days before it.
    var month: Interval { Self.month(before: interval.start) }

    static func month(before start: Timestamp) -> Interval {
        Interval(
            start: start.advanced(byMilliseconds: -CleanlinessReference.trailingMilliseconds),
            milliseconds: CleanlinessReference.trailingMilliseconds)
    }

    /// The shortest that a window is cut to.
    static let cutMilliseconds: Int64 = .millisecondsPerDay

    /// Without what begins in a time without a price or after it, but for at least a day.
    ///
    /// - Parameter unpriced: sorted.
    func cut(before unpriced: [Interval]) -> Outlook {
        guard let first = unpriced.first else { return self }
        let end = max(first.start, interval.start.advanced(byMilliseconds: Self.cutMilliseconds))
        let kept = ahead.prefix { $0.interval.end <= end }
        guard !kept.isEmpty, kept.count < ahead.count else { return self }
        var cut = self
        cut.ahead = Array(kept)
        return cut
    }

    /// What ratings are judged against.
    func carbon(_ action: SuggestedAction, noise: Double?) -> RatingMethod.Carbon {
        RatingMethod.Carbon(
            window: ahead.lazy.map { ($0.interval, $0.value) },
            trailing: trailing.lazy.map { ($0.interval, $0.value) }, action: action, noise: noise)
    }

    /// How long after a time its measured value may come, or be corrected.
    private static let correctedMilliseconds: Int64 = 2 * .millisecondsPerDay

    /// Shorter ones are joined to such steps, so that two days are a bounded number.
    private static let measuredMillisecondsMin: Int64 = 5 * .millisecondsPerMinute

    /// - Parameter start: what is ahead begins here.
    static func measured(_ series: SignalSeries, before start: Timestamp) -> [SignalPoint] {
        let days = Interval(start: start.advanced(byMilliseconds: -correctedMilliseconds), end: start)
        guard let days else { return [] }
        let isFine = series.overlapping(days).contains { $0.interval.milliseconds < measuredMillisecondsMin }
        let points =
            isFine
            ? series.resampled(over: days, stepMilliseconds: measuredMillisecondsMin).compactMap(\.self)
            : Array(series.overlapping(days))
        return points.filter { !$0.isEstimated && $0.interval.start >= days.start }.compactMap { point in
            point.interval.intersection(days).map { SignalPoint(interval: $0, value: point.value, isEstimated: false) }
        }
    }

    /// For the history of what was known, and of what is known by now.
    var records: [SignalRecord] {
        (measured + ahead).map {
            SignalRecord(
                interval: $0.interval, value: $0.value, isEstimated: $0.isEstimated, kind: kind,
                cleanliness: CleanlinessReference.classify($0.value, against: reference), source: source,
                issued: issued)
        }
    }
}

/// Asks the sources of a region in order of preference until one can say something of the hours ahead.
struct OutlookFinder: Sendable {
    let configuration: GuidanceConfiguration
    let archive: SignalArchive

    /// - Throws: ``EnergyError`` `.unavailable`, with each source's reason, when none can.
    func outlook(
        region: String, timeZone: TimeZone, now: Timestamp
    ) async throws(EnergyError) -> Outlook {
        var skipped: [String] = []
        var isKnown = false
        // Each source that knows the region answered, but has nothing that says anything of now.
        var isPast = true
        for provider in configuration.providers(of: region) where provider.kind.quantity == .carbon {
            var report: SignalReport?
            do throws(EnergyError) {
                let found = try await provider.signals(region: region, in: Self.asked(now), now: now)
                report = found
                return try await outlook(provider, region, found, timeZone, now, skipped)
            } catch {
                skipped.append("\(provider.name): \(error.message)")
                if error.code != .notFound { isKnown = true }
                if error.code != .notFound, report == nil { isPast = false }
            }
        }
        guard isKnown else {
            throw EnergyError(
                .outOfRange,
                "no source knows the region \(region) of the venue. Give the venue another region, or the region a "
                    + "source: \(configuration.knownRegions())")
        }
        let text = "no source has a signal for the region \(region): \(skipped.joined(separator: "; "))"
        guard !isPast else {
            // To try again helps nobody: what a file or a program has said once does not become newer.
            throw EnergyError(
                .unavailable, "\(text). Push a value for now, or give the region a source that has one")
        }
        throw EnergyError(.unavailable, text, retryAfterMilliseconds: 60_000)
    }

    private static func asked(_ now: Timestamp) -> Interval {
        Interval(
            start: now.floored(toMilliseconds: .millisecondsPerDay)
                .advanced(byMilliseconds: -SameHourForecast.historyMilliseconds),
            milliseconds: SameHourForecast.historyMilliseconds + 3 * .millisecondsPerDay)
    }

    private func outlook(
        _ provider: any SignalProvider, _ region: String, _ report: SignalReport, _ timeZone: TimeZone,
        _ now: Timestamp, _ skipped: [String]
    ) async throws(EnergyError) -> Outlook {
        let step = Self.guidanceStep(report.stepMilliseconds)
        let start = now.floored(toMilliseconds: step)
        let window = Interval(start: start, milliseconds: configuration.lookAheadMilliseconds)
        let age = report.newestMeasured.map { max(0, now.milliseconds(since: $0)) }
        let own = Self.steps(of: report.series, over: window, step, now)
        var (ahead, predicted): ([SignalPoint], [Interval]) = (own.prefix { $0 != nil }.compactMap(\.self), [])
        if ahead.count < own.count, !provider.isTimeless {
            if let age, ahead.isEmpty, age > configuration.dataAgeMaxMilliseconds { throw Self.tooOld(age) }
            let older = await archive.history(
                of: provider, region: region, before: Self.asked(now).start, now: now)
            let forecast = HistoryForecast(
                history: report.series.ended(by: now), older: older, stepMilliseconds: step, timeZone: timeZone,
                until: window.end)
            let filled = own.enumerated().map { index, point in
                point ?? forecast.point(at: start.advanced(byMilliseconds: Int64(index) * step))
            }
            ahead = filled.prefix { $0 != nil }.compactMap(\.self)
            predicted = zip(own, ahead).compactMap { $0 == nil ? $1.interval : nil }
        }
        if ahead.isEmpty {
            throw EnergyError(
                .unavailable,
                "has no value for now, and fewer than \(SameHourForecast.daysMin) days of history to predict one")
        }
        let month = Outlook.month(before: start)
        let trailing = report.series.resampled(over: month, stepMilliseconds: step).compactMap(\.self)
        return Outlook(
            source: provider.name, kind: provider.kind, isRepublishable: provider.isRepublishable, ahead: ahead,
            trailing: trailing, measured: Outlook.measured(report.series, before: start),
            reference: CleanlinessReference(trailing: Distribution(trailing)), forecast: predicted,
            dataAgeMilliseconds: age ?? 0, issued: report.issued, skipped: skipped)
    }

    /// What has passed of the running step needs no value: where it is not known, the rest of the step stands for it.
    private static func steps(
        of series: SignalSeries, over window: Interval, _ step: Int64, _ now: Timestamp
    ) -> [SignalPoint?] {
        var steps = series.resampled(over: window, stepMilliseconds: step)
        let running = Interval(start: window.start, milliseconds: step)
        if steps.first == .some(nil), let rest = Interval(start: now, end: running.end),
            case let point?? = series.resampled(over: rest, stepMilliseconds: rest.milliseconds).first
        {
            steps[0] = SignalPoint(interval: running, value: point.value, isEstimated: point.isEstimated)
        }
        return steps
    }

    private static func tooOld(_ age: Int64) -> EnergyError {
        let days = (age / .millisecondsPerDay).formatted(.number.locale(Locale(identifier: "en_US")))
        return EnergyError(.unavailable, "newest value is \(days) days old")
    }

    /// The source's own step, rounded up to one that fits the clock: 15, 30 or 60 minutes.
    static func guidanceStep(_ sourceStep: Int64) -> Int64 {
        [15, 30].map { $0 * .millisecondsPerMinute }.first { sourceStep <= $0 } ?? .millisecondsPerHour
    }
}
