public import EnergyModel

/// A service that asks for no key and no account, so that a region has it without an entry in the settings.
public protocol AutomaticSource: GridSource {
    /// Those it serves, as venues say them.
    static var regions: [String] { get }

    /// - Throws: ``EnergyError`` `.invalidInput` for a region that is not among ``regions``.
    init(region: String) throws(EnergyError)
}

/// All services that are there by themselves.
public enum AutomaticSources {
    /// The preferred first: prices by the quarter-hour before those by the hour, and in the region's own currency.
    static let types: [any AutomaticSource.Type] = [
        GBCarbonIntensity.self, EnerginetCO2.self, EnergyChartsCO2.self, EnerginetPrice.self, EnergyChartsPrice.self,
        Awattar.self,
    ]

    /// Every region that has any, with what it has.
    public static func all() throws(EnergyError) -> [(region: String, source: any GridSource)] {
        var all: [(region: String, source: any GridSource)] = []
        for type in types {
            for region in type.regions { all.append((region, try type.init(region: region))) }
        }
        return all
    }
}
