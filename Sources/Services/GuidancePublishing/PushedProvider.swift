public import EnergyModel
public import EnergyStore
internal import EnergyWire

/// A source whose values are pushed by request. What was pushed is durable, and each correction a revision.
public actor PushedProvider: SignalProvider {
    /// How far from now a value may be.
    static let backMax: Int64 = 400 * .millisecondsPerDay
    static let aheadMax: Int64 = 14 * .millisecondsPerDay
    static let valueMillisecondsMin: Int64 = 1_000

    public nonisolated let name: String
    public nonisolated let kind: SignalKind
    public nonisolated let isTimeless = false
    /// As `Signals/Put` names it.
    public nonisolated let source: String
    public nonisolated let region: String
    nonisolated let currency: String?

    private let store: any GuidanceStore
    private let wallClock: any WallClock
    private var series: SignalSeries?
    /// What begins later is in ``series``, all of it.
    private var loadedFrom = Timestamp(unixMilliseconds: .min)
    private var issued: Timestamp?
    private var lastSuccess: Timestamp?

    /// - Parameters:
    ///   - source: the same for ever, as what was pushed is stored under it; unique in its region.
    ///   - currency: ISO 4217, of prices.
    public init(
        source: String, region: String, kind: SignalKind, currency: String? = nil, store: any GuidanceStore,
        wallClock: any WallClock
    ) {
        self.source = source
        self.region = region
        self.kind = kind
        self.currency = currency
        self.store = store
        self.wallClock = wallClock
        name = "push:\(source)"
    }

    /// No region has this name: they are kept apart from what guidance was made of.
    private nonisolated var storedRegion: String { "push:\(source)@\(region)" }

    public func signals(
        region: String, in interval: Interval, now: Timestamp
    ) async throws(EnergyError) -> SignalReport {
        let series = try await loaded()
        let known = try await older(interval) + series.overlapping(interval).filter { $0.interval.start >= loadedFrom }
        guard let last = series.points.last ?? known.last else {
            throw EnergyError(.unavailable, "nothing has been pushed yet")
        }
        return SignalReport(
            series: SignalSeries(known), stepMilliseconds: last.interval.milliseconds,
            newestMeasured: series.newestKnown(kind.quantity, at: now), currency: currency, issued: issued)
    }

    /// Takes values in place of what was said of their time before.
    ///
    /// - Throws: ``EnergyError`` `.invalidInput`, and nothing is taken.
    func put(_ values: SignalValues) async throws(EnergyError) {
        try check(values)
        let now = wallClock.now
        let series = try await loaded()
        let pushed = SignalSeries(values.points)
        let merged = series.corrected(by: pushed)
        // What lies ahead is stored as a whole, what has passed only where it was said again.
        let passed = pushed.points.filter { $0.interval.end <= now }
        let ahead = merged.points.filter { $0.interval.end > now }
        let issued = values.issued ?? now
        try await store.recordSignals(
            (passed + ahead).map {
                SignalRecord(
                    interval: $0.interval, value: $0.value, isEstimated: $0.isEstimated, kind: kind,
                    cleanliness: .unknown, source: name, issued: issued, currency: currency)
            }, region: storedRegion, learned: merged.beginOfRunning(at: now))
        self.series = merged
        self.issued = issued
        lastSuccess = now
    }

    private func check(_ values: SignalValues) throws(EnergyError) {
        guard values.kind == kind else {
            throw .invalidInput(
                RuleViolation(field: "values.kind", rule: "must be \(kind.rawValue)", value: values.kind.rawValue))
        }
        guard values.currency == currency else {
            throw .invalidInput(
                RuleViolation(
                    field: "values.currency", rule: "must be \(currency ?? "absent")",
                    value: values.currency ?? "absent"))
        }
        guard 1...SignalPush.valuesMax ~= values.points.count else {
            throw .invalidInput(
                RuleViolation(
                    field: "values.values", rule: "must have 1 to \(SignalPush.valuesMax) elements",
                    value: "\(values.points.count)"))
        }
        let now = wallClock.now
        let earliest = now.advanced(byMilliseconds: -Self.backMax)
        let latest = now.advanced(byMilliseconds: Self.aheadMax)
        var violations: [RuleViolation] = []
        var previous: Interval?
        for (index, point) in values.points.enumerated().sorted(by: {
            $0.element.interval.start < $1.element.interval.start
        }) {
            let field = "values.values[\(index)]"
            if !kind.quantity.range.contains(point.value) {
                violations.append(
                    RuleViolation(
                        field: field, rule: "must be within \(kind.quantity.range)", value: "\(point.value)"))
            }
            if !(Self.valueMillisecondsMin...Int64.millisecondsPerDay ~= point.interval.milliseconds) {
                violations.append(
                    RuleViolation(
                        field: field, rule: "must hold for 1 s to 1 day", value: "\(point.interval.milliseconds) ms"))
            }
            if point.interval.start < earliest || point.interval.end > latest {
                violations.append(
                    RuleViolation(
                        field: field, rule: "must be from 400 days ago to 14 days ahead", value: "\(point.interval)"))
            }
            if let previous, previous.overlaps(point.interval) {
                violations.append(
                    RuleViolation(field: field, rule: "must not overlap another value", value: "\(point.interval)"))
            }
            previous = point.interval
            if violations.count >= 10 { break }
        }
        guard let first = violations.first else { return }
        throw EnergyError(.invalidInput, first.description, violations: violations)
    }

    private func loaded() async throws(EnergyError) -> SignalSeries {
        if let series { return series }
        let now = wallClock.now
        let start = now.advanced(byMilliseconds: -SameHourForecast.historyMilliseconds)
        guard
            let known = Interval(
                start: start, end: now.advanced(byMilliseconds: Self.aheadMax + .millisecondsPerDay))
        else { return .empty }
        let records = try await records(in: known)
        let stored = SignalSeries(records.map(SignalPoint.init))
        issued = records.compactMap(\.issued).max()
        (series, loadedFrom) = (stored, start)
        return stored
    }

    /// What begins before ``loadedFrom``: of that not all is kept in memory.
    private func older(_ interval: Interval) async throws(EnergyError) -> [SignalPoint] {
        guard let older = Interval(start: interval.start, end: min(loadedFrom, interval.end)) else { return [] }
        return try await records(in: older).map(SignalPoint.init).filter { $0.interval.start < loadedFrom }
    }

    private func records(in interval: Interval) async throws(EnergyError) -> [SignalRecord] {
        try await store.signals(kind.quantity, region: storedRegion, in: interval, revision: .newest)
            .filter { $0.kind == kind && $0.currency == currency }
    }

    /// Nobody can ask for what is pushed.
    public func look() async -> SourceLook { SourceLook(isAsked: false) }

    public func status() async -> SignalSourceStatus {
        // Nobody may have asked it for signals since the start: what is stored was pushed all the same.
        let (points, failure) = await stored()
        return SignalSourceStatus(
            name: name, kind: kind, currency: currency, newestValue: points.last { !$0.isEstimated }?.interval.end,
            issued: issued, lastSuccess: lastSuccess,
            lastError: failure ?? (points.isEmpty ? "nothing has been pushed yet" : nil))
    }

    private func stored() async -> (points: [SignalPoint], failure: String?) {
        do throws(EnergyError) { return (try await loaded().points, nil) } catch { return ([], error.message) }
    }
}

extension SignalPoint {
    fileprivate init(_ record: SignalRecord) {
        self.init(interval: record.interval, value: record.value, isEstimated: record.isEstimated)
    }
}
