/// The classes of a stretch of time at one venue. What it was not told is unknown, never guessed.
public struct ClassTimeline: Hashable, Sendable {
    private struct Span: Hashable {
        let start: Timestamp
        var end: Timestamp
        let `class`: InsightClass
    }
    /// Sorted, without overlaps; neighbours of one class are one span.
    private var spans: [Span] = []

    /// All time unknown.
    public init() {}

    /// - Parameter signals: in any order; of two that overlap the one that starts earlier holds for the overlap.
    public init(_ signals: [SignalInterval]) {
        let isSorted = zip(signals, signals.dropFirst()).allSatisfy { $0.interval.start <= $1.interval.start }
        for signal in isSorted ? signals : signals.sorted(by: { $0.interval.start < $1.interval.start }) {
            append(signal.interval, InsightClass(cleanliness: signal.cleanliness, peak: signal.peak))
        }
    }

    /// Adds what follows: the part of `interval` that lies after everything that is there.
    public mutating func append(_ interval: Interval, _ class: InsightClass) {
        guard let last = spans.last else {
            return spans.append(Span(start: interval.start, end: interval.end, class: `class`))
        }
        guard interval.end > last.end else { return }
        let start = max(interval.start, last.end)
        if start == last.end, last.class == `class` {
            spans[spans.count - 1].end = interval.end
        } else {
            spans.append(Span(start: start, end: interval.end, class: `class`))
        }
    }

    /// Adds another timeline that follows this one.
    public mutating func append(_ other: ClassTimeline) {
        for span in other.spans {
            if let interval = Interval(start: span.start, end: span.end) { append(interval, span.class) }
        }
    }

    /// The class of the instant, and until when it holds: a later instant.
    func `class`(at instant: Timestamp) -> (InsightClass, until: Timestamp) {
        // The first span that ends after the instant.
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end <= instant { low = middle + 1 } else { high = middle }
        }
        guard low < spans.count else { return (.unknown, Timestamp(unixMilliseconds: .max)) }
        let span = spans[low]
        return span.start <= instant ? (span.class, span.end) : (.unknown, span.start)
    }
}
