public import EnergyModel
internal import EnergyStore
public import EnergyWire

// Where signals come from: what is pushed, and how the sources are doing.
extension GuidancePublisher {
    /// Every source of every region that has a venue or a source of its own, the preferred first; and the regions that
    /// venues can be in.
    public func listSources() async throws(EnergyError) -> SourceList {
        try requireStarted()
        var sources: [RegionSource] = []
        for region in sourceRegions.sorted() {
            for provider in configuration.providers(of: region) { sources.append(await described(provider, region)) }
        }
        var offered: [RegionSource] = []
        for region in configuration.regions where !sourceRegions.contains(region) {
            for provider in configuration.providers(of: region) where provider.mayKnow(region) {
                offered.append(await described(provider, region))
            }
        }
        return SourceList(sources: sources, regions: configuration.regions, offered: offered)
    }

    private var sourceRegions: Set<String> { Set(configuration.providers.keys).union(roster.regions) }

    private func described(_ provider: any SignalProvider, _ region: String) async -> RegionSource {
        let (used, skipped) = inUse(region)
        var status = await provider.status()
        status.isInUse = provider.name == used || priceSourcesInUse.contains(provider.name)
        // What the source itself does not know: that its values are too old, or that it lacks the region.
        status.lastError =
            status.lastError
            ?? skipped.first { $0.hasPrefix(provider.name + ": ") }
            .map { String($0.dropFirst(provider.name.count + 2)) }
            ?? sources.priceFailures.filter { $0.key.source == provider.name }.map(\.value).min()
        let isAutomatic = configuration.automaticProviders(of: region).contains { $0.name == provider.name }
        return RegionSource(region: region, status: status, isAutomatic: isAutomatic)
    }

    /// Looks at a source now, and says what it answered. That it fails is an answer.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for a source that ``listSources()`` does not name.
    public func test(_ reference: SourceReference) async throws(EnergyError) -> SourceTest {
        try requireStarted()
        let region = reference.region
        guard sourceRegions.contains(region),
            let provider = configuration.providers(of: region).first(where: { $0.name == reference.source })
        else {
            throw EnergyError(
                .notFound, "the region \(region.prefix(60)) has no source \"\(reference.source.prefix(60))\"")
        }
        let look = await provider.look()
        let now = wallClock.now
        var failure = look.failure
        var points: [SignalPoint] = []
        do throws(EnergyError) {
            points = try await provider.signals(region: region, in: Self.tested(now), now: now).series.points
        } catch { failure = failure ?? error }
        var source = await described(provider, region)
        source.status.lastError = source.status.lastError ?? failure?.message
        let last = points.last?.interval.end
        return SourceTest(
            source: source, isAsked: look.isAsked, newest: points.last { $0.interval.start <= now },
            knownUntil: provider.isTimeless ? nil : last.flatMap { $0 > now ? $0 : nil }, failure: failure?.code)
    }

    /// 31 days back, and as far ahead as any source says something.
    private static func tested(_ now: Timestamp) -> Interval {
        Interval(start: now.advanced(byMilliseconds: -31 * .millisecondsPerDay), milliseconds: 45 * .millisecondsPerDay)
    }

    /// What the present guidance of a region is made of, and what was not used.
    private func inUse(_ region: String) -> (source: String?, skipped: [String]) {
        let issued = roster.groups.lazy.filter { $0.key.place.region == region }
            .compactMap { [roster] group in group.value.lazy.compactMap { roster.issued($0, .shift) }.first }.first
        return (issued?.window.basis.source, issued?.window.basis.skippedSources ?? [])
    }

    /// Takes values for a source that is configured to be pushed to; guidance follows at once.
    ///
    /// - Throws: ``EnergyError`` `.notFound` for a source that is not configured, `.invalidInput` for values that it does
    ///   not take.
    public func put(_ push: SignalPush) async throws(EnergyError) -> SignalPushResult {
        try requireStarted()
        let provider = try pushedProvider(push)
        let values: SignalValues
        switch push.content {
        case .values(let pushed): values = pushed
        case .openADREvent(let bytes):
            values = try configuration.readOpenADR(bytes, provider.kind, provider.currency)
        }
        try await provider.put(values)
        await refresh()
        return SignalPushResult(source: provider.name, count: values.points.count)
    }

    private func pushedProvider(_ push: SignalPush) throws(EnergyError) -> PushedProvider {
        let known = (configuration.providers[push.region] ?? []).compactMap { $0 as? PushedProvider }
        let matching = push.source.isEmpty ? known : known.filter { [$0.source, $0.name].contains(push.source) }
        if matching.count == 1 { return matching[0] }
        let names = known.map(\.source).sorted().joined(separator: ", ")
        let reason =
            known.isEmpty
            ? "no source of the region \(push.region) is configured with provider: push"
            : "the region \(push.region) takes values for \(names), not \"\(push.source)\""
        throw EnergyError(.notFound, reason)
    }
}

extension SignalProvider {
    /// One that names no regions is of those that it is listed for.
    fileprivate func mayKnow(_ region: String) -> Bool { regions.isEmpty || regions.contains(region) }
}
