internal import EnergyModel
internal import EnergyStore

// Prices that contracts pass on; only inside enter() and leave().
extension GuidancePublisher {
    /// Asks each price source that the rate plans of `venues` name, once. One that fails leaves the price unknown.
    func readPrices(for venues: [Venue], _ now: Timestamp) async -> KnownPrices {
        var known = KnownPrices()
        let reader = PriceReader(store: store, configuration: configuration, now: now)
        for (source, plans) in Dictionary(grouping: dynamicPlans(of: venues), by: \.key.source) {
            do throws(EnergyError) {
                let report = try await reader.read(source)
                let prices = report.prices
                for (key, plan) in plans {
                    guard key.currency == report.currency else {
                        known.fail(key, "has prices in \(report.currency ?? "no currency"), not in \(key.currency)")
                        continue
                    }
                    known.know(key, prices)
                    known.expect(plan.id, report.expected(now: now, timeZone: plan.timeZone))
                }
            } catch {
                for (key, _) in plans { known.fail(key, error.message) }
            }
            for key in Set(plans.map(\.key)) { sources.priced(key, failure: known.failures[key], logger) }
        }
        return known
    }

    /// The rate plans of `venues` that pass on the prices of a source.
    private func dynamicPlans(of venues: some Sequence<Venue>) -> [(key: PriceKey, plan: RatePlan)] {
        Set(venues.compactMap(\.ratePlanID)).compactMap { id in
            ratePlans[id].flatMap { plan in PriceKey(plan).map { ($0, plan) } }
        }
    }

    /// Sources that guidance takes prices from now.
    var priceSourcesInUse: Set<String> {
        let keys = Set(dynamicPlans(of: venues.values).map(\.key))
        return Set(keys.subtracting(sources.priceFailures.keys).map(\.source))
    }

    /// Forgets what was told of sources that no venue needs any more.
    func forgetUnusedSources() {
        sources.keep(
            Set(venues.values.map(\.region)), prices: Set(dynamicPlans(of: venues.values).map(\.key)))
    }
}
