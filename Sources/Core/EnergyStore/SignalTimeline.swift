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
        let passed = records.filter { $0.interval.end <= learned }
        guard let first = passed.map(\.interval.start).min() else { return change }
        let known = laidOver(present.filter { $0.record.interval.end > first && $0.record.interval.start < learned })
        for record in passed {
            let touched = overlapping(record.interval, known)
            if isSaid(record, by: touched) { continue }
            change.added.append(Entry(record: record, revision: (touched.map(\.revision).max() ?? 0) + 1))
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
        laidOver(revision == .newest ? entries : entries.filter { $0.revision == 0 }).map(\.record)
    }

    /// Sorted and without overlaps: at each time the entry of the highest revision.
    private static func laidOver(_ entries: [Entry]) -> [Entry] {
        let byRevision = Dictionary(grouping: entries, by: \.revision)
        return byRevision.keys.sorted().reduce(into: []) { result, revision in
            let sorted = (byRevision[revision] ?? []).sorted { $0.record.interval.start < $1.record.interval.start }
            result = result.isEmpty ? joinedInOrder(sorted) : laid(joinedInOrder(sorted), over: result)
        }
    }

    /// - Parameter known: sorted, without overlaps.
    private static func overlapping(_ interval: Interval, _ known: [Entry]) -> ArraySlice<Entry> {
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if known[middle].record.interval.end > interval.start { high = middle } else { low = middle + 1 }
        }
        return known[low...].prefix { $0.record.interval.start < interval.end }
    }

    /// Whether `known` covers all of its time and says the same.
    private static func isSaid(_ record: SignalRecord, by known: ArraySlice<Entry>) -> Bool {
        var reached = record.interval.start
        for entry in known {
            guard entry.record.interval.start <= reached, entry.record.measures(theSameAs: record) else { return false }
            reached = entry.record.interval.end
        }
        return reached >= record.interval.end
    }

    /// Without overlaps: one that begins later cuts one that begins earlier.
    private static func joinedInOrder(_ entries: [Entry]) -> [Entry] {
        var result: [Entry] = []
        for entry in entries {
            if let last = result.last, last.record.interval.end > entry.record.interval.start {
                result.removeLast()
                if let kept = last.between(last.record.interval.start, entry.record.interval.start) {
                    result.append(kept)
                }
            }
            result.append(entry)
        }
        return result
    }

    /// Both sorted and without overlaps, as is the result: where they meet, `upper` counts.
    private static func laid(_ upper: [Entry], over lower: [Entry]) -> [Entry] {
        var (result, rest): ([Entry], ArraySlice<Entry>) = ([], upper[...])
        for entry in lower {
            var start = entry.record.interval.start
            let end = entry.record.interval.end
            while let next = rest.first?.record.interval, next.start < end {
                if next.end > start {
                    if let kept = entry.between(start, next.start) { result.append(kept) }
                    start = max(start, next.end)
                }
                // One that reaches beyond this entry cuts the next one, too.
                if next.end > end { break }
                result.append(rest.removeFirst())
            }
            if let kept = entry.between(start, end) { result.append(kept) }
        }
        return result + rest
    }
}

extension SignalTimeline.Entry {
    /// The part of it from `start` to `end`, `nil` if there is none.
    fileprivate func between(_ start: Timestamp, _ end: Timestamp) -> SignalTimeline.Entry? {
        Interval(start: start, end: end).flatMap(record.clamped).map {
            SignalTimeline.Entry(record: $0, revision: revision)
        }
    }
}
