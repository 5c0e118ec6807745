internal import EnergyModel

/// What was expected of each region, once a day for 28 days, and how well it came true.
///
/// Kept in memory: after a start it takes a week until the skill is known again.
struct ForecastLedger: Sendable {
    private struct Key: Hashable {
        let source: String
        let region: String
    }
    private struct Page {
        var issues: [ForecastIssue] = []
        var skill: ForecastSkill?
    }
    private var pages: [Key: Page] = [:]
    private static let issuesMax = Int(ForecastSkill.trailingMilliseconds / .millisecondsPerDay) + 1

    /// Writes down what is expected, if nothing was today, and judges what is known by then.
    ///
    /// - Returns: the skill of the source in the region; `nil` until it is known.
    mutating func skill(of outlook: Outlook, region: String, now: Timestamp) -> ForecastSkill? {
        let key = Key(source: outlook.source, region: region)
        var page = pages[key] ?? Page()
        let today = now.floored(toMilliseconds: .millisecondsPerDay)
        if let last = page.issues.last, last.interval.start >= today { return page.skill }
        guard let issue = ForecastIssue(outlook.ahead), issue.interval.milliseconds == OutlookFinder.aheadMilliseconds
        else { return page.skill }
        page.skill = ForecastSkill(page.issues, measured: SignalSeries(outlook.trailing), now: now)
        page.issues = page.issues.suffix(Self.issuesMax - 1) + [issue]
        if pages.count >= SignalArchive.regionsMax { pages.removeAll() }
        pages[key] = page
        return page.skill
    }
}
