internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation

/// Decides what can be decided about a batch without the log: each event by itself, the venues and the tokens.
struct EventAdmission: Sendable {
    let rules: EventRules
    let clock: any WallClock
    let tokens: any TokenChecker
    let venues: any VenueChecker

    /// - Throws: `.invalidInput` with up to 20 violations; `.unavailable` with a time to retry while a token or venue is
    ///   not known here and the guidance publisher cannot be asked.
    func admit(
        _ batch: EventBatch, encoded: [UInt8]?, principal: String, bytes: Int
    ) async throws(EnergyError) -> AdmittedBatch {
        try checkCount(batch)
        let now = clock.now
        var violations: [RuleViolation] = []
        for (index, event) in batch.events.enumerated() where violations.count < IngestLimits.violationsMax {
            let found = rules.violations(of: event, now: now)
            if !found.isEmpty { violations += found.map { $0.at(index: index) } }
        }
        try Refusal.check(violations)
        try await checkSender(of: batch, principal: principal)
        var (events, encoded) = (batch.events, encoded)
        for (index, event) in events.enumerated() {
            let normalized = rules.normalized(event)
            guard normalized.device != event.device else { continue }
            events[index] = normalized
            encoded = nil
        }
        return AdmittedBatch(
            events: events, marks: events.map { EventMark(id: $0.id, digest: $0.digest) }, principal: principal,
            bytes: bytes, encoded: encoded)
    }

    private func checkCount(_ batch: EventBatch) throws(EnergyError) {
        guard 1...EventBatch.eventsMax ~= batch.events.count else {
            throw .invalidInput(
                RuleViolation(
                    field: "events", rule: "must be 1 to \(EventBatch.eventsMax)", value: "\(batch.events.count)"))
        }
    }

    /// Venues and tokens repeat within a batch: each pair is looked at once, and the first that fails ends it, so that a
    /// batch of invented tokens costs one question.
    private func checkSender(of batch: EventBatch, principal: String) async throws(EnergyError) {
        var (seen, last) = (Set<Claim>(), Claim?.none)
        for (index, event) in batch.events.enumerated() {
            let claim = Claim(venueID: event.venueID, token: event.session?.guidanceToken)
            // Mostly it is that of the event before.
            guard claim != last, seen.insert(claim).inserted else { continue }
            last = claim
            if let violation = try await violation(of: claim, in: event, principal: principal) {
                try Refusal.check([violation.at(index: index)])
            }
        }
    }

    private struct Claim: Hashable {
        let venueID: UUID
        /// `nil` for a status event, which carries none.
        let token: UUID?
    }

    private func violation(
        of claim: Claim, in event: Event, principal: String
    ) async throws(EnergyError) -> RuleViolation? {
        let noSuchVenue = RuleViolation(
            field: "venue_id", rule: "must be of a venue that exists", value: claim.venueID.uuidString.lowercased())
        guard let token = claim.token else { return try await venues.isVenue(claim.venueID) ? nil : noSuchVenue }
        func broken(_ rule: String) -> RuleViolation {
            RuleViolation(
                field: "\(event.content.field).session.guidance_token", rule: rule,
                // Whoever reads the refusal, or a log of it, need not learn the token.
                value: "\(token.uuidString.lowercased().prefix(8))-...")
        }
        /// A token cannot fit a venue that is none: then the venue is what is wrong.
        func brokenUnlessVenue(_ rule: String) async -> RuleViolation {
            // The token is wrong in any case: that nobody can be asked about the venue changes nothing.
            if let isVenue = try? await venues.isVenue(claim.venueID), !isVenue { return noSuchVenue }
            return broken(rule)
        }
        guard var resolved = try await tokens.resolve(token) else {
            return await brokenUnlessVenue("must be of guidance issued here")
        }
        guard resolved.venueID == claim.venueID else {
            return await brokenUnlessVenue("must be of guidance for the event's venue")
        }
        if !resolved.principals.contains(principal) {
            // The sender may have asked for guidance since the token was looked up.
            resolved = try await tokens.resolveAgain(token) ?? resolved
        }
        return resolved.principals.contains(principal)
            ? nil : broken("must be for a venue whose guidance the sender asked for")
    }
}

/// How a batch is refused.
enum Refusal {
    static func check(_ violations: [RuleViolation]) throws(EnergyError) {
        if let error = error(violations) { throw error }
    }

    /// - Returns: `nil` when nothing is violated.
    static func error(_ violations: [RuleViolation], code: EnergyError.Code = .invalidInput) -> EnergyError? {
        guard let first = violations.first else { return nil }
        let more = violations.count > 1 ? ", and more" : ""
        return EnergyError(
            code, "no event was stored: \(first.description)\(more)",
            violations: Array(violations.prefix(IngestLimits.violationsMax)))
    }
}
