import EnergyModel
import Foundation
import Testing

@testable import EnergyCommands

@Suite struct GuidanceExplanationTests {
    private func text(
        _ guidance: Guidance, venue: Venue = Samples.home
    ) -> String {
        GuidanceExplanation(guidance: guidance, venue: venue, now: Samples.now, style: .plain)
            .sentences.joined(separator: "\n")
    }

    private func guidance(
        _ action: SuggestedAction = .shift, hasPlan: Bool = true, values: [GuidanceValue]? = nil,
        _ change: (inout GuidanceBasis) -> Void = { _ in }
    ) -> Guidance {
        let sample = Samples.guidance(action: action)
        var basis = sample.basis
        change(&basis)
        return Guidance(
            token: sample.token, venueID: sample.venueID, action: action, interval: sample.interval,
            values: values ?? sample.values, locationHasRatePlan: hasPlan, incorporatesRatePlan: basis.priceWeight > 0,
            issued: sample.issued, basis: basis)
    }

    @Test func `it says what is best, from where, how sure, and what was left out`() {
        let text = text(guidance())
        #expect(text.contains("Best from "))
        #expect(text.contains("0.00 (100 g/kWh, 0.243 EUR/kWh)"))
        #expect(text.contains("It comes from climatology: usual values of the season, not today's."))
        #expect(text.contains("So the hours really differ"))
        #expect(text.contains("Price counts 50 %, carbon 50 %."))
        #expect(text.contains("eia should be used, but is not: no key."))
        #expect(text.contains("Made 12 min ago by rank-1"))
    }

    @Test func `a forecast tells how good it was`() {
        let skill = ForecastSkill(
            issues: 20, rankCorrelation: 0.9, capturedShare: 0.874, relativeError: 0.1, absoluteError: 22.6)
        let known = text(
            guidance {
                ($0.source, $0.forecastMethod, $0.forecastSkill) = ("file:a.csv", "m/1", skill)
                $0.dataAgeMilliseconds = 7_200_000
            })
        #expect(known.contains("It comes from file:a.csv; its newest measurement is 2 h old."))
        #expect(
            known.contains(
                "On the last 20 days, the four hours expected to be best saved 87 % of what the best four did save; an "
                    + "hour was off by 23 g/kWh on average."))
        #expect(text(guidance { $0.forecastMethod = "m/1" }).contains("will be known after a week"))
    }

    @Test func `a flat window says that it hardly matters`() {
        #expect(text(guidance { $0.certainty = 0.25 }).contains("they are 25 % certain"))
        #expect(text(guidance { $0.certainty = 0 }).contains("it does not matter when"))
    }

    @Test func `why the price does not count`() {
        #expect(text(guidance(hasPlan: false) { $0.priceWeight = 0 }).contains("no rate plan is known for Home"))
        #expect(text(guidance { $0.priceWeight = 0 }).contains("guidance.price-weight is 0"))
        let hour = Interval(start: Samples.now, milliseconds: .millisecondsPerHour)
        let none = guidance {
            $0.priceWeight = 0
            $0.unpriced = [hour]
        }
        #expect(text(none).contains("Price does not count: it is not known for any hour ahead."))
        let some = text(guidance { $0.unpriced = [hour] })
        #expect(some.contains("Price counts 50 %") && some.contains("No price is known from "))
        #expect(some.contains(": those hours are rated by carbon alone."))
        var venue = Samples.home
        venue.priceWeight = 0
        #expect(text(guidance { $0.priceWeight = 0 }, venue: venue).contains("the venue weighs it 0"))
    }

    @Test func `it says how much is forecast, how far the source reaches, and how wide the ratings are`() {
        let few = guidance {
            $0.forecastMethod = "m/1"
            $0.forecastMilliseconds = 2 * .millisecondsPerHour
        }
        #expect(text(few).contains("2 h are forecast here"))
        #expect(text(guidance { $0.forecastMethod = "m/1" }).contains("The hours ahead are forecast here"))
        let hour = Int64.millisecondsPerHour
        let values = [0.25, 0.75].enumerated().map { index, rating in
            GuidanceValue(
                interval: Interval(
                    start: Samples.now.advanced(byMilliseconds: Int64(index) * hour), milliseconds: hour),
                rating: rating, carbonIntensity: 100)
        }
        #expect(text(guidance(values: values)).contains("the ratings go from 0.25 to 0.75"))
        #expect(!text(guidance(values: values)).contains("whole scale"))
        let sample = Samples.guidance(action: .shift)
        let short = Guidance(
            token: sample.token, venueID: sample.venueID, action: .shift,
            interval: Interval(start: sample.interval.start, milliseconds: 4 * hour), values: sample.values,
            locationHasRatePlan: true, incorporatesRatePlan: true, issued: sample.issued, basis: sample.basis)
        #expect(text(short).contains("Only 4 h are known: climatology says nothing of the time after"))
    }

    @Test func `a critical peak of the contract is told, and that of an event only once`() {
        let values = (0..<3).map { hour in
            GuidanceValue(
                interval: Interval(
                    start: Samples.now.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour),
                rating: 1, carbonIntensity: 100, peak: hour == 0 ? .offPeak : .criticalPeak)
        }
        let told = text(guidance(values: values))
        #expect(told.contains("A critical-peak rate of the contract applies from "))
        #expect(told.components(separatedBy: "critical-peak rate").count == 2)
        let event = DemandResponseEvent(
            id: Samples.id(9), kind: .criticalPeak, scope: .all,
            interval: Interval(start: Samples.now, milliseconds: 3 * .millisecondsPerHour), reason: "", source: "u")
        #expect(!text(guidance(values: values) { $0.events = [event] }).contains("critical-peak rate"))
    }

    @Test func `events and withheld values are told, and nothing from outside moves the cursor`() {
        let event = DemandResponseEvent(
            id: Samples.id(9), kind: .criticalPeak, scope: .all,
            interval: Interval(start: Samples.now, milliseconds: .millisecondsPerHour), reason: "Flex\u{1B}[2J Alert",
            source: "utility")
        let text = text(
            guidance {
                $0.events = [event]
                $0.withholdsValues = true
            })
        #expect(text.contains("use nothing that can wait (Flex [2J Alert), says utility. That time is rated 1"))
        #expect(text.contains("terms do not allow"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `to reduce is another question than to shift`() {
        #expect(text(guidance(.reduce)).contains("when a week of them is known"))
        #expect(text(guidance(.reduce) { $0.comparesPast = true }).contains("those of the last 28 days, too: for"))
        #expect(text(guidance(.reduce)).contains("nothing is worth cutting"))
        #expect(text(guidance(.shift)).contains("there is always a best hour"))
    }

    @Test func `which tier counts is said, and how it is known`() {
        #expect(!text(guidance()).contains("tier"))
        #expect(
            text(guidance { $0.tiers = .first }).contains(
                "The contract has tiers, and how much is drawn in a month is not known: prices are those of the first one."
            ))
        let energy = Energy(milliwattHours: 123_400_000)
        #expect(
            text(guidance { $0.tiers = .monthToDate(energy) }).contains(
                "The contract has tiers: prices are those after 123.40 kWh in this billing month, which is what it expects "
                    + "to have been drawn by today, not what a meter says."))
    }

    @Test func `one sentence says what is paid for energy that is fed in, and that peaks are derived`() {
        func values(_ export: [Int64], derived: Bool = false) -> [GuidanceValue] {
            export.enumerated().map { hour, price in
                GuidanceValue(
                    interval: Interval(
                        start: Samples.now.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                        milliseconds: .millisecondsPerHour),
                    rating: Double(hour) / 4, carbonIntensity: 100, price: Price(microsPerKilowattHour: 200_000),
                    peak: .offPeak, isPeakDerived: derived, exportPrice: Price(microsPerKilowattHour: price))
            }
        }
        #expect(
            text(guidance(values: values([80_000, 50_000, 60_000]))).contains(
                "Energy that is fed in is paid 0.050 to 0.080 EUR/kWh."))
        #expect(
            text(guidance(values: values([80_000, 80_000], derived: true))).contains(
                "The contract does not name its peaks: they follow from its prices; energy that is fed in is paid 0.080 "
                    + "EUR/kWh."))
    }
}
