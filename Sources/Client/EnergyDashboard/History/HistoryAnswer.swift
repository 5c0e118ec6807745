internal import EnergyModel
internal import Foundation

/// What the past was, beside the time before it.
struct HistoryAnswer: Sendable {
    /// One bar.
    struct Period: Sendable {
        let interval: Interval
        let record: InsightRecord?
        /// The one with the same place in the time before.
        let before: InsightRecord?
    }

    let question: HistoryQuestion
    let interval: Interval
    let periods: [Period]
    let total: HistoryTotal
    /// Of the time before, as far as this time has come: half a month is not held against a whole one.
    let before: HistoryTotal
    /// Of each device by itself, in the order of their ids.
    let devices: [(id: String, total: HistoryTotal)]
    let saved: SavingsAnswer

    /// - Parameter part: of the one bar of the time before that is held against this time in part, its pieces.
    init(
        _ question: HistoryQuestion, zone: TimeZone, now: Timestamp, records: [InsightRecord],
        earlier: [InsightRecord], part: [InsightRecord] = [], devices: [InsightRecord], saved: SavingsAnswer
    ) {
        self.question = question
        self.saved = saved
        interval = question.interval(in: zone)
        let grid = CalendarPeriods(question.granularity, timeZone: zone)
        let (own, others) = (
            PeriodGrid(grid, touching: interval), PeriodGrid(grid, touching: question.previous(in: zone))
        )
        let (byStart, beforeByStart) = (Self.byStart(records), Self.byStart(earlier))
        periods = (0..<own.count).map { index in
            let period = own.period(index)
            let before = index < others.count ? others.period(index) : nil
            return Period(
                interval: period, record: byStart[period.start], before: before.flatMap { beforeByStart[$0.start] })
        }
        total = HistoryTotal(records)
        let end = question.comparedEnd(now, in: zone)
        before = HistoryTotal((periods.compactMap(\.before) + part).filter { $0.interval.end <= end })
        self.devices = Dictionary(grouping: devices) { $0.deviceID ?? "" }.sorted { $0.key < $1.key }
            .map { ($0.key, HistoryTotal($0.value)) }
    }

    /// Whether it tells of any time how clean the grid was. If not, colours by cleanliness say nothing.
    var saysHowClean: Bool {
        periods.contains { $0.record?.byCleanliness?.keys.contains { $0 != .unknown } ?? false }
    }

    private static func byStart(_ records: [InsightRecord]) -> [Timestamp: InsightRecord] {
        Dictionary(records.map { ($0.interval.start, $0) }) { first, _ in first }
    }
}

/// Several records together; sums stop at the largest number.
struct HistoryTotal: Sendable {
    let amount: InsightAmount
    let worth: InsightWorth

    init(_ records: [InsightRecord]) {
        amount = records.reduce(.zero) { $0 + $1.total }
        worth = records.reduce(.none) { $0 + $1.worth }
    }
}
