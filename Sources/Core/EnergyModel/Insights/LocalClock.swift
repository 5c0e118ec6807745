package import Foundation

/// What the clocks of a zone read, and when its days begin.
package struct LocalClock: Hashable, Sendable {
    let timeZone: TimeZone

    package init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// East of UTC.
    func offsetMilliseconds(at instant: Timestamp) -> Int64 { Int64(timeZone.secondsFromGMT(for: instant.date)) * 1000 }

    func date(at instant: Timestamp) -> CivilDate {
        let local = instant.advanced(byMilliseconds: offsetMilliseconds(at: instant))
        return CivilDate(
            dayNumber: local.floored(toMilliseconds: .millisecondsPerDay).unixMilliseconds / .millisecondsPerDay)
    }

    /// The instant at which the clocks read the date's midnight: the first one if they do so twice; if they skip it, the
    /// instant at which they jump.
    func start(of date: CivilDate) -> Timestamp { instant(of: date, minute: 0) }

    /// The same for any time of the day.
    func instant(of date: CivilDate, minute: Int) -> Timestamp {
        let local = date.dayNumber * .millisecondsPerDay + Int64(minute) * .millisecondsPerMinute
        return instant(reading: Timestamp(unixMilliseconds: local))
    }

    /// The instant at which the clocks show a reading: the first one if they do so twice; if they skip it, the instant at
    /// which they jump, which is the first that is not before it.
    ///
    /// - Parameter reading: the instant at which clocks in Greenwich show it.
    package func instant(reading: Timestamp) -> Timestamp {
        // No zone is more than 16 h from UTC, so the instant lies between these two.
        let before = reading.advanced(byMilliseconds: -16 * .millisecondsPerHour)
        let after = reading.advanced(byMilliseconds: 16 * .millisecondsPerHour)
        let offsetBefore = offsetMilliseconds(at: before)
        let first = reading.advanced(byMilliseconds: -offsetBefore)
        guard let change = change(after: before, notAfter: after) else { return first }
        if first < change { return first }
        return max(change, reading.advanced(byMilliseconds: -offsetMilliseconds(at: after)))
    }

    /// The instant in `start<...end` from which the clocks run at the offset of `end`; `nil` if the offset is the same at
    /// both. At most one change a day is expected.
    func change(after start: Timestamp, notAfter end: Timestamp) -> Timestamp? {
        let offset = offsetMilliseconds(at: start)
        guard offsetMilliseconds(at: end) != offset else { return nil }
        var (low, high) = (start.unixMilliseconds, end.unixMilliseconds)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offsetMilliseconds(at: Timestamp(unixMilliseconds: middle)) == offset {
                low = middle
            } else {
                high = middle
            }
        }
        return Timestamp(unixMilliseconds: high)
    }
}
