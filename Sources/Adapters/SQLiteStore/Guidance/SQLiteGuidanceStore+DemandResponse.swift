public import EnergyModel
internal import EnergyStore
internal import GRDB
internal import SQLColumns

extension SQLiteGuidanceStore {
    public func demandResponse(in interval: Interval) async throws(EnergyError) -> [DemandResponseEvent] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT * FROM demand_response WHERE end_ms > ? AND start_ms < ? ORDER BY start_ms, event_id, declared_ms
                """,
                [interval.start.unixMilliseconds, interval.end.unixMilliseconds]
            ).map { try DemandResponseEvent($0) }
        }
    }

    public func putDemandResponse(_ events: [DemandResponseEvent]) async throws(EnergyError) {
        try await database.write { connection in
            for event in events {
                try connection.upsert(event.columns, into: "demand_response", key: ["event_id", "declared_ms"])
            }
        }
    }
}
