public import ArgumentParser
public import EnergyModel
public import InsightFiles
public import Tariffs

// The model's words are the command line's words.

extension SuggestedAction: ExpressibleByArgument {}
extension Granularity: ExpressibleByArgument {}
extension FlowDirection: ExpressibleByArgument {}
extension DemandResponseEvent.Kind: ExpressibleByArgument {}
extension TariffFormat: ExpressibleByArgument {}
extension SessionFileFormat: ExpressibleByArgument {}
extension Activity.Kind: ExpressibleByArgument {}
