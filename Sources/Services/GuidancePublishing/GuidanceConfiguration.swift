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
    /// Made once, where no venue ever was, so that there is something to look at; from then on they are changed and
    /// removed as any other.
    public var exampleVenues: [VenueDraft]
    /// Sources of each region, the preferred first.
    public var providers: [String: [any SignalProvider]]
    /// Sources that regions have by themselves, the preferred first; those of the settings stand in for them.
    public var automaticProviders: [String: [any SignalProvider]] = [:]
    /// Told the names of the sources that venues need, whenever that may have changed: of the automatic ones, others need
    /// not be asked.
    public var onNeed: @Sendable (Set<String>) -> Void = { _ in }
    /// Sources of every region, after its own.
    public var commonProviders: [any SignalProvider]
    /// Looked at with every refresh for events that a utility declares.
    public var demandResponseSources: [any DemandResponseSource]
    /// 0 carbon only .. 1 price only, where the venue's rate plan is known and the venue has no weight of its own.
    public var priceWeight: Double
    /// How far ahead guidance looks, where the data reach: 24 h to 48 h in milliseconds.
    public var lookAheadMilliseconds: Int64
    /// How often sources are looked at for changes between the hours; positive.
    public var checkInterval: Duration
    /// Measured values older than this are no ground for a forecast.
    ///
    /// Seven days by measurement (US grids, 2020-05 to 2021-06; captured share of the best four hours with data 30 h, 3,
    /// 5, 7 and 14 days old): CISO .962 .960 .961 .960 .962, PJM .837 .839 .835 .835 .824, marginal PG&E .772 .771 .766
    /// .756 .746, SCE .814 .803 .804 .801 .792. Up to seven days little is lost; then the shape of the day goes out of
    /// season.
    public var dataAgeMaxMilliseconds: Int64
    /// Reads the payloads of one kind, and for prices of one currency, of an OpenADR 3 event; throws
    /// ``EnergyError`` `.invalidInput`. A format of the outside world, so an adapter brings it.
    public var readOpenADR: @Sendable ([UInt8], SignalKind, String?) throws(EnergyError) -> SignalValues = {
        (_, _, _) throws(EnergyError) in throw EnergyError(.invalidInput, "OpenADR events are not read here")
    }
    /// What a person should know of how the settings were read; logged at the start.
    public var notes: [String]

    public init(
        ratePlans: [RatePlan] = [], venues: [VenueDraft] = [], exampleVenues: [VenueDraft] = [],
        providers: [String: [any SignalProvider]] = [:],
        commonProviders: [any SignalProvider] = [], demandResponseSources: [any DemandResponseSource] = [],
        priceWeight: Double = 0.5, lookAheadMilliseconds: Int64 = .millisecondsPerDay,
        checkInterval: Duration = .seconds(300),
        dataAgeMaxMilliseconds: Int64 = 7 * .millisecondsPerDay, notes: [String] = []
    ) {
        self.ratePlans = ratePlans
        self.venues = venues
        self.exampleVenues = exampleVenues
        self.providers = providers
        self.commonProviders = commonProviders
        self.demandResponseSources = demandResponseSources
        self.priceWeight = priceWeight
        // More is not known of any source, and less is no day.
        self.lookAheadMilliseconds = min(max(lookAheadMilliseconds, .millisecondsPerDay), 2 * .millisecondsPerDay)
        self.checkInterval = checkInterval
        self.dataAgeMaxMilliseconds = dataAgeMaxMilliseconds
        self.notes = notes
    }

    func providers(of region: String) -> [any SignalProvider] { ownProviders(of: region) + commonProviders }

    /// Those that are not of every region.
    func ownProviders(of region: String) -> [any SignalProvider] {
        (providers[region] ?? []) + automaticProviders(of: region)
    }

    /// Those that are used: of carbon where the settings have no source of carbon for the region, of prices likewise.
    func automaticProviders(of region: String) -> [any SignalProvider] {
        let quantities = Set((providers[region] ?? []).map(\.kind.quantity))
        return (automaticProviders[region] ?? []).filter { !quantities.contains($0.kind.quantity) }
    }

    /// The names of those that say the same every year.
    func timelessSources(of region: String) -> Set<String> {
        Set(providers(of: region).lazy.filter(\.isTimeless).map(\.name))
    }
}
