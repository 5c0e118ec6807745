public import EnergyModel
public import Foundation

/// Remembers signals, so that a log of many events asks once per venue and day.
///
/// A day that is over and known throughout is kept until others push it out, and one of which something is missing for a
/// minute: it may soon be known better. A day that is not over is not kept: a contract may change at any moment, and what
/// is frozen next has its price.
public actor CachedSignalSource: SignalSource {
    private struct Key: Hashable {
        let venueID: UUID
        let interval: Interval
    }
    private struct Entry {
        let intervals: [SignalInterval]
        /// `nil` holds for good.
        let expires: Timestamp?
    }

    private let source: any SignalSource
    private let clock: any WallClock
    private let daysMax: Int
    private var entries: [Key: Entry] = [:]
    /// Keys by age.
    private var order: [Key] = []

    /// - Parameter daysMax: days of venues remembered, about 15 kB each.
    public init(_ source: any SignalSource, clock: any WallClock, daysMax: Int = 256) {
        self.source = source
        self.clock = clock
        self.daysMax = max(1, daysMax)
    }

    public func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        let key = Key(venueID: venueID, interval: interval)
        if let entry = entries[key], entry.expires.map({ clock.now < $0 }) ?? true { return entry.intervals }
        let intervals = try await source.history(venueID: venueID, interval: interval)
        if interval.end <= clock.now { remember(key, intervals) }
        return intervals
    }

    private func remember(_ key: Key, _ intervals: [SignalInterval]) {
        let now = clock.now
        let isSettled = intervals.isComplete(in: key.interval)
        if entries[key] == nil { order.append(key) }
        entries[key] = Entry(
            intervals: intervals, expires: isSettled ? nil : now.advanced(byMilliseconds: .millisecondsPerMinute))
        while order.count > daysMax { entries[order.removeFirst()] = nil }
    }
}
