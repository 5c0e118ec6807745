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
        let newestByStart = Dictionary(
            present.map { ($0.record.interval.start, $0) }, uniquingKeysWith: { $0.revision < $1.revision ? $1 : $0 })
        for record in records where record.interval.end <= learned {
            let newest = newestByStart[record.interval.start]
            if newest?.record.measures(theSameAs: record) == true { continue }
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

    /// One record per time: the revision asked for, later ones in place of what they correct.
    ///
    /// A correction counts for all of its time, also where what it corrects was cut: an hour that was first heard of at
    /// half past is corrected as a whole.
    ///
    /// - Parameter entries: in any order.
    public static func select(_ entries: [Entry], revision: SignalRevision) -> [SignalRecord] {
        let byRevision = Dictionary(grouping: entries, by: \.revision)
        let revisions = revision == .newest ? byRevision.keys.sorted() : [0]
        return revisions.reduce(into: []) { result, revision in
            let records = (byRevision[revision] ?? []).map(\.record)
                .sorted { $0.interval.start < $1.interval.start }
            result = result.isEmpty ? joinedInOrder(records) : laid(joinedInOrder(records), over: result)
        }
    }

    /// Without overlaps: one that begins later cuts one that begins earlier.
    private static func joinedInOrder(_ records: [SignalRecord]) -> [SignalRecord] {
        var result: [SignalRecord] = []
        for record in records {
            if let last = result.last, last.interval.end > record.interval.start {
                result.removeLast()
                let before = Interval(start: last.interval.start, end: record.interval.start)
                if let kept = before.flatMap(last.clamped) { result.append(kept) }
            }
            result.append(record)
        }
        return result
    }

    /// Both sorted and without overlaps, as is the result: where they meet, `upper` counts.
    private static func laid(_ upper: [SignalRecord], over lower: [SignalRecord]) -> [SignalRecord] {
        var (result, rest): ([SignalRecord], ArraySlice<SignalRecord>) = ([], upper[...])
        for record in lower {
            var start = record.interval.start
            while let next = rest.first, next.interval.start < record.interval.end {
                if next.interval.end > start {
                    let before = Interval(start: start, end: next.interval.start)
                    if let kept = before.flatMap(record.clamped) { result.append(kept) }
                    start = max(start, next.interval.end)
                }
                // One that reaches beyond this record cuts the next one, too.
                if next.interval.end > record.interval.end { break }
                result.append(next)
                rest.removeFirst()
            }
            let after = Interval(start: start, end: record.interval.end)
            if let kept = after.flatMap(record.clamped) { result.append(kept) }
        }
        return result + rest
    }
}
