public import EnergyModel

/// What one class of a period adds up to.
public struct ClassTally: Hashable, Sendable {
    public let `class`: InsightClass
    public var tally: InsightTally

    public init(class: InsightClass, tally: InsightTally) {
        self.`class` = `class`
        self.tally = tally
    }
}

/// Some of the totals of a range, and what they are true of.
public struct InsightTotals: Hashable, Sendable {
    /// What one class of one period adds up to.
    public struct Entry: Hashable, Sendable {
        /// In the grid.
        public let period: Int32
        public let `class`: InsightClass
        public var tally: InsightTally

        @inlinable public init(period: Int, class: InsightClass, tally: InsightTally) {
            self.period = Int32(clamping: period)
            self.`class` = `class`
            self.tally = tally
        }
    }

    /// Sorted by period and the class's code. A flat list, because a year has thousands of periods.
    public let entries: [Entry]
    /// The period to go on with; `nil` when the grid is done.
    public let next: Int?
    /// As in ``InsightStore/positions()``, at the same moment.
    public let applied: [LogHead]

    public init(entries: [Entry], next: Int?, applied: [LogHead]) {
        self.entries = entries
        self.next = next
        self.applied = applied
    }
}

/// Adds up the totals of a grid's periods.
public struct TotalsCollector {
    /// Sorted by period up to the last, unless several series were added.
    @usableFromInline var collected: [InsightTotals.Entry] = []
    @usableFromInline var isSorted = true

    /// - Parameter periods: how many there may be.
    public init(periods: Int = 1) { collected.reserveCapacity(periods) }

    /// - Parameter period: mostly that of the call before, or a later one.
    @inlinable public mutating func add(_ tally: InsightTally, _ class: InsightClass, to period: Int) {
        let entry = InsightTotals.Entry(period: period, class: `class`, tally: tally)
        let last = collected.count - 1
        guard last >= 0, entry.period <= collected[last].period else { return collected.append(entry) }
        // Where it stands: the class seldom changes within a period.
        if entry.period == collected[last].period, `class` == collected[last].class {
            collected[last].tally += tally
            return
        }
        if entry.period < collected[last].period { isSorted = false }
        var place = collected.count
        while place > 0, collected[place - 1].period == entry.period, collected[place - 1].class.code >= `class`.code {
            if collected[place - 1].class == `class` {
                collected[place - 1].tally += tally
                return
            }
            place -= 1
        }
        if place == collected.count { collected.append(entry) } else { collected.insert(entry, at: place) }
    }

    public var entries: [InsightTotals.Entry] {
        guard !isSorted else { return collected }
        var result: [InsightTotals.Entry] = []
        for entry in collected.sorted(by: { ($0.period, $0.class.code) < ($1.period, $1.class.code) }) {
            if let last = result.last, last.period == entry.period, last.class == entry.class {
                result[result.count - 1].tally += entry.tally
            } else {
                result.append(entry)
            }
        }
        return result
    }
}
