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
    private var isSorted = true
    /// Of the last of them.
    private var lastPeriod: Int32 = -1

    /// - Parameter periods: how many there may be.
    public init(periods: Int = 1) { collected.reserveCapacity(periods) }

    /// - Parameter period: mostly that of the call before, or a later one.
    public mutating func add(_ tally: InsightTally, _ class: InsightClass, to period: Int) {
        add(InsightTotals.Entry(period: period, class: `class`, tally: tally))
    }

    /// Those of many periods at once, each made where it will stand: a year has tens of thousands.
    ///
    /// - Parameters:
    ///   - count: how many there may be.
    ///   - make: adds entries, mostly of one period after the other.
    @inlinable public mutating func add(
        upTo count: Int, _ make: (inout OutputSpan<InsightTotals.Entry>) -> Void
    ) {
        let first = collected.count
        collected.append(addingCapacity: count, initializingWith: make)
        order(from: first)
    }

    /// Of entries that were added at the end.
    @usableFromInline mutating func order(from first: Int) {
        var last = lastPeriod
        for index in first..<collected.count {
            guard last < collected[index].period else {
                let entries = Array(collected[first...])
                collected.removeSubrange(first...)
                for entry in entries { add(entry) }
                return
            }
            last = collected[index].period
        }
        lastPeriod = last
    }

    private mutating func add(_ entry: InsightTotals.Entry) {
        if lastPeriod < entry.period {
            lastPeriod = entry.period
            collected.append(entry)
        } else {
            join(entry)
        }
    }

    /// - Parameter entry: of a period that is not after the last.
    private mutating func join(_ entry: InsightTotals.Entry) {
        var place = collected.count
        // The class seldom changes within a period.
        while place > 0, collected[place - 1].period == entry.period,
            collected[place - 1].class.code >= entry.class.code
        {
            place -= 1
            guard collected[place].class == entry.class else { continue }
            collected[place].tally += entry.tally
            return
        }
        if entry.period < lastPeriod { isSorted = false }
        collected.insert(entry, at: place)
        lastPeriod = collected[collected.count - 1].period
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
