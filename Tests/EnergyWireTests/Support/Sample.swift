import EnergyModel
import Foundation
import Testing

@testable import EnergyWire

/// A value, and the same in protobuf's text format.
struct Sample {
    let message: AnyMessage
    let text: String

    init<Message: ProtoMessage & Equatable>(_ value: Message, _ text: String) {
        message = AnyMessage(value)
        self.text = text
    }

    static func uuid(_ letter: String) throws -> UUID {
        try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000".replacing("0", with: letter)))
    }
    /// The same UUID in text format.
    static func bytes(_ letter: String) -> String {
        "\"" + String(repeating: "\\x\(letter)\(letter)", count: 16) + "\""
    }
    static func interval(_ start: Int64, _ end: Int64) throws -> Interval {
        try #require(
            Interval(start: Timestamp(unixMilliseconds: start), end: Timestamp(unixMilliseconds: end)))
    }
    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(unixMilliseconds: milliseconds) }
    static func energy(_ milliwattHours: Int64) -> Energy { Energy(milliwattHours: milliwattHours) }

    static var all: [Sample] { get throws { try venues + ratePlans + guidance + events + insights + schedules } }
}

extension Sample {
    static var venues: [Sample] {
        get throws {
            let zone = try #require(TimeZone(identifier: "Europe/Paris"))
            return [
                Sample(
                    Venue(
                        id: try uuid("1"), name: "Home", timeZone: zone, region: "FR", ratePlanID: "blue",
                        homeIDs: [try uuid("2"), try uuid("3")], priceWeight: 0, changed: time(4), removed: time(5)),
                    """
                    id: \(bytes("1")) name: "Home" time_zone: "Europe/Paris" region: "FR" rate_plan_id: "blue"
                    home_ids: \(bytes("2")) home_ids: \(bytes("3")) changed_unix_ms: 4
                    removed_unix_ms: 5 price_weight: 0
                    """),
                Sample(VenueRemoval(id: try uuid("1")), "id: \(bytes("1"))"),
                Sample(
                    VenueDraft(id: nil, name: "Home", timeZone: zone, region: "FR"),
                    #"venue { name: "Home" time_zone: "Europe/Paris" region: "FR" }"#),
                Sample(VenueReference.homeID(try uuid("1")), "home_id: \(bytes("1"))"),
                Sample(
                    RatePlan(
                        id: "blue", name: "Blue", currency: "EUR", timeZone: zone,
                        zones: [
                            RateZone(
                                price: Price(microsPerKilowattHour: -5), peak: .onPeak, weekdays: 31, months: 3,
                                startMinute: 360, endMinute: 1320)
                        ], changed: time(9)),
                    """
                    id: "blue" name: "Blue" currency: "EUR" time_zone: "Europe/Paris" changed_unix_ms: 9
                    zones { price_micros_per_kwh: -5 peak: TARIFF_PEAK_ON_PEAK weekdays: 31 months: 3
                      start_minute: 360 end_minute: 1320 } billing_day: 1
                    """),
            ]
        }
    }

    static var guidance: [Sample] {
        get throws {
            [
                Sample(
                    Guidance(
                        token: try uuid("1"), venueID: try uuid("2"), action: .reduce, interval: try interval(1, 9),
                        values: [
                            GuidanceValue(
                                interval: try interval(1, 9), rating: 0.25, carbonIntensity: 0,
                                price: Price(microsPerKilowattHour: 0), peak: .criticalPeak, isPeakDerived: true,
                                exportPrice: Price(microsPerKilowattHour: -3))
                        ],
                        locationHasRatePlan: true, incorporatesRatePlan: false, issued: time(1),
                        basis: GuidanceBasis(
                            source: "file:CISO.csv", kind: .marginal, method: "rank-1", priceWeight: 0.5,
                            relativeSpread: 0.75, dataAgeMilliseconds: 60_000, isForecast: true, currency: "USD",
                            skippedSources: ["a: down", "b: old"], certainty: 0.5, carbonNoise: 12.5,
                            priceRelativeSpread: 0.25, priceSource: "awattar:de", forecastMethod: "mean/1",
                            forecastSkill: ForecastSkill(
                                issues: 7, rankCorrelation: 0.5, capturedShare: -0.5, relativeError: 0.125,
                                absoluteError: 8),
                            events: [
                                DemandResponseEvent(
                                    id: try uuid("3"), kind: .reduce, scope: .all, interval: try interval(1, 9))
                            ], withholdsValues: true, tiers: .monthToDate(.zero))),
                    """
                    token: \(bytes("1")) venue_id: \(bytes("2")) action: SUGGESTED_ACTION_REDUCE
                    interval { start_unix_ms: 1 end_unix_ms: 9 } location_has_rate_plan: true issued_unix_ms: 1
                    values { interval { start_unix_ms: 1 end_unix_ms: 9 } rating: 0.25
                      carbon_g_per_kwh: 0 price_micros_per_kwh: 0 peak: TARIFF_PEAK_CRITICAL_PEAK
                      peak_derived: true export_price_micros_per_kwh: -3 }
                    basis { source: "file:CISO.csv" kind: SIGNAL_KIND_MARGINAL method: "rank-1" price_weight: 0.5
                      relative_spread: 0.75 data_age_ms: 60000 forecast: true currency: "USD"
                      skipped_sources: "a: down" skipped_sources: "b: old" certainty: 0.5 carbon_noise: 12.5
                      price_relative_spread: 0.25 price_source: "awattar:de" forecast_method: "mean/1"
                      forecast_skill { issues: 7 rank_correlation: 0.5 captured_share: -0.5 relative_error: 0.125
                        absolute_error: 8 }
                      events { id: \(bytes("3")) kind: DEMAND_RESPONSE_KIND_REDUCE
                        interval { start_unix_ms: 1 end_unix_ms: 9 } }
                      values_withheld: true tiered: true month_to_date_mwh: 0 }
                    """),
                Sample(
                    ResolvedToken(
                        token: try uuid("1"), venueID: try uuid("2"), action: .shift, issued: time(3),
                        principals: ["local"]),
                    """
                    token: \(bytes("1")) venue_id: \(bytes("2")) action: SUGGESTED_ACTION_SHIFT issued_unix_ms: 3
                    principals: "local"
                    """),
                Sample(
                    SignalPush(
                        region: "X", source: "meter",
                        content: .values(
                            SignalValues(
                                kind: .price, currency: "EUR",
                                points: [SignalPoint(interval: try interval(1, 2), value: -7, isEstimated: true)],
                                issued: time(3)))),
                    """
                    region: "X" source: "meter" values { kind: SIGNAL_KIND_PRICE currency: "EUR" issued_unix_ms: 3
                      values { interval { start_unix_ms: 1 end_unix_ms: 2 } price_micros_per_kwh: -7 estimated: true } }
                    """),
                Sample(
                    SourceList(
                        sources: [
                            RegionSource(
                                region: "X",
                                status: SignalSourceStatus(
                                    name: "push:meter", kind: .marginal, isInUse: true, newestValue: time(1),
                                    issued: time(2), lastSuccess: time(3), lastError: "late", nextAttempt: time(4),
                                    clockSkewMilliseconds: -5))
                        ], regions: ["CISO", "X"],
                        offered: [
                            RegionSource(
                                region: "Y", status: SignalSourceStatus(name: "c", kind: .marginal), isAutomatic: true)
                        ]),
                    """
                    sources { region: "X" name: "push:meter" kind: SIGNAL_KIND_MARGINAL in_use: true newest_unix_ms: 1
                      issued_unix_ms: 2 last_success_unix_ms: 3 last_error: "late" next_attempt_unix_ms: 4
                      clock_skew_ms: -5 }
                    regions: "CISO" regions: "X"
                    offered { region: "Y" name: "c" kind: SIGNAL_KIND_MARGINAL automatic: true }
                    """),
                Sample(SourceReference(region: "X", source: "a:b"), #"region: "X" source: "a:b""#),
                Sample(
                    SourceTest(
                        source: RegionSource(region: "X", status: SignalSourceStatus(name: "a:b", kind: .price)),
                        isAsked: true,
                        newest: SignalPoint(interval: try interval(1, 2), value: -7, isEstimated: false),
                        knownUntil: time(9), failure: .denied),
                    """
                    source { region: "X" name: "a:b" kind: SIGNAL_KIND_PRICE } asked: true
                    newest { interval { start_unix_ms: 1 end_unix_ms: 2 } price_micros_per_kwh: -7 }
                    known_until_unix_ms: 9 failure: 7
                    """),
                Sample(
                    SignalHistory(intervals: [
                        SignalInterval(
                            interval: try interval(1, 2), carbonIntensity: 250.5, kind: .averageLifecycle,
                            price: Price(microsPerKilowattHour: 7), currency: "EUR", cleanliness: .lessClean,
                            peak: .criticalPeak, isEstimated: true, source: "x", isPeakDerived: true,
                            exportPrice: Price(microsPerKilowattHour: 0), isUsual: true)
                    ]),
                    """
                    intervals { interval { start_unix_ms: 1 end_unix_ms: 2 } carbon_g_per_kwh: 250.5
                      kind: SIGNAL_KIND_AVERAGE_LIFECYCLE price_micros_per_kwh: 7 currency: "EUR"
                      cleanliness: CLEANLINESS_LESS_CLEAN peak: TARIFF_PEAK_CRITICAL_PEAK estimated: true source: "x"
                      peak_derived: true export_price_micros_per_kwh: 0 usual: true }
                    """),
            ]
        }
    }
}
