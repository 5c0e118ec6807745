public import EnergyModel
public import Foundation

/// What the guidance-publisher keeps: venues and contracts with their past, the signals that were known, what was
/// forecast, the key of its tokens, and who asked for guidance.
///
/// Everything is durable when a method returns. Every method throws ``EnergyError`` `.unavailable` when the store cannot
/// be used now.
public protocol GuidanceStore: Sendable {
    /// All venues as they are now, sorted by name, then id; also those that were removed.
    func venues() async throws(EnergyError) -> [Venue]

    /// The number of every venue, also of those that were removed: 1 and above, given once, when a venue is first stored,
    /// and never to another. Tokens name venues by it.
    func venueNumbers() async throws(EnergyError) -> [UUID: VenueNumber]

    /// What a venue was, oldest first; empty if there is none. The first stands for all time before it.
    func venueRevisions(_ id: UUID) async throws(EnergyError) -> [Venue]

    /// Stores a new revision, in force from its `changed`, which is later than that of the one before.
    ///
    /// A revision that is `removed` gives up its homes: they may stand for another venue then. One after it that is not
    /// removed brings the venue back.
    ///
    /// - Returns: its number.
    /// - Throws: `.conflict` when one of its homes stands for another venue, or a revision is as new as this one;
    ///   `.rateLimited` above ``GuidanceLimits``.
    @discardableResult
    func putVenue(_ venue: Venue) async throws(EnergyError) -> VenueNumber

    /// All rate plans as they are now, sorted by id.
    func ratePlans() async throws(EnergyError) -> [RatePlan]

    /// What a rate plan was, oldest first; empty if there is none. The first stands for all time before it.
    func ratePlanRevisions(_ id: String) async throws(EnergyError) -> [RatePlan]

    /// As ``putVenue(_:)``.
    func putRatePlan(_ plan: RatePlan) async throws(EnergyError)

    /// Demand-response events that touch `interval`, also those that were cancelled or replaced, sorted by start, then id,
    /// then when they were declared.
    func demandResponse(in interval: Interval) async throws(EnergyError) -> [DemandResponseEvent]

    /// Stores events, all or none. One with the id and the `declared` of another takes its place.
    func putDemandResponse(_ events: [DemandResponseEvent]) async throws(EnergyError)

    /// Records what is known at `learned` of the signals of a region.
    ///
    /// Records that end after `learned` replace all that was expected for the time after `learned`; what was known of
    /// the time before is never touched. Records that end before are corrections: each becomes a new revision of its
    /// interval, unless the newest revision says the same. Carbon and prices are apart: recording one leaves the other
    /// as it is.
    ///
    /// - Parameter records: of one quantity, sorted, without overlaps, at most 10,000, each of at most a day.
    /// - Throws: `.invalidInput` for other records.
    func recordSignals(
        _ records: [SignalRecord], region: String, learned: Timestamp
    ) async throws(EnergyError)

    /// The records that touch `interval`, sorted, without overlaps.
    ///
    /// - Parameters:
    ///   - quantity: carbon or prices.
    ///   - revision: what was known when it happened, or what is known today.
    func signals(
        _ quantity: SignalQuantity, region: String, in interval: Interval, revision: SignalRevision
    ) async throws(EnergyError) -> [SignalRecord]

    /// How far a source was asked, `nil` if it never was.
    ///
    /// - Parameter source: the name that its signals are stored under.
    func sourceProgress(_ source: String) async throws(EnergyError) -> SourceProgress?

    /// Keeps how far a source was asked. What it said is stored before.
    func putSourceProgress(_ progress: SourceProgress, source: String) async throws(EnergyError)

    /// The key that tokens are sealed with: the one that is stored; `new` is stored if there is none. Secret: it is in no
    /// log and no error.
    func tokenKey(orNew new: [UInt8]) async throws(EnergyError) -> [UInt8]

    /// Keeps what was expected of a source's signal in a region; of the same start it takes the other's place.
    func addForecast(_ issue: ForecastIssue, source: String, region: String) async throws(EnergyError)

    /// What was expected and is not pruned, of every source and region, oldest first.
    func forecasts() async throws(EnergyError) -> [StoredForecast]

    /// Remembers that `principal` asked for guidance at the venue. Of more than ``GuidanceLimits/askersMax``, the one
    /// that asked longest ago is forgotten.
    func addAsker(_ principal: String, venueID: UUID, at instant: Timestamp) async throws(EnergyError)

    /// Who asked for guidance at the venue, sorted.
    func askers(venueID: UUID) async throws(EnergyError) -> [String]

    /// Removes a venue with all its past, who asked for its guidance, and demand-response events that were for it alone,
    /// also from unused places of the files. Its number is not given again. Contracts and signals are no venue's own.
    ///
    /// - Returns: how many rows, or the like, were removed of what.
    func eraseVenue(_ id: UUID) async throws(EnergyError) -> [ErasedCount]

    /// Forgets forecasts issued before one point in time, and signals and demand-response events that ended before another.
    func prune(forecastsBefore: Timestamp, signalsBefore: Timestamp) async throws(EnergyError)
}

extension GuidanceStore {
    /// The carbon signals of a region.
    public func signals(
        region: String, in interval: Interval, revision: SignalRevision
    ) async throws(EnergyError) -> [SignalRecord] {
        try await signals(.carbon, region: region, in: interval, revision: revision)
    }
}

/// How much a guidance store holds.
public enum GuidanceLimits {
    public static let venuesMax = 1_000_000
    public static let ratePlansMax = 10_000
    /// Of one venue or rate plan.
    public static let revisionsMax = 1_000
    /// Principals remembered per venue.
    public static let askersMax = 256
    public static let signalRecordsMax = 10_000
    /// Demand-response events that stand and are not over.
    public static let demandResponseMax = 1_000
    /// How long a token resolves.
    public static let tokenMilliseconds: Int64 = 400 * .millisecondsPerDay
    public static let tokenKeyByteCount = 32
    /// How long forecasts are kept: they are judged by those of the last 28 days.
    public static let forecastMilliseconds: Int64 = 30 * .millisecondsPerDay
    /// Insights reach back five years.
    public static let signalMilliseconds: Int64 = 5 * 366 * .millisecondsPerDay
}

public enum SignalRevision: Hashable, Sendable {
    /// As it was known when it happened: never changes any more once an interval has ended.
    case whenItHappened
    /// With corrections that came later.
    case newest
}

/// A forecast as it is kept.
public struct StoredForecast: Hashable, Sendable {
    public let source: String
    public let region: String
    public let issue: ForecastIssue

    public init(source: String, region: String, issue: ForecastIssue) {
        self.source = source
        self.region = region
        self.issue = issue
    }
}
