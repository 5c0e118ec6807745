internal import EnergyModel
internal import EnergyStore
internal import EnergyWire
internal import Foundation
internal import Logging

/// The contracts of venues, for what lies beyond their guidance.
extension Scheduler {
    /// As it was when a guidance was issued.
    struct Contract {
        let guidanceToken: UUID
        /// `nil` if there is none, or it could not be had.
        let plan: RatePlan?
    }

    /// All contracts, as they were at a time.
    struct ContractList {
        let asked: Timestamp
        let plans: [String: RatePlan]
    }

    /// Of those who wait for a plan nobody waits long for that: without it what lies beyond guidance is a forecast.
    private static let contractTime = Duration.seconds(1)

    /// Asks for a venue's contract, once for each guidance that ends before goals do.
    ///
    /// - Parameter records: what is planned at the venue.
    func askContract(of venueID: UUID, for records: [DeviceRecord]) async {
        let (known, end) = (knownGuidance(of: venueID), records.flatMap(\.goals).map(\.readyBy).max())
        guard let end, let guidance = known[.shift] ?? known[.reduce], guidance.interval.end < end,
            contracts[venueID]?.guidanceToken != guidance.token
        else { return }
        // While it is asked for, and where it cannot be had, the one before counts.
        let before = guidance.locationHasRatePlan ? contracts[venueID]?.plan : nil
        contracts[venueID] = Contract(guidanceToken: guidance.token, plan: before)
        guard guidance.locationHasRatePlan else { return }
        do throws(EnergyError) {
            let plan = try await contract(of: venueID, asOf: guidance.issued)
            contracts[venueID] = Contract(guidanceToken: guidance.token, plan: plan)
        } catch {
            logger.info("the contract cannot be had", metadata: ["venue": "\(venueID)", "error": "\(error.message)"])
        }
    }

    private func contract(of venueID: UUID, asOf issued: Timestamp) async throws(EnergyError) -> RatePlan? {
        let venue = try await connections.guidance.call(
            Methods.getVenue, .id(venueID), timeout: Self.contractTime)
        guard let id = venue.ratePlanID else { return nil }
        if let list = contractList, list.asked >= issued, let plan = list.plans[id] { return plan }
        let asked = wallClock.now
        let found = try await connections.guidance.call(Methods.listRatePlans, Empty(), timeout: Self.contractTime)
        let list = ContractList(
            asked: asked, plans: Dictionary(found.ratePlans.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
        contractList = list
        return list.plans[id]
    }
}
