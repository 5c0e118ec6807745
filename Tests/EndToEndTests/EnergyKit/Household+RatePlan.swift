import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation

extension Household {
    /// Gives the venue a contract with a dear evening, and a home that stands for it.
    func signContract(homeID: UUID) async throws {
        let client = try installation.client(.guidance)
        let plan = try await client.call(
            Methods.putRatePlan,
            RatePlan(
                id: "evening", name: "Dear evenings", currency: "USD", timeZone: venue.timeZone,
                zones: [
                    RateZone(price: Price(microsPerKilowattHour: 200_000), peak: .offPeak),
                    RateZone(
                        price: Price(microsPerKilowattHour: 500_000), peak: .onPeak, startMinute: 16 * 60,
                        endMinute: 21 * 60),
                ], changed: SystemWallClock().now))
        _ = try await client.call(
            Methods.putVenue,
            VenueDraft(
                id: venue.id, name: venue.name, timeZone: venue.timeZone, region: venue.region, ratePlanID: plan.id,
                homeIDs: [homeID]))
    }
}
