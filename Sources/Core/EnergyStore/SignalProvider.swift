public import EnergyModel

/// A source of signals of one kind: an HTTP service, a file, what was pushed, an embedded table.
public protocol SignalProvider: Sendable {
    /// As shown in guidance, for example `climatology` or `file:CISO.csv`. The same for the life of the provider.
    var name: String { get }
    var kind: SignalKind { get }
    /// Its values depend on the time they are for alone, never on when they are asked for. Such a source may stand in
    /// for a past that nobody recorded.
    var isTimeless: Bool { get }
    /// Its terms allow to pass on its values, not only what was made of them.
    var isRepublishable: Bool { get }
    /// The regions to name to people who ask what there is; it may know more.
    var regions: [String] { get }

    /// What the source knows at `now` of `interval`: measured values, and predictions where it has them.
    ///
    /// - Parameters:
    ///   - region: of the grid, for example `CISO`.
    ///   - interval: at most 100 days.
    /// - Throws: ``EnergyError`` `.notFound` when the source does not know the region, `.unavailable` when it cannot
    ///   answer now, `.invalidInput` when what it says makes no sense. The message says which source, and why.
    func signals(region: String, in interval: Interval, now: Timestamp) async throws(EnergyError) -> SignalReport

    /// Asks the source for what is newest, as soon as its own limits allow, and waits for its answer. One that is looked
    /// at whenever signals are wanted has nothing to do here.
    func look() async -> SourceLook

    /// How the source is doing. Asks nobody.
    func status() async -> SignalSourceStatus
}

extension SignalProvider {
    public var isTimeless: Bool { false }
    public var isRepublishable: Bool { true }
    public var regions: [String] { [] }
    public func look() async -> SourceLook { SourceLook(isAsked: true) }

    public func status() async -> SignalSourceStatus { SignalSourceStatus(name: name, kind: kind) }
}

/// How it went to ask a source.
public struct SourceLook: Hashable, Sendable {
    /// False for one that may not be asked again yet, or that nobody can ask.
    public let isAsked: Bool
    /// Why the last attempt failed; `nil` if it did not.
    public let failure: EnergyError?

    public init(isAsked: Bool, failure: EnergyError? = nil) {
        self.isAsked = isAsked
        self.failure = failure
    }
}

/// What a source knows.
public struct SignalReport: Hashable, Sendable {
    /// The points that touch the interval asked for, whole.
    public let series: SignalSeries
    /// How long each value usually holds; positive.
    public let stepMilliseconds: Int64
    /// End of the newest measured value, whether inside the interval or not; `nil` for a source that measures nothing.
    public let newestMeasured: Timestamp?
    /// ISO 4217, of prices; `nil` otherwise.
    public let currency: String?
    /// When the source made its newest values known, if it says so.
    public let issued: Timestamp?

    public init(
        series: SignalSeries, stepMilliseconds: Int64, newestMeasured: Timestamp?, currency: String? = nil,
        issued: Timestamp? = nil
    ) {
        self.currency = currency
        self.issued = issued
        self.series = series
        self.stepMilliseconds = stepMilliseconds
        self.newestMeasured = newestMeasured
    }
}
