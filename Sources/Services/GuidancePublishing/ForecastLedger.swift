internal import EnergyModel
internal import EnergyStore

/// What was expected of each region, once a day for 28 days, and how well it came true.
struct ForecastLedger: Sendable {
    private struct Key: Hashable {
        let source: String
        let region: String
    }
    private struct Page {
        var issues: [ForecastIssue] = []
        var skill: ForecastSkill?
        /// The day that `skill` was judged on.
        var judged: Timestamp?
    }
    private var pages: [Key: Page] = [:]
    private static let issuesMax = Int(ForecastSkill.trailingMilliseconds / .millisecondsPerDay) + 1
    /// Forecasts are compared by their first day, however far they reach.
    private static let issueMilliseconds = Int64.millisecondsPerDay

    /// - Parameter stored: oldest first.
    init(_ stored: [StoredForecast] = []) {
        for forecast in stored {
            let key = Key(source: forecast.source, region: forecast.region)
            pages[key, default: Page()].issues.append(forecast.issue)
        }
        for key in pages.keys { pages[key]?.issues.trim(to: Self.issuesMax) }
    }

    /// Judges what is known by then, once a day, and writes down what is expected, if nothing was today.
    ///
    /// - Returns: the skill of the source in the region, `nil` until it is known; and what is new to be kept.
    mutating func skill(of outlook: Outlook, region: String, now: Timestamp) -> (ForecastSkill?, new: StoredForecast?) {
        let key = Key(source: outlook.source, region: region)
        var page = pages[key] ?? Page()
        let today = now.floored(toMilliseconds: .millisecondsPerDay)
        guard page.judged != today else { return (page.skill, nil) }
        page.skill = ForecastSkill(page.issues, measured: SignalSeries(outlook.trailing), now: now)
        page.judged = today
        var new: StoredForecast?
        let end = outlook.interval.start.advanced(byMilliseconds: Self.issueMilliseconds)
        if page.issues.last.map({ $0.interval.start < today }) ?? true,
            let issue = ForecastIssue(outlook.ahead.filter { $0.interval.end <= end }),
            issue.interval.milliseconds == Self.issueMilliseconds
        {
            page.issues.append(issue)
            page.issues.trim(to: Self.issuesMax)
            new = StoredForecast(source: outlook.source, region: region, issue: issue)
        }
        if pages.count >= SignalArchive.regionsMax, pages[key] == nil { pages.removeAll() }
        pages[key] = page
        return (page.skill, new)
    }
}

extension [ForecastIssue] {
    fileprivate mutating func trim(to countMax: Int) { self = Array(suffix(countMax)) }
}
