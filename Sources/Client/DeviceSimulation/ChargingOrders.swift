internal import EnergyModel
internal import Foundation

/// When a vehicle is to charge, as it remembers it.
struct ChargingOrders: Hashable, Codable {
    struct Run: Hashable, Codable {
        /// Unix milliseconds.
        let start: Int64
        let end: Int64
        /// `nil` where nobody gave orders.
        let reason: ScheduleReason?

        func contains(_ point: Timestamp) -> Bool { start <= point.unixMilliseconds && point.unixMilliseconds < end }
    }

    /// Sorted.
    let runs: [Run]
    /// What it waits for between the runs; `nil` in what an older program remembered.
    let waits: [Run]?
    /// The guidance that is followed; `nil` for orders that follow none.
    let guidanceToken: UUID?
    /// Whole percent: there it stops by itself; `nil` for its driver's usual target.
    let targetPercent: Int?

    init(_ blocks: [ScheduleBlock], guidanceToken: UUID?, targetPercent: Int? = nil) {
        func runs(_ isIncluded: (ScheduleBlock) -> Bool) -> [Run] {
            blocks.filter(isIncluded).map { block in
                Run(
                    start: block.interval.start.unixMilliseconds, end: block.interval.end.unixMilliseconds,
                    reason: block.reason)
            }
        }
        self.runs = runs { $0.power > .zero }
        waits = runs { $0.power == .zero }
        self.guidanceToken = guidanceToken
        self.targetPercent = targetPercent
    }

    /// As a vehicle's schedule has it. To where it charges is what its goals say, or full where they say an energy.
    init(_ schedule: Schedule) {
        let targets = schedule.goals.map { goal in
            if case .stateOfCharge(let percent) = goal.target { percent } else { 100 }
        }
        // Who charges at once because somebody asked for it follows no guidance.
        self.init(
            schedule.blocks, guidanceToken: schedule.override == .chargeNow ? nil : schedule.guidanceToken,
            targetPercent: targets.max())
    }

    /// Nobody gave orders: as late as is safe.
    init(latestStart start: Timestamp, until end: Timestamp) {
        runs = [Run(start: start.unixMilliseconds, end: end.unixMilliseconds, reason: nil)]
        (waits, guidanceToken, targetPercent) = (nil, nil, nil)
    }

    func run(at point: Timestamp) -> Run? { runs.first { $0.contains(point) } }

    /// What it waits for; `nil` where nobody gave orders.
    func wait(at point: Timestamp) -> ScheduleReason? { waits?.first { $0.contains(point) }?.reason }

    func nextChange(after point: Timestamp) -> Int64? {
        (runs + (waits ?? [])).lazy.flatMap { [$0.start, $0.end] }.filter { $0 > point.unixMilliseconds }.min()
    }

    /// How long is left to charge.
    func milliseconds(after point: Timestamp) -> Int64 {
        runsAhead(of: point).reduce(0) { $0 + $1.end - max($1.start, point.unixMilliseconds) }
    }

    func runsAhead(of point: Timestamp) -> [Run] { runs.filter { $0.end > point.unixMilliseconds } }

    func nextRun(after point: Timestamp) -> Run? { runs.first { $0.end > point.unixMilliseconds } }
}
