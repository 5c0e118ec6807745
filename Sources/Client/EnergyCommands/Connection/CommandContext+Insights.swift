internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

extension CommandContext {
    /// Totals that stop somewhere look like totals.
    func noteIfBehind() async {
        guard let connection = try? connection(.insights),
            let health = try? await connection.call(Methods.checkHealth, HealthCheckRequest(), timeout: timeout),
            !health.reason.isEmpty
        else { return }
        let reason = TerminalText.safe(health.reason.replacing("energy.v1.Insights ", with: ""))
        output.note("These totals may not hold everything: the insight-service \(reason)")
    }

    /// All pages of an answer as one.
    func insights(_ query: InsightQuery) async throws(CommandFailure) -> InsightPage {
        var answer = InsightPage(records: [], applied: [])
        var pages = try await read(.insights, Methods.queryInsights, query)
        while let page = try await pages.next() {
            answer.records += page.records
            answer.applied = page.applied
        }
        // The service answers with the periods that have something in them; who leaves that to chance shows zeros.
        answer.records.removeAll { $0.total == .zero }
        var measured = MeasuredRecords(context: self, query: query)
        try await measured.mark(&answer.records)
        return answer
    }

    /// What the sessions saved that begin in the time of a question; `nil` of energy that was given back.
    ///
    /// - Parameter sessions: these, where they were read anyway.
    func savings(
        _ query: InsightQuery, _ sessions: [SessionInsight]?
    ) async throws(CommandFailure) -> Savings? {
        guard query.direction == .imported else { return nil }
        if let sessions { return Savings(sessions) }
        return try await call(.insights, Methods.sumSavings, SavingsQuery(sessions: SessionQuery(query))).savings
    }

    func sessions(_ query: SessionQuery) async throws(CommandFailure) -> [SessionInsight] {
        try await sessionAnswer(query).sessions
    }

    /// All pages of an answer as one.
    func sessionAnswer(_ query: SessionQuery) async throws(CommandFailure) -> SessionInsightPage {
        var answer = SessionInsightPage(sessions: [], applied: [])
        var pages = try await read(.insights, Methods.querySessions, query)
        while let page = try await pages.next() {
            answer.sessions += page.sessions
            answer.applied = page.applied
        }
        return answer
    }
}

extension SessionQuery {
    /// The sessions that begin in the time of a question.
    init(_ query: InsightQuery) {
        self.init(
            venueID: query.venueID, deviceID: query.deviceID, deviceKind: query.deviceKind, range: query.range)
    }
}
