public import EnergyModel
internal import EnergyStore
internal import SQLColumns

extension PostgreSQLGuidanceStore {
    public func demandResponse(in interval: Interval) async throws(EnergyError) -> [DemandResponseEvent] {
        try await database.read { transaction in
            try transaction.query(
                """
                SELECT * FROM demand_response WHERE end_ms > $1 AND start_ms < $2
                ORDER BY start_ms, event_id, declared_ms
                """,
                [interval.start, interval.end]
            ).map { try DemandResponseEvent($0) }
        }
    }

    public func putDemandResponse(_ events: [DemandResponseEvent]) async throws(EnergyError) {
        try await database.run(.readCommitted) { transaction in
            for event in events {
                try transaction.sendUpsert(
                    event.columns, into: "demand_response", key: ["event_id", "declared_ms"])
            }
        }
    }
}
