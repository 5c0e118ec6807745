public import EnergyModel

/// One service on the web that knows a signal of one place: how to ask it, and what its answers mean.
///
/// It keeps no series, waits for nothing and counts no requests: ``PolledProvider`` does that for all of them. One file
/// each in `Providers/`; ``GBCarbonIntensity`` is the example to follow.
public protocol GridSource: Sendable {
    /// As shown in guidance: the provider, a colon, the place as the provider names it. Without secrets.
    var name: String { get }
    var kind: SignalKind { get }
    /// ISO 4217 of prices; `nil` otherwise.
    var currency: String? { get }
    /// How long each value usually holds; positive.
    var stepMilliseconds: Int64 { get }
    var polling: Polling { get }
    /// The service's terms allow to pass on its values to others; without that, guidance tells ratings alone.
    var isRepublishable: Bool { get }
    /// What its values are of besides ``name``, ``kind`` and ``currency``, for example whether tax is in them: values that
    /// differ by a setting must not be taken for one history.
    var variant: String { get }

    /// Asks for what is known of `interval`; values outside are welcome, missing ones are a gap.
    ///
    /// - Parameters:
    ///   - interval: within ``Polling``'s reach, at most its span long, its edges on whole steps.
    ///   - now: what time it is for the source; for what has passed and what is ahead.
    ///   - http: throws what it documents; let it through, or add what it means here.
    /// - Throws: ``EnergyError`` `.invalidInput` for an answer of another form than documented, `.unavailable` for half
    ///   of one, `.notFound` for a place that the service does not know.
    func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals
}

extension GridSource {
    public var currency: String? { nil }
    public var isRepublishable: Bool { true }
    public var variant: String { "" }
}

/// What one fetch brought.
public struct FetchedSignals: Hashable, Sendable {
    /// In any order; of two that overlap the later one in the list counts. Each holds for at most a day.
    public var points: [SignalPoint]
    /// When the source made them known, if it says so.
    public var issued: Timestamp?

    public init(points: [SignalPoint], issued: Timestamp? = nil) {
        self.points = points
        self.issued = issued
    }
}

/// How a source may be asked.
public struct Polling: Hashable, Sendable {
    /// How often there is something new.
    public var every: Int64
    /// Least time between two fetches, from the limit that the service publishes.
    public var pause: Int64
    /// How far back from now it answers; 0 for a source that knows only the present and what is ahead.
    public var back: Int64
    /// How far ahead of now it may know something.
    public var ahead: Int64
    /// The longest interval of one fetch.
    public var span: Int64
    /// Values as old as this may still be corrected: they are fetched again each time. At most `span`.
    public var overlap: Int64

    /// All in milliseconds.
    public init(
        every: Int64, pause: Int64, back: Int64, ahead: Int64, span: Int64, overlap: Int64 = 2 * .millisecondsPerHour
    ) {
        self.every = max(.millisecondsPerMinute, every)
        self.pause = max(0, pause)
        self.back = max(0, back)
        self.ahead = max(0, ahead)
        self.span = max(.millisecondsPerHour, span)
        self.overlap = min(max(0, overlap), self.back, self.span)
    }
}
