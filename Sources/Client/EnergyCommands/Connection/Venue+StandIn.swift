internal import EnergyModel
internal import Foundation

extension Venue {
    /// For a venue that nobody can describe now: its id, on this machine's clock.
    static func standIn(_ id: UUID) -> Venue {
        Venue(id: id, name: id.text, timeZone: .current, region: "", changed: Timestamp(unixMilliseconds: 0))
    }

    /// What a service wrote for this venue's people is on the venue's clock, and its times are shown on another.
    var isStandIn: Bool { region.isEmpty }

    static let standInNote = "Times are shown in the zone of this machine, \(TimeZone.current.identifier)."
}
