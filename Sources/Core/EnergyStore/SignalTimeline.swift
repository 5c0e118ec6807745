public import EnergyModel

/// The records of one region and quantity with their revisions; the rules of ``GuidanceStore/recordSignals(_:region:learned:)``.
///
/// Revision 0 is what was known before the interval ended, 1 and above are corrections. A correction of an interval for
/// which nothing had been recorded is revision 1 as well, so that the answer to "what was known" stays "nothing".
public struct SignalTimeline: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let record: SignalRecord
        public let revision: Int

        public init(record: SignalRecord, revision: Int) {
            self.record = record
            self.revision = revision
        }
    }

    /// What a store has to do to take in new records.
    public struct Change: Hashable, Sendable {
        public var removed: [Entry] = []
        public var added: [Entry] = []
    }

    /// - Parameter present: the entries that touch the time from the first record, or `learned`, on.
    public static func change(
        to present: [Entry], recording records: [SignalRecord], learned: Timestamp
    ) -> Change {
        let ahead = records.filter { $0.interval.end > learned }
        var change =
            ahead.isEmpty ? Change() : replacing(present.filter { $0.record.interval.end > learned }, ahead, learned)
        for record in records where record.interval.end <= learned {
            let same = present.filter { $0.record.interval.start == record.interval.start }
            let newest = same.max { $0.revision < $1.revision }
            if newest?.record.agrees(with: record) == true { continue }
            change.added.append(Entry(record: record, revision: (newest?.revision ?? 0) + 1))
        }
        return change
    }

    /// What was expected of the time after `learned` makes room; what has passed of the running interval stays.
    private static func replacing(_ expected: [Entry], _ ahead: [SignalRecord], _ learned: Timestamp) -> Change {
        var change = Change(removed: expected)
        for entry in expected {
            guard let passed = Interval(start: entry.record.interval.start, end: learned),
                let kept = entry.record.clamped(to: passed)
            else { continue }
            change.added.append(Entry(record: kept, revision: entry.revision))
        }
        for record in ahead {
            guard let rest = Interval(start: max(record.interval.start, learned), end: record.interval.end),
                let kept = record.clamped(to: rest)
            else { continue }
            // Without this, every refresh would cut the running interval once more.
            if record.interval.start < learned, let last = change.added.last,
                let joined = last.record.joined(with: kept)
            {
                change.added[change.added.count - 1] = Entry(record: joined, revision: 0)
            } else {
                change.added.append(Entry(record: kept, revision: 0))
            }
        }
        return change
    }

    /// One record per time: of those that start together the one of the revision asked for.
    ///
    /// - Parameter entries: in any order.
    public static func select(_ entries: [Entry], revision: SignalRevision) -> [SignalRecord] {
        let sorted = entries.sorted {
            ($0.record.interval.start, $0.revision) < ($1.record.interval.start, $1.revision)
        }
        var result: [SignalRecord] = []
        for entry in sorted where revision == .newest || entry.revision == 0 {
            while let last = result.last, last.interval.end > entry.record.interval.start {
                result.removeLast()
                guard let before = Interval(start: last.interval.start, end: entry.record.interval.start),
                    let kept = last.clamped(to: before)
                else { continue }
                result.append(kept)
                break
            }
            result.append(entry.record)
        }
        return result
    }
}
