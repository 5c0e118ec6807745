internal import EnergyModel
internal import EnergyStore

// Prices that contracts pass on; only inside enter() and leave().
extension GuidancePublisher {
    /// Asks each price source that some rate plans name, once. One that fails leaves the price unknown.
    func readPrices(for planIDs: Set<String>, _ now: Timestamp) async -> KnownPrices {
        var known = KnownPrices()
        let reader = PriceReader(store: store, configuration: configuration, now: now)
        for (source, plans) in Dictionary(grouping: dynamicPlans(among: planIDs), by: \.key.source) {
            do throws(EnergyError) {
                let report = try await reader.read(source)
                let prices = report.prices
                if !report.isRepublishable { known.withhold(source) }
                for (key, plan) in plans {
                    guard key.currency == report.currency else {
                        known.fail(key, "has prices in \(report.currency ?? "no currency"), not in \(key.currency)")
                        continue
                    }
                    known.know(key, prices)
                    known.expect(
                        plan.id,
                        report.expected(
                            now: now, timeZone: plan.timeZone, lookAhead: configuration.lookAheadMilliseconds))
                }
            } catch {
                for (key, _) in plans { known.fail(key, error.message) }
            }
            for key in Set(plans.map(\.key)) { sources.priced(key, failure: known.failures[key], logger) }
        }
        return known
    }

    /// Those that pass on the prices of a source.
    private func dynamicPlans(among planIDs: Set<String>) -> [(key: PriceKey, plan: RatePlan)] {
        planIDs.compactMap { id in ratePlans[id].flatMap { plan in PriceKey(plan).map { ($0, plan) } } }
    }

    /// What the rate plans of all venues ask of price sources.
    private var priceKeys: Set<PriceKey> {
        Set(dynamicPlans(among: Set(roster.groups.keys.compactMap(\.ratePlanID))).map(\.key))
    }

    /// Sources that guidance takes prices from now.
    var priceSourcesInUse: Set<String> {
        Set(priceKeys.subtracting(sources.priceFailures.keys).map(\.source))
    }

    /// After a change of venues or rate plans: has those sources asked that venues need now, and forgets what was told of
    /// others.
    func updateNeededSources() {
        let (regions, prices) = (roster.regions, priceKeys)
        sources.keep(regions, prices: prices)
        configuration.onNeed(
            Set(regions.flatMap(configuration.ownProviders).map(\.name)).union(prices.map(\.source)))
    }
}
