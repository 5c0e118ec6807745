internal import EnergyModel
public import EnergyStore
public import Foundation

/// One local day of one series, as it stands in two columns: so a year by days reads no buckets.
public struct PackedDay {
    /// Its buckets.
    public let quarters: Data
    /// What they add up to, by class.
    public let sums: Data

    /// What was there, and what is added to it; buckets that add up to nothing are left out.
    ///
    /// - Parameters:
    ///   - before: sorted, each bucket once, as is `added`.
    /// - Returns: `nil` when nothing is left.
    public init?(_ before: [QuarterTally], adding added: ArraySlice<QuarterTally>) {
        var merged: [QuarterTally] = []
        merged.reserveCapacity(before.count + added.count)
        var (old, new) = (before[...], added)
        while let bucket = Self.next(&old, &new) {
            if bucket.tally != .zero { merged.append(bucket) }
        }
        guard !merged.isEmpty else { return nil }
        quarters = PackedTallies.pack(merged)
        var collector = TotalsCollector()
        for bucket in merged { collector.add(bucket.tally, bucket.key.class, to: 0) }
        sums = PackedTallies.pack(collector.entries.map { ClassTally(class: $0.class, tally: $0.tally) })
    }

    private static func next(
        _ old: inout ArraySlice<QuarterTally>, _ new: inout ArraySlice<QuarterTally>
    ) -> QuarterTally? {
        guard let ours = old.first else { return new.popFirst() }
        guard let theirs = new.first, theirs.key <= ours.key else { return old.popFirst() }
        new.removeFirst()
        guard theirs.key == ours.key else { return theirs }
        old.removeFirst()
        return QuarterTally(key: ours.key, tally: ours.tally + theirs.tally)
    }
}

extension [QuarterTally] {
    /// By the days of a zone's clocks, ascending.
    ///
    /// - Precondition: they are sorted.
    public func byDay(of timeZone: TimeZone) -> [(day: Int64, tallies: ArraySlice<QuarterTally>)] {
        let offsets = ZoneOffsets.of(timeZone)
        var (days, rest): ([(day: Int64, tallies: ArraySlice<QuarterTally>)], ArraySlice<QuarterTally>) = (
            [], self[...]
        )
        while let first = rest.first {
            let day = offsets.day(at: first.key.start)
            let end = rest.firstIndex { day.end <= $0.key.start } ?? rest.endIndex
            days.append((day.number, rest[..<end]))
            rest = rest[end...]
        }
        return days
    }
}
