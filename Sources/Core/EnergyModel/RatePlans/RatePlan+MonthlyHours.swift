extension RatePlan {
    /// What holds in the hours of each month, as people read a contract: 12 months of 24 hours.
    ///
    /// - Parameters:
    ///   - weekdays: 0 (Monday) to 6.
    ///   - rate: of the zone that prices a time, or of none.
    /// - Returns: one member where it holds all through the hour, on all of those days of the month.
    public func monthlyHours<Rate: Hashable>(
        on weekdays: ClosedRange<Int>, _ rate: (RateZone?) -> Rate
    ) -> [[Set<Rate>]] {
        (1...12).map { month in
            var hours = [Set<Rate>](repeating: [], count: 24)
            for day in Season.Day.all where day.month == month {
                for weekday in weekdays {
                    for part in Self.parts(of: zones, on: day, weekday: weekday) {
                        let found = rate(part.zone.map { zones[$0] })
                        let last = (part.minutes.upperBound - 1) / 60
                        for hour in part.minutes.lowerBound / 60...last { hours[hour].insert(found) }
                    }
                }
            }
            return hours
        }
    }
}
