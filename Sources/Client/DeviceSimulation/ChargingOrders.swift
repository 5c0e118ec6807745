internal import EnergyModel
internal import Foundation

/// When a vehicle is to charge, as it remembers it.
struct ChargingOrders: Hashable, Codable {
    struct Run: Hashable, Codable {
        /// Unix milliseconds.
        let start: Int64
        let end: Int64
        let isByRates: Bool
    }

    /// Sorted.
    let runs: [Run]
    /// The guidance that is followed; `nil` for orders that follow none.
    let guidanceToken: UUID?
    /// What the vehicle waits for between the runs.
    let waitsForRates: Bool

    init(_ blocks: [ScheduleBlock], guidanceToken: UUID?) {
        runs = blocks.filter { $0.power > .zero }.map { block in
            Run(
                start: block.interval.start.unixMilliseconds, end: block.interval.end.unixMilliseconds,
                isByRates: block.reason == .lowerRates)
        }
        self.guidanceToken = guidanceToken
        waitsForRates = blocks.contains { $0.reason == .waitingForLowerRates }
    }

    /// Nobody gave orders: as late as is safe.
    init(latestStart start: Timestamp, until end: Timestamp) {
        runs = [Run(start: start.unixMilliseconds, end: end.unixMilliseconds, isByRates: false)]
        guidanceToken = nil
        waitsForRates = false
    }

    func run(at point: Timestamp) -> Run? {
        runs.first { $0.start <= point.unixMilliseconds && point.unixMilliseconds < $0.end }
    }

    func nextChange(after point: Timestamp) -> Int64? {
        runs.lazy.flatMap { [$0.start, $0.end] }.filter { $0 > point.unixMilliseconds }.min()
    }

    /// How long is left to charge.
    func milliseconds(after point: Timestamp) -> Int64 {
        runsAhead(of: point).reduce(0) { $0 + $1.end - max($1.start, point.unixMilliseconds) }
    }

    func runsAhead(of point: Timestamp) -> [Run] { runs.filter { $0.end > point.unixMilliseconds } }

    func nextRun(after point: Timestamp) -> Run? { runs.first { $0.end > point.unixMilliseconds } }
}
