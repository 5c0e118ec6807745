import EnergyFeeds
import EnergyModel
import EnergyStore
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Insights

/// The service as its callers see it.
struct Handler {
    private let client: TableClient

    init(store: any InsightStore, projector: InsightProjector, log: any EventLogReader) {
        var methods = MethodTable()
        InsightHandler(
            service: InsightService(store: store, venues: ScriptedVenues()), projector: projector, log: log,
            clock: SystemWallClock()
        ).register(in: &methods)
        client = TableClient(methods)
    }

    /// - Parameter energy: mWh; `nil` ignores the events.
    /// - Returns: what the last repair changed.
    func repair(
        _ venueID: UUID, _ session: UUID, _ events: [UUID], _ energy: Int64?, _ origin: RepairOrigin? = nil
    ) async throws(EnergyError) -> RepairResult? {
        var result: RepairResult?
        for event in events {
            result = try await client.call(
                Methods.repairEvent,
                RepairDraft(
                    venueID: venueID, sessionID: session, eventID: event,
                    action: energy.map { .energy(Energy(milliwattHours: $0)) } ?? .ignore, reason: "the meter jumped",
                    origin: origin))
        }
        return result
    }

    func withdraw(_ venueID: UUID, _ session: UUID, _ event: UUID) async throws(EnergyError) -> RepairResult {
        try await client.call(
            Methods.repairEvent,
            RepairDraft(
                venueID: venueID, sessionID: session, eventID: event, action: .asSent, reason: "the meter was right"))
    }
}
