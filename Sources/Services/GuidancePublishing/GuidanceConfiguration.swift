public import EnergyModel
public import EnergyStore
public import EnergyWire

/// What the guidance-publisher is told at its start.
public struct GuidanceConfiguration: Sendable {
    /// Ensured at the start, before the venues. One that differs from what is stored replaces it; `changed` is ignored.
    public var ratePlans: [RatePlan]
    /// Ensured at the start: found by id, or by name if there is none, and made if not found. One that differs from what
    /// is stored replaces it; venues that are not named here stay as they are.
    public var venues: [VenueDraft]
    /// Sources of each region, the preferred first.
    public var providers: [String: [any SignalProvider]]
    /// Sources of every region, after its own.
    public var commonProviders: [any SignalProvider]
    /// Looked at with every refresh for events that a utility declares.
    public var demandResponseSources: [any DemandResponseSource]
    /// 0 carbon only .. 1 price only, where the venue's rate plan is known.
    public var priceWeight: Double
    /// How often sources are looked at for changes between the hours; positive.
    public var checkInterval: Duration
    /// Measured values older than this are no ground for a forecast.
    public var dataAgeMaxMilliseconds: Int64
    /// What a person should know of how the settings were read; logged at the start.
    public var notes: [String]

    public init(
        ratePlans: [RatePlan] = [], venues: [VenueDraft] = [], providers: [String: [any SignalProvider]] = [:],
        commonProviders: [any SignalProvider] = [], demandResponseSources: [any DemandResponseSource] = [],
        priceWeight: Double = 0.5, checkInterval: Duration = .seconds(300),
        dataAgeMaxMilliseconds: Int64 = 7 * .millisecondsPerDay, notes: [String] = []
    ) {
        self.ratePlans = ratePlans
        self.venues = venues
        self.providers = providers
        self.commonProviders = commonProviders
        self.demandResponseSources = demandResponseSources
        self.priceWeight = priceWeight
        self.checkInterval = checkInterval
        self.dataAgeMaxMilliseconds = dataAgeMaxMilliseconds
        self.notes = notes
    }

    func providers(of region: String) -> [any SignalProvider] { (providers[region] ?? []) + commonProviders }
}
