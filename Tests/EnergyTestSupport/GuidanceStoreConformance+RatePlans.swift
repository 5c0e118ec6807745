import EnergyModel
import EnergyStore
import Foundation
import Testing

extension GuidanceStoreConformance {
    static func ratePlanTerms(_ store: any GuidanceStore) async throws {
        var plan = try ratePlan("A")
        plan.zones[0].name = "Winter \"Off\"-Peak"
        plan.zones[0].season = Season(text: "10-15..02-29")
        plan.zones[0].isPeakDerived = true
        plan.zones[0].tiers = [
            RateTier(above: Energy(milliwattHours: 1), price: Price(microsPerKilowattHour: -7)),
            RateTier(above: Energy(milliwattHours: 1_000_000_000), price: Price(microsPerKilowattHour: 8)),
        ]
        plan.holidays = [
            Holiday(.nthWeekday(occurrence: -1, weekday: 0, month: 5), observance: .mondayAfterSunday),
            Holiday(.easter(days: -2)), Holiday(.yearly(try #require(Season.Day(month: 12, day: 25)))),
            Holiday(.date(year: 2026, try #require(Season.Day(month: 7, day: 3))), observance: .nearestWeekday),
        ]
        plan.exportZones = [RateZone(price: Price(microsPerKilowattHour: 80_000), peak: .unknown)]
        plan.datedRates = [
            DatedRate(interval: day, change: .multiplier(permille: 3_500), peak: .criticalPeak),
            DatedRate(
                interval: day, change: .price(Price(microsPerKilowattHour: 0)),
                exportPrice: Price(microsPerKilowattHour: -1)),
            DatedRate(interval: day),
        ]
        plan.charges = RateCharges(
            perKilowattHour: Price(microsPerKilowattHour: 20_500), taxPartsPerMillion: 190_000)
        plan.priceSource = "DK1"
        plan.billingDay = 28
        plan.monthlyEnergy = Energy(milliwattHours: 900_000_001)
        plan.removed = plan.changed
        try await store.putRatePlan(plan)
        #expect(try await store.ratePlans() == [plan])
        #expect(try await store.ratePlanRevisions("A") == [plan])
    }

    static func demandResponse(_ store: any GuidanceStore) async throws {
        func event(_ hour: Double, _ scope: DemandResponseEvent.Scope, declared: Double = 0) throws
            -> DemandResponseEvent
        {
            DemandResponseEvent(
                id: UUID(), kind: .criticalPeak, scope: scope,
                interval: try #require(Interval(start: at(hour), end: at(hour + 2))), declared: at(declared))
        }
        var first = try event(1, .all)
        let (second, third) = (try event(4, .region("CISO")), try event(8, .venue(UUID())))
        try await store.putDemandResponse([third, second, first])
        #expect(try await store.demandResponse(in: day) == [first, second, third])
        let morning = try #require(Interval(start: at(3), end: at(4)))
        #expect(try await store.demandResponse(in: morning).isEmpty, "both only touch it")
        // Cancelled, and replaced by another.
        first.cancelled = at(1.5)
        first.reason = "heat"
        var next = first
        next.kind = .reduce
        next.price = Price(microsPerKilowattHour: 2_000_000)
        next.currency = "USD"
        next.declared = at(1.5)
        next.cancelled = nil
        next.source = "file:events.json"
        try await store.putDemandResponse([first, next])
        #expect(try await store.demandResponse(in: day) == [first, next, second, third])
        try await store.prune(forecastsBefore: start, signalsBefore: at(7))
        #expect(try await store.demandResponse(in: day) == [third])
    }
}
