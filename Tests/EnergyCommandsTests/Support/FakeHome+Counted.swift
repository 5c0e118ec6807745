import EnergyModel
import EnergyWire
import Foundation

extension FakeHome.State {
    /// What the insight-service says of the sessions that were submitted.
    var countedSessions: [SessionInsight] {
        let events = isCounted ? submitted.flatMap(\.events) : []
        let known = Set(sessionInsights.map(\.id))
        return Dictionary(grouping: events) { $0.session?.id }.values.compactMap { events in
            guard let first = events.first, let last = events.last, let session = first.session,
                !known.contains(session.id), case .vehicleLoad(let load) = last.content
            else { return nil }
            return SessionInsight(
                key: SessionKey(venueID: first.venueID, sessionID: session.id), deviceID: first.device.id,
                deviceKind: .electricVehicle, direction: .imported, began: first.timestamp, last: last.timestamp,
                isOver: last.session?.state == .end, wasFollowingGuidance: false,
                amount: InsightAmount(
                    energy: Energy(milliwattHours: load.energyMilliwattHours), runtimeMilliseconds: 1),
                worth: .none)
        }
    }
}
