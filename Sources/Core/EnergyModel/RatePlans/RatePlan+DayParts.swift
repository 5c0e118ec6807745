extension RatePlan {
    /// A part of a day of any year during which one zone holds.
    public struct DayPart: Hashable, Sendable {
        /// Of the local day, half-open.
        public let minutes: Range<Int>
        /// Index into the zones; `nil` where none matches.
        public let zone: Int?
    }

    /// What holds on a day of any year, from its first minute to its last: without holidays and dated rates, as a person
    /// reads a contract. The evening before is the weekday and the date before.
    ///
    /// - Parameters:
    ///   - weekday: 0 (Monday) to 6.
    ///   - zones: the plan's zones or its export zones.
    /// - Returns: in order, without gaps, neighbours differ.
    public static func parts(of zones: [RateZone], on day: Season.Day, weekday: Int) -> [DayPart] {
        let days = ZoneSurvey.days
        let index = days.firstIndex(of: day) ?? 0
        let today = RateDay(weekday: weekday, day: day)
        let yesterday = RateDay(weekday: (weekday + 6) % 7, day: index == 0 ? days[days.count - 1] : days[index - 1])
        let edges = Set(zones.flatMap { [$0.startMinute, $0.endMinute % 1440] } + [0]).sorted() + [1440]
        var result: [DayPart] = []
        for (start, end) in zip(edges, edges.dropFirst()) where start < end {
            let zone = zones.lastIndex { $0.matches(minute: start, on: today, after: yesterday) }
            let joins = result.last.map { $0.zone == zone } ?? false
            let begin = joins ? result.removeLast().minutes.lowerBound : start
            result.append(DayPart(minutes: begin..<end, zone: zone))
        }
        return result
    }
}

extension Season.Day {
    /// The days of a leap year, from January 1.
    public static var all: [Season.Day] { ZoneSurvey.days }
}
