public import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

extension SQLiteGuidanceStore {
    public func demandResponse(in interval: Interval) async throws(EnergyError) -> [DemandResponseEvent] {
        try await database.read { connection in
            try Row.fetchAll(
                connection,
                sql: """
                    SELECT * FROM demand_response WHERE end_ms > ? AND start_ms < ?
                    ORDER BY start_ms, event_id, declared_ms
                    """,
                arguments: [interval.start.unixMilliseconds, interval.end.unixMilliseconds]
            ).map(Self.event)
        }
    }

    public func putDemandResponse(_ events: [DemandResponseEvent]) async throws(EnergyError) {
        try await database.write { connection in
            let put = try connection.makeStatement(
                sql: """
                    INSERT OR REPLACE INTO demand_response (event_id, declared_ms, cancelled_ms, kind, venue_id, region,
                        start_ms, end_ms, reason, price_micros, currency, source)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for event in events {
                var (venueID, region): (UUID?, String?) = (nil, nil)
                switch event.scope {
                case .venue(let id): venueID = id
                case .region(let name): region = name
                case .all: break
                }
                try put.execute(arguments: [
                    event.id.bytes, event.declared.unixMilliseconds, event.cancelled?.unixMilliseconds,
                    event.kind.rawValue, venueID?.bytes, region, event.interval.start.unixMilliseconds,
                    event.interval.end.unixMilliseconds, event.reason, event.price?.microsPerKilowattHour,
                    event.currency, event.source,
                ])
            }
        }
    }

    private static func event(_ row: Row) throws -> DemandResponseEvent {
        let (start, end): (Int64, Int64) = (row["start_ms"], row["end_ms"])
        guard
            let interval = Interval(start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end))
        else { throw EnergyError.damaged("end_ms") }
        let (venueID, region): (Data?, String?) = (row["venue_id"], row["region"])
        let scope: DemandResponseEvent.Scope =
            if venueID != nil { .venue(try row.uuid("venue_id")) } else { region.map { .region($0) } ?? .all }
        let (price, cancelled): (Int64?, Int64?) = (row["price_micros"], row["cancelled_ms"])
        return DemandResponseEvent(
            id: try row.uuid("event_id"), kind: try row.value("kind"), scope: scope, interval: interval,
            reason: row["reason"], price: price.map { Price(microsPerKilowattHour: $0) }, currency: row["currency"],
            declared: Timestamp(unixMilliseconds: row["declared_ms"]),
            cancelled: cancelled.map { Timestamp(unixMilliseconds: $0) }, source: row["source"])
    }
}
