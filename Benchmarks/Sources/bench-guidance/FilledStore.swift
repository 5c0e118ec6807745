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
    func venueNumbers() -> [UUID: VenueNumber] {
        Dictionary(uniqueKeysWithValues: filledVenues.enumerated().map { ($1.id, VenueNumber($0 + 1)) })
    }
    func putVenue(_ venue: Venue) -> VenueNumber { 1 }
    func ratePlans() -> [RatePlan] { filledPlans }
    func ratePlanRevisions(_ id: String) -> [RatePlan] { filledPlans.filter { $0.id == id } }
    func putRatePlan(_ plan: RatePlan) {}
    func recordSignals(_ records: [SignalRecord], region: String, learned: Timestamp) async throws(EnergyError) {
        try await rest.recordSignals(records, region: region, learned: learned)
    }
    func signals(
        _ quantity: SignalQuantity, region: String, in interval: Interval, revision: SignalRevision
    ) async throws(EnergyError) -> [SignalRecord] {
        try await rest.signals(quantity, region: region, in: interval, revision: revision)
    }
    func sourceProgress(_ source: String) -> SourceProgress? { nil }
    func putSourceProgress(_ progress: SourceProgress, source: String) {}
    func demandResponse(in interval: Interval) -> [DemandResponseEvent] { [] }
    func putDemandResponse(_ events: [DemandResponseEvent]) {}
    func tokenKey(orNew new: [UInt8]) -> [UInt8] { new }
    func addForecast(_ issue: ForecastIssue, source: String, region: String) {}
    func forecasts() -> [StoredForecast] { [] }
    func addAsker(_ principal: String, venueID: UUID, at instant: Timestamp) {}
    func askers(venueID: UUID) -> [String] { [] }
    func eraseVenue(_ id: UUID) -> [ErasedCount] { [] }
    func prune(forecastsBefore: Timestamp, signalsBefore: Timestamp) {}
}
