import EnergyModel
import EnergyTestSupport
import EnergyWire
import Foundation
import Testing

@testable import Scheduling

/// What is said of ratings in which rates and carbon count alike.
struct BlendedReasonTests {
    private let venueID = EventSamples.venueID

    /// An hour of a car, of four: the third is rated best.
    private func schedule(prices: [Double], carbon: [Double]) async throws -> Schedule {
        let world = try await SchedulerWorld()
        let told = world.guidance([0.9, 0.8, 0.1, 0.7], prices: prices)
        let values = zip(told.values, carbon).map {
            GuidanceValue(interval: $0.interval, rating: $0.rating, carbonIntensity: $1, price: $0.price)
        }
        world.setGuidance(
            Guidance(
                token: told.token, venueID: venueID, action: .shift, interval: told.interval, values: values,
                locationHasRatePlan: true, incorporatesRatePlan: true, issued: told.issued,
                basis: GuidanceBasis(source: "test", kind: .averageDirect, method: "test", priceWeight: 0.5)))
        _ = try await world.scheduler.put(SchedulerWorld.car)
        return try await world.scheduler.put(
            GoalDraft(
                venueID: venueID, deviceID: EventSamples.car.id, readyBy: world.hours(4),
                target: .energy(Energy(milliwattHours: 6_000_000))))
    }

    @Test func `what gets better is named: rates where carbon rises, carbon where rates rise`() async throws {
        let cheaper = try await schedule(prices: [0.3, 0.3, 0.1, 0.3], carbon: [200, 200, 400, 300])
        #expect(cheaper.blocks.map(\.reason).prefix(2) == [.waitingForLowerRates, .lowerRates])
        #expect(cheaper.explanation.hasPrefix("Waits for lower rates: "), "\(cheaper.explanation)")
        let cleaner = try await schedule(prices: [0.1, 0.3, 0.3, 0.3], carbon: [400, 400, 100, 400])
        #expect(cleaner.blocks.map(\.reason).prefix(2) == [.waitingForCleanerEnergy, .cleanerEnergy])
        #expect(cleaner.explanation.hasPrefix("Waits for cleaner energy: "), "\(cleaner.explanation)")
    }
}
