internal import EnergyModel
internal import Foundation

/// A repair, as JSON: what 'insights repairs' shows, and what its files hold.
struct RepairDocument: Codable, Hashable {
    let venueId: LogID
    let sessionId: LogID
    let eventId: LogID
    let ignore: Bool
    let energyMwh: Int64?
    /// It counts as it was sent again; absent otherwise.
    let withdrawn: Bool?
    let reason: String
    let principal: String
    let made: String
    let takenOverBy: String?
    /// What the event counted as until then.
    let wasIgnored: Bool?
    let wasEnergyMwh: Int64?
    let sessionBeforeMwh: Int64?
    let sessionAfterMwh: Int64?

    init(_ repair: EventRepair, in zone: TimeZone) {
        venueId = LogID(repair.venueID)
        sessionId = LogID(repair.sessionID)
        eventId = LogID(repair.eventID)
        ignore = repair.action == .ignore
        energyMwh = repair.action.milliwattHours
        withdrawn = repair.action == .asSent ? true : nil
        reason = repair.reason
        principal = repair.principal
        made = repair.made.iso8601(in: zone)
        takenOverBy = repair.takenOverBy
        wasIgnored = repair.before.map { $0 == .ignore }
        wasEnergyMwh = repair.before?.milliwattHours
        sessionBeforeMwh = repair.sessionBefore?.milliwattHours
        sessionAfterMwh = repair.sessionAfter?.milliwattHours
    }
}

/// Repairs as one document.
struct RepairsDocument: Codable {
    let repairs: [RepairDocument]
}

extension EventRepair.Action {
    fileprivate var milliwattHours: Int64? {
        if case .energy(let energy) = self { energy.milliwattHours } else { nil }
    }
}
