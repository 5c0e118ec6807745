public import EnergyModel

// The messages of `proto/energy/v1/signal.proto` that only travel.

/// Values of a signal, for a source that is configured to be pushed to.
public struct SignalPush: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case values(SignalValues)
        /// An OpenADR 3 event, JSON.
        case openADREvent([UInt8])
    }

    public static let valuesMax = 5_000

    public var region: String
    /// Empty where the region has one source that is pushed to.
    public var source: String
    public var content: Content

    public init(region: String, source: String = "", content: Content) {
        self.region = region
        self.source = source
        self.content = content
    }
}

public struct SignalValues: Hashable, Sendable {
    public var kind: SignalKind
    /// ISO 4217, of prices; `nil` otherwise.
    public var currency: String?
    /// 1 to 5,000, in any order.
    public var points: [SignalPoint]
    public var issued: Timestamp?

    public init(kind: SignalKind, currency: String? = nil, points: [SignalPoint], issued: Timestamp? = nil) {
        self.kind = kind
        self.currency = currency
        self.points = points
        self.issued = issued
    }
}

public struct SignalPushResult: Hashable, Sendable {
    /// As guidance names it.
    public var source: String
    public var count: Int

    public init(source: String, count: Int) {
        self.source = source
        self.count = count
    }
}

/// Every source of every region, the preferred first.
public struct SourceList: Hashable, Sendable {
    public var sources: [RegionSource]
    /// That a venue can be in, sorted.
    public var regions: [String]
    /// What a venue would have in a region that is not among ``sources`` yet.
    public var offered: [RegionSource]

    public init(sources: [RegionSource], regions: [String] = [], offered: [RegionSource] = []) {
        self.sources = sources
        self.regions = regions
        self.offered = offered
    }
}

public struct RegionSource: Hashable, Sendable {
    public var region: String
    public var status: SignalSourceStatus
    /// The region has it without an entry in the settings, while a venue needs it.
    public var isAutomatic: Bool

    public init(region: String, status: SignalSourceStatus, isAutomatic: Bool = false) {
        self.region = region
        self.status = status
        self.isAutomatic = isAutomatic
    }
}

/// A source by its region and its name there.
public struct SourceReference: Hashable, Sendable {
    public var region: String
    /// As guidance names it.
    public var source: String

    public init(region: String, source: String) {
        self.region = region
        self.source = source
    }
}

/// What a source answered when it was looked at.
public struct SourceTest: Hashable, Sendable {
    public var source: RegionSource
    /// False for one that may not be asked again yet, or is pushed to: the rest is what was known.
    public var isAsked: Bool
    /// Of the values that have begun; `nil` if none of the last 31 days is known. Carbon in g/kWh, prices in
    /// millionths of the currency per kWh.
    public var newest: SignalPoint?
    /// The end of its values ahead, expected ones included; `nil` where none is, or they are the same every year.
    public var knownUntil: Timestamp?
    /// Why it has no answer; the source's status says it in words.
    public var failure: EnergyError.Code?

    public init(
        source: RegionSource, isAsked: Bool, newest: SignalPoint? = nil, knownUntil: Timestamp? = nil,
        failure: EnergyError.Code? = nil
    ) {
        self.source = source
        self.isAsked = isAsked
        self.newest = newest
        self.knownUntil = knownUntil
        self.failure = failure
    }
}
