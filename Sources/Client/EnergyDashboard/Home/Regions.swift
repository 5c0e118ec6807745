internal import EnergyModel
internal import EnergyWire

/// The regions that a place can be in, and where their signals come from.
struct Regions {
    /// Sorted as services name them.
    let names: [String]
    /// Those in use, then those that a place would bring into use; the preferred of a region first.
    private let sources: [RegionSource]

    init(_ list: SourceList) {
        names = list.regions
        sources = list.sources + list.offered
    }

    /// The preferred source of carbon; `nil` for a region that has none.
    func carbon(of region: String) -> RegionSource? {
        sources.first { $0.region == region && $0.status.kind != .price }
    }

    /// Those with prices that a contract can pass on, each once: of the region, or all.
    func prices(of region: String? = nil) -> [RegionSource] {
        var names: Set<String> = []
        return sources.filter { source in
            source.status.kind == .price && source.status.currency != nil && [nil, source.region].contains(region)
                && names.insert(source.status.name).inserted
        }
    }
}
