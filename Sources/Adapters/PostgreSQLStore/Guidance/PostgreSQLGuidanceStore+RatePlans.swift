public import EnergyModel
internal import EnergyStore
internal import SQLColumns

extension PostgreSQLGuidanceStore {
    public func ratePlans() async throws(EnergyError) -> [RatePlan] {
        try await database.read { transaction in
            try transaction.query(
                """
                SELECT DISTINCT ON (rate_plan_id) * FROM rate_plan_revisions ORDER BY rate_plan_id, changed_ms DESC
                """
            ).map { try RatePlan($0) }
        }
    }

    public func ratePlanRevisions(_ id: String) async throws(EnergyError) -> [RatePlan] {
        try await database.read { try Self.revisions(of: id, $0) }
    }

    private static func revisions(of id: String, _ transaction: PostgreSQLTransaction) throws -> [RatePlan] {
        try transaction.query("SELECT * FROM rate_plan_revisions WHERE rate_plan_id = $1 ORDER BY changed_ms", [id])
            .map { try RatePlan($0) }
    }

    public func putRatePlan(_ plan: RatePlan) async throws(EnergyError) {
        let attempts = Attempts()
        try await database.run(.readCommitted) { transaction in
            try transaction.takeTurn("rate plans")
            let stored = try Self.revisions(of: plan.id, transaction)
            if attempts.next() > 1, stored.last == plan { return }
            let count = "SELECT count(DISTINCT rate_plan_id) AS count FROM rate_plan_revisions"
            try GuidanceLimits.check(
                count: stored.isEmpty ? transaction.count(count) : 0, max: GuidanceLimits.ratePlansMax,
                revisions: stored.count, isNewest: stored.allSatisfy { $0.changed < plan.changed }, what: "rate plan")
            try transaction.sendInsert(plan.columns(), into: "rate_plan_revisions")
        }
    }
}
