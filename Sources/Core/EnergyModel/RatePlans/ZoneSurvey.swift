/// Every kind of day that a list of zones can meet: which zones match when, over a whole year.
///
/// Days on which the same zones hold by date are looked at once, so that a plan of two seasons costs a few days, not 366.
struct ZoneSurvey {
    /// A part of a kind of day in which the same zones match.
    struct Part {
        let today: RateDay
        /// Of the local day, half-open.
        let minutes: Range<Int>
        /// Indices of those that match, ascending: the last wins.
        let matching: [Int]
    }

    private let zones: [RateZone]
    /// The first of each kind, and which kind each day of a leap year is of, from January 1.
    private let kinds: [(today: Season.Day, yesterday: Season.Day)]
    let kindOfDay: [Int]
    private let weekdayPairs: [(today: Int, yesterday: Int)]

    static let days: [Season.Day] = (1...12).flatMap { month in
        (1...31).compactMap { Season.Day(month: month, day: $0) }
    }

    init(_ zones: [RateZone], hasHolidays: Bool) {
        self.zones = zones
        let sets = Self.days.map { day in zones.map { $0.isOn(day) } }
        var known: [[[Bool]]: Int] = [:]
        var kinds: [(Season.Day, Season.Day)] = []
        kindOfDay = Self.days.indices.map { index in
            let before = index == 0 ? Self.days.count - 1 : index - 1
            let key = [sets[index], sets[before]]
            if let kind = known[key] { return kind }
            known[key] = kinds.count
            kinds.append((Self.days[index], Self.days[before]))
            return kinds.count - 1
        }
        self.kinds = kinds
        let ordinary = (0...6).map { (today: $0, yesterday: ($0 + 6) % 7) }
        // A holiday is a Sunday in the middle of the week.
        let around = (0...5).flatMap { [(today: 6, yesterday: $0), (today: $0, yesterday: 6)] }
        weekdayPairs = hasHolidays ? ordinary + around : ordinary
    }

    /// Visits each part of each kind of day; where nothing matches, too.
    func visit(_ body: (_ kind: Int, Part) -> Void) {
        let edges = Set(zones.flatMap { [$0.startMinute, $0.endMinute % 1440] } + [0]).sorted() + [1440]
        for (kind, days) in kinds.enumerated() {
            let possible = zones.indices.filter { zones[$0].isOn(days.today) || zones[$0].isOn(days.yesterday) }
            for weekdays in weekdayPairs {
                let today = RateDay(weekday: weekdays.today, day: days.today)
                let yesterday = RateDay(weekday: weekdays.yesterday, day: days.yesterday)
                let held = possible.flatMap { spans($0, today, yesterday) }
                for (start, end) in zip(edges, edges.dropFirst()) where start < end {
                    let matching = held.lazy.filter { $0.minutes.contains(start) }.map(\.zone)
                    body(kind, Part(today: today, minutes: start..<end, matching: Array(matching)))
                }
            }
        }
    }

    /// When a zone holds on a day: once, or in the morning and in the evening.
    private func spans(_ index: Int, _ today: RateDay, _ yesterday: RateDay) -> [(zone: Int, minutes: Range<Int>)] {
        let zone = zones[index]
        let isOvernight = zone.startMinute >= zone.endMinute
        var result: [(Int, Range<Int>)] = []
        if isOvernight, zone.isOn(yesterday) { result.append((index, 0..<zone.endMinute)) }
        if zone.isOn(today) { result.append((index, zone.startMinute..<(isOvernight ? 1440 : zone.endMinute))) }
        return result
    }
}
