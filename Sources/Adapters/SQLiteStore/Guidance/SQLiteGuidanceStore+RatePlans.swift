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
            let terms = try JSONEncoder().encode(StoredTerms(plan))
            try connection.execute(
                sql: """
                    INSERT INTO rate_plan_revisions (rate_plan_id, changed_ms, name, currency, time_zone, zones,
                        terms)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    plan.id, plan.changed.unixMilliseconds, plan.name, plan.currency, plan.timeZone.identifier,
                    String(decoding: zones, as: UTF8.self), String(decoding: terms, as: UTF8.self),
                ])
        }
    }

    private static func ratePlan(_ row: Row) throws -> RatePlan {
        func stored<Value: Decodable>(_ column: String, _: Value.Type) throws -> Value {
            let text: String = row[column]
            guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
                throw EnergyError.damaged(column)
            }
            return value
        }
        let plan = RatePlan(
            id: row["rate_plan_id"], name: row["name"], currency: row["currency"],
            timeZone: try row.timeZone("time_zone"),
            zones: try stored("zones", [StoredZone].self).map { try $0.zone() },
            changed: Timestamp(unixMilliseconds: row["changed_ms"]))
        return try stored("terms", StoredTerms.self).added(to: plan)
    }
}
