internal import EnergyModel
internal import Logging
internal import Metrics

/// What is wrong with the sources of each region: told when it begins, when it changes and when it ends, not each time
/// that somebody looks.
struct SourceReport {
    /// Why preferred sources are not used, though the region has guidance.
    private var skipped: [String: [String]] = [:]
    /// Why the region has no guidance.
    private var failures: [String: String] = [:]
    /// Why rate plans have no prices.
    private(set) var priceFailures: [PriceKey: String] = [:]
    /// Why it is not known which demand-response events are declared, by source.
    private var declarationFailures: [String: String] = [:]

    /// For health: what guidance does without, `nil` if nothing.
    var note: String? {
        let parts =
            failures.sorted { $0.key < $1.key }.map { "\($0.key) has no guidance: \($0.value)" }
            + skipped.sorted { $0.key < $1.key }.map { "\($0.key) does without \($0.value.joined(separator: "; "))" }
            + priceFailures.map { "rate plans do without the prices of \($0.key.source): \($0.value)" }.sorted()
            + declarationFailures.sorted { $0.key < $1.key }.map { "demand response of \($0.key): \($0.value)" }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    mutating func succeeded(_ region: String, skipped reasons: [String], _ logger: Logger) {
        let place = [GuidanceKeys.region: Logger.MetadataValue.string(region)]
        if failures.removeValue(forKey: region) != nil {
            logger.notice("a region has guidance again", metadata: place)
        }
        let before = skipped.updateValue(reasons, forKey: region) ?? []
        if reasons.isEmpty { skipped[region] = nil }
        guard before != reasons else { return }
        if reasons.isEmpty {
            logger.notice("the preferred source of a region is used again", metadata: place)
        } else {
            logger.warning(
                "a source is not used",
                metadata: place.merging([GuidanceKeys.reason: "\(reasons.joined(separator: "; "))"]) { $1 })
        }
        Self.skippedGauge(region).set(reasons.count)
        Self.failureGauge(region).set(0)
    }

    mutating func failed(_ region: String, _ error: EnergyError, _ logger: Logger) {
        guard failures.updateValue(error.message, forKey: region) != error.message else { return }
        skipped[region] = nil
        logger.warning(
            "a region has no guidance",
            metadata: [GuidanceKeys.region: "\(region)", GuidanceKeys.reason: "\(error.message)"])
        Self.failureGauge(region).set(1)
    }

    /// - Parameter failure: why there are no prices; `nil` if there are.
    mutating func priced(_ key: PriceKey, failure: String?, _ logger: Logger) {
        guard priceFailures[key] != failure else { return }
        priceFailures[key] = failure
        if let failure {
            logger.warning(
                "a price source is not used", metadata: [GuidanceKeys.reason: "\(key.source): \(failure)"])
        } else {
            logger.notice("a price source is used again", metadata: [GuidanceKeys.source: "\(key.source)"])
        }
        Self.priceGauge(key).set(failure == nil ? 0 : 1)
    }

    /// - Parameter failure: why a source does not say, or not wholly, which demand-response events are declared.
    mutating func declared(by source: String, failure: String?, _ logger: Logger) {
        guard declarationFailures[source] != failure else { return }
        declarationFailures[source] = failure
        if let failure {
            logger.warning("demand response cannot be read", metadata: [GuidanceKeys.reason: "\(source): \(failure)"])
        } else {
            logger.notice("demand response is read again", metadata: [GuidanceKeys.source: "\(source)"])
        }
        Meter(label: "gridtide_guidance_demand_response_failed", dimensions: [("source", source)])
            .set(failure == nil ? 0 : 1)
    }

    /// Forgets regions that no venue is in any more, and price sources that no rate plan of a venue names.
    mutating func keep(_ regions: Set<String>, prices: Set<PriceKey>) {
        for key in Set(priceFailures.keys).subtracting(prices) {
            priceFailures[key] = nil
            Self.priceGauge(key).set(0)
        }
        for region in Set(failures.keys).union(skipped.keys).subtracting(regions) {
            failures[region] = nil
            skipped[region] = nil
            Self.skippedGauge(region).set(0)
            Self.failureGauge(region).set(0)
        }
    }

    private static func skippedGauge(_ region: String) -> Meter {
        Meter(label: "gridtide_guidance_sources_skipped", dimensions: [("region", region)])
    }

    private static func priceGauge(_ key: PriceKey) -> Meter {
        Meter(
            label: "gridtide_guidance_price_source_failed",
            dimensions: [("source", key.source), ("currency", key.currency)])
    }

    private static func failureGauge(_ region: String) -> Meter {
        Meter(label: "gridtide_guidance_regions_without", dimensions: [("region", region)])
    }
}
