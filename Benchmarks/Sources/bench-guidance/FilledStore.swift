import EnergyModel
import EnergyStore
import Foundation

/// A store that already holds venues and plans, and forgets tokens: what is measured is the publisher.
struct FilledStore: GuidanceStore {
    private let (filledVenues, filledPlans): ([Venue], [RatePlan])
    private let rest = InMemoryGuidanceStore()

    init(_ venues: [Venue], _ plans: [RatePlan]) { (filledVenues, filledPlans) = (venues, plans) }

    func venues() -> [Venue] { filledVenues }
    func venueRevisions(_ id: UUID) -> [Venue] { filledVenues.filter { $0.id == id } }
    func putVenue(_ venue: Venue) {}
    func ratePlans() -> [RatePlan] { filledPlans }
    func ratePlanRevisions(_ id: String) -> [RatePlan] { filledPlans.filter { $0.id == id } }
    func putRatePlan(_ plan: RatePlan) {}
    func recordSignals(_ records: [SignalRecord], region: String, learned: Timestamp) async throws(EnergyError) {
        try await rest.recordSignals(records, region: region, learned: learned)
    }
    func signals(
        region: String, in interval: Interval, revision: SignalRevision
    ) async throws(EnergyError) -> [SignalRecord] {
        try await rest.signals(region: region, in: interval, revision: revision)
    }
    func addTokens(_ tokens: [IssuedToken]) {}
    func token(_ token: UUID) -> IssuedToken? { nil }
    func addAsker(_ principal: String, venueID: UUID, at instant: Timestamp) {}
    func askers(venueID: UUID) -> [String] { [] }
    func prune(tokensBefore: Timestamp, signalsBefore: Timestamp) {}
}
