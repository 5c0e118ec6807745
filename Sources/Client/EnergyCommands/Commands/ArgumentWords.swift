public import ArgumentParser
public import EnergyModel
internal import Foundation
public import InsightFiles
public import Tariffs

// The model's words are the command line's words.

extension NameSpecification {
    /// A time zone is said in the same words everywhere; configuration and forms know it by the longer one.
    static var zone: NameSpecification { [.customLong("zone"), .customLong("time-zone")] }
}

@Sendable func ianaTimeZone(_ text: String) throws -> TimeZone {
    guard let zone = TimeZone(identifier: text) else {
        throw ValidationError("'\(text)' is no time zone. Say an IANA name such as Europe/Berlin.")
    }
    return zone
}

extension SuggestedAction: ExpressibleByArgument {}
extension Granularity: ExpressibleByArgument {}
extension FlowDirection: ExpressibleByArgument {}
extension DemandResponseEvent.Kind: ExpressibleByArgument {}
extension TariffFormat: ExpressibleByArgument {}
extension SessionFileFormat: ExpressibleByArgument {}
extension Activity.Kind: ExpressibleByArgument {}
