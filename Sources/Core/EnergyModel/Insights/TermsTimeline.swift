/// The terms of a stretch of time at one venue. What it was not told is unknown, never guessed.
public struct TermsTimeline: Hashable, Sendable {
    public struct Span: Hashable, Sendable {
        public let start: Timestamp
        public fileprivate(set) var end: Timestamp
        public let terms: InsightTerms
    }
    /// Sorted, without overlaps; neighbours of the same terms are one span.
    public private(set) var spans: [Span] = []

    /// All time unknown.
    public init() {}

    /// - Parameter signals: in any order; of two that overlap the one that starts earlier holds for the overlap.
    public init(_ signals: [SignalInterval]) {
        let isSorted = zip(signals, signals.dropFirst()).allSatisfy { $0.interval.start <= $1.interval.start }
        for signal in isSorted ? signals : signals.sorted(by: { $0.interval.start < $1.interval.start }) {
            append(signal.interval, InsightTerms(signal))
        }
    }

    /// Adds what follows: the part of `interval` that lies after everything that is there.
    public mutating func append(_ interval: Interval, _ terms: InsightTerms) {
        guard let last = spans.last else {
            return spans.append(Span(start: interval.start, end: interval.end, terms: terms))
        }
        guard interval.end > last.end else { return }
        let start = max(interval.start, last.end)
        if start == last.end, last.terms == terms {
            spans[spans.count - 1].end = interval.end
        } else {
            spans.append(Span(start: start, end: interval.end, terms: terms))
        }
    }

    /// Adds another timeline that follows this one.
    public mutating func append(_ other: TermsTimeline) {
        for span in other.spans {
            if let interval = Interval(start: span.start, end: span.end) { append(interval, span.terms) }
        }
    }

    /// The terms of the instant, and until when they hold: a later instant.
    public func terms(at instant: Timestamp) -> (InsightTerms, until: Timestamp) {
        let index = firstIndex(endingAfter: instant)
        guard index < spans.count else { return (.unknown, Timestamp(unixMilliseconds: .max)) }
        let span = spans[index]
        return span.start <= instant ? (span.terms, span.end) : (.unknown, span.start)
    }

    /// The parts inside `interval`.
    public func clamped(to interval: Interval) -> TermsTimeline {
        var result = TermsTimeline()
        for span in spans[firstIndex(endingAfter: interval.start)...] {
            guard span.start < interval.end else { break }
            if let part = Interval(start: max(span.start, interval.start), end: min(span.end, interval.end)) {
                result.append(part, span.terms)
            }
        }
        return result
    }

    /// The terms of `interval`, each from `choose` of these and `other` at that time.
    public func joined(
        with other: TermsTimeline, in interval: Interval, _ choose: (InsightTerms, InsightTerms) -> InsightTerms
    ) -> TermsTimeline {
        var result = TermsTimeline()
        var start = interval.start
        while start < interval.end {
            let ((own, ownEnd), (theirs, theirEnd)) = (terms(at: start), other.terms(at: start))
            let end = min(ownEnd, theirEnd, interval.end)
            let chosen = choose(own, theirs)
            if chosen != .unknown, let part = Interval(start: start, end: end) { result.append(part, chosen) }
            start = end
        }
        return result
    }

    /// Binary search.
    private func firstIndex(endingAfter instant: Timestamp) -> Int {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
