import EnergyModel
import EnergyTestSupport
import Foundation

/// A small planning problem with whole milliseconds and ratings in tenths, and its optimum by trying everything.
struct PlannerInstance {
    let window: Interval
    let guidance: Guidance
    /// Per millisecond of the window, in tenths; 20 where the guidance says nothing.
    let tenths: [Int]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let start = Timestamp(unixMilliseconds: 1_763_712_000_000)
        let length = Int.random(in: 1...12, using: &random)
        window = Interval(start: start, milliseconds: Int64(length))
        var tenths = Array(repeating: 20, count: length)
        var values: [GuidanceValue] = []
        var cursor = Int.random(in: -2...2, using: &random)
        while cursor < length + 2 {
            let slot = Int.random(in: 1...4, using: &random)
            let rating = Int.random(in: 0...(seed % 2 == 0 ? 10 : 2), using: &random)
            if Int.random(in: 0..<6, using: &random) > 0 {
                let begin = start.advanced(byMilliseconds: Int64(cursor))
                values.append(
                    GuidanceValue(
                        interval: Interval(start: begin, milliseconds: Int64(slot)), rating: Double(rating) / 10))
                for index in cursor..<cursor + slot where tenths.indices.contains(index) { tenths[index] = rating }
            }
            cursor += slot
        }
        self.tenths = tenths
        guidance = .of(values, in: window)
    }

    /// The lowest sum of tenths over every choice of `count` milliseconds.
    func lowestSum(of count: Int) -> Int {
        var lowest = Int.max
        for choice in 0..<(1 << tenths.count) where choice.nonzeroBitCount == count {
            lowest = min(lowest, sum(of: choice))
        }
        return lowest
    }

    /// The highest sum of tenths over every choice of at most `count` rated milliseconds.
    func highestSum(ofAtMost count: Int) -> Int {
        let rated = tenths.indices.reduce(0) { tenths[$1] == 20 ? $0 : $0 | (1 << $1) }
        var highest = 0
        for choice in 0..<(1 << tenths.count) where choice & ~rated == 0 && choice.nonzeroBitCount <= count {
            highest = max(highest, sum(of: choice))
        }
        return highest
    }

    /// The sum over the milliseconds of `blocks`.
    func sum(of blocks: [ScheduleBlock]) -> Int {
        blocks.reduce(0) { total, block in
            let first = Int(block.interval.start.milliseconds(since: window.start))
            return total + tenths[first..<first + Int(block.interval.milliseconds)].reduce(0, +)
        }
    }

    private func sum(of choice: Int) -> Int {
        tenths.indices.reduce(0) { choice & (1 << $1) == 0 ? $0 : $0 + tenths[$1] }
    }
}

extension Guidance {
    static func of(
        _ values: [GuidanceValue], in interval: Interval, priceWeight: Double = 0, incorporatesRatePlan: Bool = false
    ) -> Guidance {
        Guidance(
            token: UUID(), venueID: UUID(), action: .shift, interval: interval, values: values,
            locationHasRatePlan: incorporatesRatePlan, incorporatesRatePlan: incorporatesRatePlan,
            issued: interval.start,
            basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test", priceWeight: priceWeight))
    }

    /// One value per hour from `start`.
    static func hourly(_ ratings: [Double], from start: Timestamp, priceWeight: Double = 0) -> Guidance {
        let values = ratings.enumerated().map { hour, rating in
            GuidanceValue(
                interval: Interval(
                    start: start.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour),
                rating: rating)
        }
        return .of(
            values, in: Interval(start: start, milliseconds: Int64(ratings.count) * .millisecondsPerHour),
            priceWeight: priceWeight, incorporatesRatePlan: priceWeight > 0)
    }
}
