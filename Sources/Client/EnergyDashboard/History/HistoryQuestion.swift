internal import EnergyModel
internal import Foundation

/// What somebody wants to know of the past, as the page's address says it.
struct HistoryQuestion: Hashable, Sendable {
    enum Range: String, CaseIterable, Sendable { case day, week, month, year, years }
    enum Split: String, CaseIterable, Sendable { case cleanliness, tariff }
    enum Measure: String, CaseIterable, Sendable { case energy, runtime, cost, carbon }

    var range = Range.week
    /// A point of time inside the range.
    var anchor: Timestamp
    /// `nil` is the whole home.
    var deviceID: String?
    var split = Split.cleanliness
    var measure = Measure.energy
    /// 0 is Monday.
    var firstWeekday = 0

    private static let yearsShown = 5

    init(anchor: Timestamp) { self.anchor = anchor }

    /// What an address does not say, or says wrongly, is as on the first visit.
    ///
    /// - Parameter value: of a name in the address.
    init(now: Timestamp, in zone: TimeZone, firstWeekday: Int = 0, _ value: (String) -> String?) {
        (anchor, self.firstWeekday) = (now, firstWeekday)
        if let range = value("range").flatMap(Range.init(rawValue:)) { self.range = range }
        if let split = value("split").flatMap(Split.init(rawValue:)) { self.split = split }
        if let measure = value("measure").flatMap(Measure.init(rawValue:)) { self.measure = measure }
        if let device = value("device"), !device.isEmpty { deviceID = device }
        let periods = CalendarPeriods.supported
        if let day = value("at").flatMap({ LocalInput.day($0, in: zone) }), periods.contains(day) {
            anchor = min(day, now)
        }
    }

    /// - Throws: `invalidInput` for what an address says wrongly.
    static func check(_ request: PageRequest, in zone: TimeZone) throws(EnergyError) {
        try request.checkDevice()
        try request.check("range", Range.allCases.map(\.rawValue))
        try request.check("split", Split.allCases.map(\.rawValue))
        guard let day = request["at"], LocalInput.day(day, in: zone) == nil else { return }
        throw .invalidInput(
            RuleViolation(field: "at", rule: "must be a date from 1980 on, such as 2026-12-24", value: day))
    }

    /// The time that it is about.
    func interval(in zone: TimeZone) -> Interval { interval(containing: anchor, in: zone) }

    /// As long, right before.
    func previous(in zone: TimeZone) -> Interval {
        interval(containing: interval(in: zone).start.advanced(byMilliseconds: -1), in: zone)
    }

    /// Until when the time before is held against this one: as far as this one has come.
    func comparedEnd(_ now: Timestamp, in zone: TimeZone) -> Timestamp {
        let (own, before) = (interval(in: zone), previous(in: zone))
        guard own.contains(now) else { return before.end }
        let (clock, offsets) = (LocalClock(timeZone: zone), ZoneOffsets.of(zone))
        func reading(_ instant: Timestamp) -> Timestamp {
            instant.advanced(byMilliseconds: offsets.offsetMilliseconds(at: instant))
        }
        let passed = reading(now).milliseconds(since: reading(own.start))
        return min(before.end, clock.instant(reading: reading(before.start).advanced(byMilliseconds: passed)))
    }

    /// The beginning of the bar of the time before that is held against this time in part; `nil` without any.
    func comparedPart(_ now: Timestamp, in zone: TimeZone) -> Interval? {
        let end = comparedEnd(now, in: zone)
        let bar = CalendarPeriods(granularity, timeZone: zone).period(containing: end)
        return end < previous(in: zone).end ? Interval(start: bar.start, end: end) : nil
    }

    /// What a bar is made of that is not held against this time whole.
    var partGranularity: Granularity {
        switch granularity {
        case .quarterHourly, .hourly: .quarterHourly
        case .daily: .hourly
        case .weekly, .monthly, .yearly: .daily
        }
    }

    /// What one bar is of.
    var granularity: Granularity {
        switch range {
        case .day: .hourly
        case .week, .month: .daily
        case .year: .monthly
        case .years: .yearly
        }
    }

    private func interval(containing instant: Timestamp, in zone: TimeZone) -> Interval {
        func period(_ granularity: Granularity, _ instant: Timestamp) -> Interval {
            CalendarPeriods(granularity, timeZone: zone).period(containing: instant)
        }
        switch range {
        case .day: return period(.daily, instant)
        case .week: return week(of: instant, in: zone)
        case .month: return period(.monthly, instant)
        case .year: return period(.yearly, instant)
        case .years:
            let last = period(.yearly, instant)
            var start = last.start
            for _ in 1..<Self.yearsShown {
                let before = start.advanced(byMilliseconds: -1)
                guard CalendarPeriods.supported.contains(before) else { break }
                start = period(.yearly, before).start
            }
            return Interval(start: start, end: last.end) ?? last
        }
    }

    /// From the country's first day of the week.
    private func week(of instant: Timestamp, in zone: TimeZone) -> Interval {
        let clock = LocalClock(timeZone: zone)
        let today = ZoneOffsets.of(zone).dayNumber(at: instant)
        let first = today - Int64((LocalTime.weekday(ofDay: today) - firstWeekday + 7) % 7)
        func start(_ day: Int64) -> Timestamp {
            clock.instant(reading: Timestamp(unixMilliseconds: day * .millisecondsPerDay))
        }
        return Interval(start: start(first), milliseconds: start(first + 7).milliseconds(since: start(first)))
    }

    /// The same question with something else in it, as an address has it.
    func query(in zone: TimeZone, _ change: (inout HistoryQuestion) -> Void = { _ in }) -> [(String, String)] {
        var other = self
        change(&other)
        var query = [("range", other.range.rawValue)]
        query.append(("at", Formats(language: .english, timeZone: zone).isoDate(other.anchor)))
        if let deviceID = other.deviceID { query.append(("device", deviceID)) }
        query += [("split", other.split.rawValue), ("measure", other.measure.rawValue)]
        return query
    }

    /// - Parameter granularity: `nil` is that of the bars.
    func insights(
        _ venue: Venue, _ interval: Interval, grouping: InsightGrouping = .venue, granularity: Granularity? = nil
    ) -> InsightQuery {
        InsightQuery(
            venueID: venue.id, deviceID: deviceID, grouping: grouping, range: interval,
            granularity: granularity ?? self.granularity,
            byCleanliness: split == .cleanliness, byTariff: split == .tariff, exactRange: true)
    }
}

/// Dates and times as forms send them, read on the clocks of a zone.
enum LocalInput {
    /// - Parameter text: `2026-11-22`
    /// - Returns: the day's start; `nil` for what is no date.
    static func day(_ text: String, in zone: TimeZone) -> Timestamp? { instant(text, "00:00", in: zone) }

    /// - Parameter clock: `06:30`
    static func instant(_ day: String, _ clock: String, in zone: TimeZone) -> Timestamp? {
        let parts = day.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let date = parts[2], 1980...9997 ~= year,
            1...12 ~= month, 1...31 ~= date, let minute = minuteOfDay(clock)
        else { return nil }
        let civil = CivilDate(year: year, month: month, day: date)
        // The 31st of a month that has 30 days is none.
        guard civil.components.month == month else { return nil }
        let reading = civil.dayNumber * .millisecondsPerDay + Int64(minute) * .millisecondsPerMinute
        return LocalClock(timeZone: zone).instant(reading: Timestamp(unixMilliseconds: reading))
    }

    /// - Returns: `0...1439`
    static func minuteOfDay(_ clock: String) -> Int? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ 1...2 ~= $0.utf8.count }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), 0...23 ~= hour, 0...59 ~= minute
        else { return nil }
        return hour * 60 + minute
    }
}
