public import ArgumentParser
public import EnergyModel

// The model's words are the command line's words.

extension SuggestedAction: ExpressibleByArgument {}
extension Granularity: ExpressibleByArgument {}
extension FlowDirection: ExpressibleByArgument {}
