internal import EnergyModel
internal import EnergyStore

/// The year before the last weeks, per source and region, in whole hours: what a forecast learns from.
///
/// It is asked for once a day, in parts that a source can answer, and kept small: 70 KB per region. A source that does
/// not answer is asked again in the next hour; until then the forecast does with less.
actor SignalArchive {
    /// What ``SignalProvider/signals(region:in:now:)`` allows for.
    private static let partMilliseconds: Int64 = 100 * .millisecondsPerDay
    static let regionsMax = 2_000

    private struct Key: Hashable {
        let source: String
        let region: String
    }
    private struct Entry {
        let history: HourlyHistory
        /// When to ask again.
        let expires: Timestamp
    }
    private var entries: [Key: Entry] = [:]

    /// What `provider` knows of the time before `end`, as far as a forecast made now uses it; perhaps up to a day short.
    func history(
        of provider: any SignalProvider, region: String, before end: Timestamp, now: Timestamp
    ) async -> HourlyHistory {
        let key = Key(source: provider.name, region: region)
        if let entry = entries[key], now < entry.expires { return entry.history }
        var (history, isWhole) = (HourlyHistory.empty, true)
        var start = now.floored(toMilliseconds: .millisecondsPerDay)
            .advanced(byMilliseconds: -HistoryForecast.historyMilliseconds)
        while let rest = Interval(start: start, end: end) {
            let part = Interval(start: start, milliseconds: min(rest.milliseconds, Self.partMilliseconds))
            do throws(EnergyError) {
                let report = try await provider.signals(region: region, in: part, now: now)
                history = history.continued(by: HourlyHistory(report.series.ended(by: now)))
            } catch { isWhole = false }
            start = part.end
        }
        let pause: Int64 = isWhole ? .millisecondsPerDay : .millisecondsPerHour
        if entries.count >= Self.regionsMax { entries.removeAll() }
        entries[key] = Entry(
            history: history, expires: now.floored(toMilliseconds: pause).advanced(byMilliseconds: pause))
        return history
    }
}
