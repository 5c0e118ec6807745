internal import EnergyModel
internal import EnergyStore
internal import Foundation

/// The terms that a page of the log is counted by: what is frozen, and what is frozen now.
struct TermsBook {
    let store: any InsightStore
    private let signals: any SignalSource
    private let timeZones: [UUID: TimeZone]
    /// What is known of days that are not frozen throughout.
    private var known: [FrozenDayKey: TermsTimeline] = [:]
    private(set) var days: [FrozenDayKey: FrozenDay]
    /// The day that was asked for last, which mostly is asked for next.
    private var dayAtHand: FrozenDay?
    private var keyAtHand: FrozenDayKey?
    /// Days of which more is frozen than the store knows.
    private(set) var changed: Set<FrozenDayKey> = []

    /// - Parameters:
    ///   - timeZones: of the venues; UTC where it is not said.
    ///   - days: as the store has them, or to be taken in their place.
    init(
        store: any InsightStore, signals: any SignalSource, timeZones: [UUID: TimeZone],
        days: [FrozenDayKey: FrozenDay] = [:]
    ) {
        self.store = store
        self.signals = signals
        self.timeZones = timeZones
        self.days = days
    }

    /// The same as ``terms(_:_:)``, where these are of the day that was asked for last, and were frozen before.
    func termsAtHand(_ venueID: UUID, _ interval: Interval) -> TermsTimeline? {
        guard let keyAtHand, let dayAtHand, keyAtHand.venueID == venueID, keyAtHand.start <= interval.start,
            interval.end <= dayAtHand.interval.end, dayAtHand.covers(interval)
        else { return nil }
        return dayAtHand.terms
    }

    /// The terms of all quarters of an hour that the interval touches, which from now on are frozen.
    mutating func terms(_ venueID: UUID, _ interval: Interval) async throws(EnergyError) -> TermsTimeline {
        var dayStart = interval.start.floored(toMilliseconds: .millisecondsPerDay)
        var timeline = try await day(FrozenDayKey(venueID: venueID, start: dayStart), interval)
        dayStart = dayStart.advanced(byMilliseconds: .millisecondsPerDay)
        while dayStart < interval.end {
            timeline.append(try await day(FrozenDayKey(venueID: venueID, start: dayStart), interval))
            dayStart = dayStart.advanced(byMilliseconds: .millisecondsPerDay)
        }
        return timeline
    }

    /// What was changed is stored.
    mutating func forgetChanged() { changed = [] }

    private mutating func day(_ key: FrozenDayKey, _ interval: Interval) async throws(EnergyError) -> TermsTimeline {
        if key == keyAtHand, let dayAtHand, dayAtHand.covers(interval) { return dayAtHand.terms }
        defer { (keyAtHand, dayAtHand) = (key, days[key]) }
        if let frozen = days[key], frozen.covers(interval) { return frozen.terms }
        if days[key] == nil {
            days[key] = try await store.frozenDays([key])[key] ?? FrozenDay(start: key.start)
            if let frozen = days[key], frozen.covers(interval) { return frozen.terms }
        }
        let news = try await news(key)
        dayAtHand = nil
        var frozen = days.removeValue(forKey: key) ?? FrozenDay(start: key.start)
        frozen.freeze(interval, from: news)
        changed.insert(key)
        days[key] = frozen
        return frozen.terms
    }

    private mutating func news(_ key: FrozenDayKey) async throws(EnergyError) -> TermsTimeline {
        if let known = known[key] { return known }
        let timeline = try await signals.terms(of: key, in: timeZones[key.venueID] ?? .gmt)
        known[key] = timeline
        return timeline
    }
}

extension SignalSource {
    /// What is known of a UTC day now, each time rated among the day that the venue's clocks show then.
    func terms(of day: FrozenDayKey, in zone: TimeZone) async throws(EnergyError) -> TermsTimeline {
        let span = Interval(start: day.start, milliseconds: .millisecondsPerDay)
        let localDays = CalendarPeriods(.daily, timeZone: zone)
        var timeline = TermsTimeline()
        var start = span.start
        while start < span.end {
            let localDay = localDays.period(containing: start)
            if let part = localDay.intersection(span) {
                timeline.append(try await ratedDay(localDay, venueID: day.venueID).clamped(to: part))
            }
            start = localDay.end
        }
        return timeline
    }

    /// Where the answer is that there is nothing, now and later, it is unknown; everything else is worth waiting for.
    private func ratedDay(_ day: Interval, venueID: UUID) async throws(EnergyError) -> TermsTimeline {
        do throws(EnergyError) {
            return RatedDay.timeline(try await history(venueID: venueID, interval: day))
        } catch {
            switch error.code {
            case .notFound, .invalidInput, .outOfRange: return TermsTimeline()
            default: throw error
            }
        }
    }
}
