import EnergyModel
import EnergyWire
import Foundation
import Testing

extension Sample {
    static var ratePlans: [Sample] {
        get throws {
            let may = try #require(Season.Day(month: 5, day: 1))
            let zone = RateZone(
                name: "Summer", price: Price(microsPerKilowattHour: 7),
                tiers: [RateTier(above: Energy(milliwattHours: 3), price: Price(microsPerKilowattHour: 4))],
                peak: .offPeak, isPeakDerived: true,
                season: Season(first: may, last: try #require(Season.Day(month: 10, day: 31))))
            return [
                Sample(
                    RatePlan(
                        id: "full", name: "Full", currency: "USD", timeZone: .gmt, zones: [zone],
                        holidays: [
                            Holiday(.nthWeekday(occurrence: -1, weekday: 3, month: 11), observance: .nearestWeekday),
                            Holiday(.easter(days: -2)), Holiday(.date(year: 2026, may)),
                        ],
                        exportZones: [RateZone(price: Price(microsPerKilowattHour: 1), peak: .unknown)],
                        datedRates: [
                            DatedRate(
                                interval: try interval(1, 2), change: .multiplier(permille: 3500), peak: .criticalPeak),
                            DatedRate(
                                interval: try interval(2, 3), change: .price(Price(microsPerKilowattHour: 0)),
                                exportPrice: Price(microsPerKilowattHour: 0)),
                        ],
                        charges: RateCharges(
                            perKilowattHour: Price(microsPerKilowattHour: 20_000), taxPartsPerMillion: 190_000),
                        priceSource: "DK1", billingDay: 15, monthlyEnergy: .zero,
                        changed: time(9), removed: time(11)),
                    """
                    id: "full" name: "Full" currency: "USD" time_zone: "GMT" changed_unix_ms: 9
                    zones { price_micros_per_kwh: 7 peak: TARIFF_PEAK_OFF_PEAK end_minute: 1440 name: "Summer"
                      season { first_month: 5 first_day: 1 last_month: 10 last_day: 31 }
                      tiers { above_mwh: 3 price_micros_per_kwh: 4 } peak_derived: true }
                    holidays { month: 11 occurrence: -1 weekday: 3 observance: HOLIDAY_OBSERVANCE_NEAREST_WEEKDAY }
                    holidays { easter_days: -2 observance: HOLIDAY_OBSERVANCE_ON_THE_DAY }
                    holidays { year: 2026 month: 5 day: 1 observance: HOLIDAY_OBSERVANCE_ON_THE_DAY }
                    export_zones { price_micros_per_kwh: 1 peak: TARIFF_PEAK_UNKNOWN end_minute: 1440 }
                    dated_rates { interval { start_unix_ms: 1 end_unix_ms: 2 } multiplier_permille: 3500
                      peak: TARIFF_PEAK_CRITICAL_PEAK }
                    dated_rates { interval { start_unix_ms: 2 end_unix_ms: 3 } price_micros_per_kwh: 0
                      export_price_micros_per_kwh: 0 peak: TARIFF_PEAK_UNKNOWN }
                    charge_micros_per_kwh: 20000 tax_ppm: 190000 price_source: "DK1" billing_day: 15
                    monthly_mwh: 0 removed_unix_ms: 11
                    """),
                Sample(RatePlanRemoval(id: "full"), #"id: "full""#),
                Sample(
                    DemandResponseEvent(
                        id: try uuid("1"), kind: .reduce, scope: .region("CISO"), interval: try interval(1, 9),
                        reason: "heat", price: Price(microsPerKilowattHour: 0), currency: "USD", declared: time(3),
                        cancelled: time(5), source: "local"),
                    """
                    id: \(bytes("1")) kind: DEMAND_RESPONSE_KIND_REDUCE region: "CISO"
                    interval { start_unix_ms: 1 end_unix_ms: 9 } reason: "heat" price_micros_per_kwh: 0 currency: "USD"
                    declared_unix_ms: 3 cancelled_unix_ms: 5 source: "local"
                    """),
            ]
        }
    }
}
