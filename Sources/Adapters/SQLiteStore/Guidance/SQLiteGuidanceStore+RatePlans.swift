public import EnergyModel
internal import EnergyStore
internal import Foundation
internal import GRDB

extension SQLiteGuidanceStore {
    public func ratePlans() async throws(EnergyError) -> [RatePlan] {
        try await database.read { connection in
            try Row.fetchAll(
                connection,
                sql: """
                    SELECT *, MAX(changed_ms) AS newest_ms FROM rate_plan_revisions
                    GROUP BY rate_plan_id ORDER BY rate_plan_id
                    """
            ).map(Self.ratePlan)
        }
    }

    public func ratePlanRevisions(_ id: String) async throws(EnergyError) -> [RatePlan] {
        try await database.read { connection in
            try Row.fetchAll(
                connection, sql: "SELECT * FROM rate_plan_revisions WHERE rate_plan_id = ? ORDER BY changed_ms",
                arguments: [id]
            ).map(Self.ratePlan)
        }
    }

    public func putRatePlan(_ plan: RatePlan) async throws(EnergyError) {
        try await database.write { connection in
            try Self.checkRevision(
                connection, table: "rate_plan_revisions", key: "rate_plan_id", id: plan.id, changed: plan.changed,
                max: GuidanceLimits.ratePlansMax, what: "rate plan")
            let zones = try JSONEncoder().encode(plan.zones.map(StoredZone.init))
            try connection.execute(
                sql: """
                    INSERT INTO rate_plan_revisions (rate_plan_id, changed_ms, name, currency, time_zone, zones)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    plan.id, plan.changed.unixMilliseconds, plan.name, plan.currency, plan.timeZone.identifier,
                    String(decoding: zones, as: UTF8.self),
                ])
        }
    }

    private static func ratePlan(_ row: Row) throws -> RatePlan {
        let text: String = row["zones"]
        guard let zones = try? JSONDecoder().decode([StoredZone].self, from: Data(text.utf8)) else {
            throw EnergyError.damaged("zones")
        }
        return RatePlan(
            id: row["rate_plan_id"], name: row["name"], currency: row["currency"],
            timeZone: try row.timeZone("time_zone"), zones: zones.map(\.zone),
            changed: Timestamp(unixMilliseconds: row["changed_ms"]))
    }
}

/// A zone as it stands in the database, whatever becomes of ``RateZone``.
private struct StoredZone: Codable {
    let priceMicros: Int64
    let peak: TariffPeak
    let weekdays: UInt32
    let months: UInt32
    let startMinute: Int
    let endMinute: Int

    private enum CodingKeys: String, CodingKey {
        case priceMicros = "price_micros"
        case peak, weekdays, months
        case startMinute = "start_minute"
        case endMinute = "end_minute"
    }

    init(_ zone: RateZone) {
        priceMicros = zone.price.microsPerKilowattHour
        peak = zone.peak
        weekdays = zone.weekdays
        months = zone.months
        startMinute = zone.startMinute
        endMinute = zone.endMinute
    }

    var zone: RateZone {
        RateZone(
            price: Price(microsPerKilowattHour: priceMicros), peak: peak, weekdays: weekdays, months: months,
            startMinute: startMinute, endMinute: endMinute)
    }
}
