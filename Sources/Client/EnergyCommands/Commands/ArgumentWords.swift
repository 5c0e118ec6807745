public import ArgumentParser
public import EnergyModel
public import InsightFiles
public import Tariffs

// The model's words are the command line's words.

extension NameSpecification {
    /// A time zone is said in the same words everywhere; configuration and forms know it by the longer one.
    static var zone: NameSpecification { [.customLong("zone"), .customLong("time-zone")] }
}

extension SuggestedAction: ExpressibleByArgument {}
extension Granularity: ExpressibleByArgument {}
extension FlowDirection: ExpressibleByArgument {}
extension DemandResponseEvent.Kind: ExpressibleByArgument {}
extension TariffFormat: ExpressibleByArgument {}
extension SessionFileFormat: ExpressibleByArgument {}
extension Activity.Kind: ExpressibleByArgument {}
