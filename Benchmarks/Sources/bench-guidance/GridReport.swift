import EnergyModel
import Foundation

/// Follows the guidance of one recorded grid day by day, each issued at 00:00 UTC with what was known then.
struct GridReport {
    private let grid: RecordedGrid
    private let options: Options

    init(_ grid: RecordedGrid, _ options: Options) {
        self.grid = grid
        self.options = options
    }

    /// Prints a table of ours and the baselines.
    ///
    /// - Returns: ours.
    func printed() async throws -> SkillScore {
        let hourly = HourlySeries(grid.series)
        let days = try self.days(hourly)
        var guidance = try await DailyGuidance(grid, options, start: days[0].start)
        var ours = SkillScore()
        var baselines = Baseline.allCases.map { ($0, SkillScore()) }
        var orderDiffers = 0
        for day in days {
            let actual = Array(hourly.values[day.index..<day.index + 24])
            let rated = try await guidance.issue(at: day.start)
            ours.add(rated.map(\.rating), actual)
            if !guidance.isInOrderOfForecast { orderDiffers += 1 }
            for index in baselines.indices {
                let baseline = baselines[index].0
                baselines[index].1.add(
                    baseline.prediction(hourly.values, at: day.index, start: day.start, grid.timeZone), actual)
            }
        }
        print("\n\(grid.name): \(days.count) days from \(days[0].start), \(grid.timeZone.identifier)")
        print(Self.row("", ["best 4 h", "block 4 h", "block 8 h", "rank corr", "hits", "worst day", "< -5 %"]))
        Self.printRow("guidance", ours)
        for (baseline, score) in baselines { Self.printRow(baseline.rawValue, score) }
        if orderDiffers > 0 { print("the ratings are not in the order of the forecast on \(orderDiffers) days") }
        return ours
    }

    /// Whole days of which the outcome is known, by default of July to December 2021 or else the last half-year.
    private func days(_ hourly: HourlySeries) throws -> [(start: Timestamp, index: Int)] {
        let all = stride(from: 28 * 24, through: hourly.values.count - 24, by: 1).compactMap { index in
            let start = hourly.start.advanced(byMilliseconds: Int64(index) * .millisecondsPerHour)
            return start == start.floored(toMilliseconds: .millisecondsPerDay) ? (start, index) : nil
        }.filter { hourly.values[$0.1..<$0.1 + 24].allSatisfy(\.isFinite) }
        let (first, last) = (
            Timestamp(unixMilliseconds: 1_625_097_600_000), Timestamp(unixMilliseconds: 1_640_995_200_000)
        )
        let (from, to) = (options.from ?? first, options.to ?? last)
        var chosen = all.filter { from <= $0.0 && $0.0 < to }
        if options.from == nil, options.to == nil, chosen.count < 90 { chosen = Array(all.suffix(184)) }
        if chosen.isEmpty { throw Failure("\(grid.name): has no whole day to score") }
        return chosen.map { (start: $0.0, index: $0.1) }
    }

    private static func printRow(_ name: String, _ score: SkillScore) {
        func text(_ value: Double) -> String { String(format: "%.3f", value) }
        print(
            row(
                name,
                [
                    text(score.split4), text(score.contiguous4), text(score.contiguous8), text(score.rankCorrelation),
                    text(score.hitRate), text(score.worstDay), "\(score.badDays)",
                ]))
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count))
        }
        return name + padded(name, 12) + cells.map { padded($0, 11) + $0 }.joined()
    }
}
