public import EnergyModel
internal import EnergyStore
internal import GRDB
internal import SQLColumns

extension SQLiteGuidanceStore {
    public func ratePlans() async throws(EnergyError) -> [RatePlan] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT *, MAX(changed_ms) AS newest_ms FROM rate_plan_revisions
                GROUP BY rate_plan_id ORDER BY rate_plan_id
                """
            ).map { try RatePlan($0) }
        }
    }

    public func ratePlanRevisions(_ id: String) async throws(EnergyError) -> [RatePlan] {
        try await database.read { connection in
            try connection.rows("SELECT * FROM rate_plan_revisions WHERE rate_plan_id = ? ORDER BY changed_ms", [id])
                .map { try RatePlan($0) }
        }
    }

    public func putRatePlan(_ plan: RatePlan) async throws(EnergyError) {
        try await database.write { connection in
            try Self.checkRevision(
                connection, table: "rate_plan_revisions", key: "rate_plan_id", id: plan.id, changed: plan.changed,
                max: GuidanceLimits.ratePlansMax, what: "rate plan")
            try connection.insert(plan.columns(), into: "rate_plan_revisions")
        }
    }
}
