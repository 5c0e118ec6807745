import EnergyModel
import Foundation
import Testing

@testable import EnergyDashboard

struct HistoryTests {
    private static let now = Timestamp(unixMilliseconds: 1_782_864_000_000)  // 2026-07-01T02:00 in Berlin

    private func question(_ values: [String: String]) throws -> (HistoryQuestion, TimeZone) {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        return (HistoryQuestion(now: Self.now, in: zone) { values[$0] }, zone)
    }

    @Test(arguments: [
        ("day", "2026-03-29", 23), ("day", "2025-10-26", 25), ("week", "2026-06-03", 7), ("month", "2026-02-10", 28),
        ("year", "2026-02-10", 12), ("years", "2026-02-10", 5),
    ])
    func `a range has the periods of the venue's calendar`(range: String, day: String, count: Int) throws {
        let (question, zone) = try question(["range": range, "at": day])
        let answer = HistoryAnswer(
            question, zone: zone, now: Self.now, records: [], earlier: [], devices: [],
            saved: SavingsAnswer(savings: .none))
        #expect(answer.periods.count == count)
        #expect(answer.interval.start == answer.periods.first?.interval.start)
        #expect(question.previous(in: zone).end == answer.interval.start)
    }

    @Test func `half a month is held against half a month`() throws {
        let (question, zone) = try question(["range": "month"])
        let previous = question.previous(in: zone)
        let days = CalendarPeriods(.daily, timeZone: zone)
        let records = (Int64(0)..<30).map { day in
            let start = previous.start.advanced(byMilliseconds: day * .millisecondsPerDay)
            return InsightRecord(
                interval: days.period(containing: start),
                total: InsightAmount(energy: Energy(milliwattHours: 1_000_000), runtimeMilliseconds: 0))
        }
        let hours = (Int64(0)..<3).map { hour in
            let start = previous.start.advanced(byMilliseconds: hour * .millisecondsPerHour)
            return InsightRecord(
                interval: Interval(start: start, milliseconds: .millisecondsPerHour),
                total: InsightAmount(energy: Energy(milliwattHours: 40_000), runtimeMilliseconds: 0))
        }
        func before(_ now: Timestamp) -> Int64 {
            HistoryAnswer(
                question, zone: zone, now: now, records: [], earlier: records, part: hours, devices: [],
                saved: SavingsAnswer(savings: .none)
            ).before.amount.energy.milliwattHours
        }
        // It is the first of July, two in the morning.
        #expect(before(Self.now) == 80_000)
        #expect(question.comparedPart(Self.now, in: zone)?.milliseconds == 2 * .millisecondsPerHour)
        let past = Self.now.advanced(byMilliseconds: 40 * .millisecondsPerDay)
        #expect(question.comparedPart(past, in: zone) == nil)
    }

    @Test(arguments: [
        // The clocks are set on at two, and back at three.
        ("day", "2026-03-29T09:30:00+02:00", "2026-03-28T09:30:00+01:00"),
        ("day", "2026-10-25T09:30:00+01:00", "2026-10-24T09:30:00+02:00"),
        ("day", "2026-03-30T09:30:00+02:00", "2026-03-29T09:30:00+02:00"),
        ("week", "2026-04-01T12:00:00+02:00", "2026-03-25T12:00:00+01:00"),
        ("month", "2026-03-31T12:00:00+02:00", "2026-03-01T00:00:00+01:00"),
        ("year", "2026-07-01T06:00:00+02:00", "2025-07-01T06:00:00+02:00"),
    ])
    func `a time that is not over is held against as much, by the clocks`(
        range: String, now: String, end: String
    ) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let (now, end) = (try #require(Timestamp(iso: now)), try #require(Timestamp(iso: end)))
        let question = HistoryQuestion(now: now, in: zone) { ["range": range][$0] }
        #expect(question.comparedEnd(now, in: zone) == end)
    }

    @Test func `how many followed guidance is said of all sessions, and the arithmetic of the newest`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/London"))
        let venue = Venue(
            id: UUID(), name: "Home", timeZone: zone, region: "GB", ratePlanID: nil, changed: Self.now)
        let context = PageContext(language: .english, venues: [venue], venue: venue, now: Self.now)
        var savings = Savings(costs: [Money(micros: 2_500_000, currency: "EUR")])
        (savings.sessionCount, savings.followedCount, savings.comparedCount) = (7_300, 6_000, 7_000)
        let answer = SavingsAnswer(savings: savings)
        let text = SavingsView(saved: answer, names: [:], context: context).html().source
        #expect(text.contains("6,000 of 7,300 sessions followed guidance."))
        #expect(text.contains("Not compared: 300 of 7,300 sessions."))
    }

    @Test func `what an address says wrongly is as on the first visit`() throws {
        let (question, _) = try question(["range": "decade", "at": "yesterday", "split": "x", "device": ""])
        #expect(question == HistoryQuestion(anchor: Self.now))
        let (ahead, _) = try self.question(["at": "2999-01-01"])
        #expect(ahead.anchor == Self.now)
    }

    @Test func `kinds of carbon are shown each by itself, and have no sum`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        func mass(_ milligrams: Int64, _ kind: SignalKind, of energy: Int64) -> CarbonMass {
            CarbonMass(milligrams: milligrams, kind: kind, energy: Energy(milliwattHours: energy))
        }
        let amount = InsightAmount(energy: Energy(milliwattHours: 9), runtimeMilliseconds: 0)
        let worth = InsightWorth(carbon: [mass(2_000_000, .averageDirect, of: 3), mass(5_000_000, .marginal, of: 6)])
        let measure = HistoryMeasure(
            measure: .carbon, formats: Formats(language: .english, timeZone: zone, country: "GB"), worth: worth)
        #expect(measure.text(amount, worth) == "2.00 kg (average), 5.00 kg (marginal)")
        #expect(measure.value(amount, worth) == 5, "of most of the energy")
        let one = InsightWorth(carbon: [mass(2_000_000, .marginal, of: 3)])
        #expect(measure.text(amount, one) == "2.00 kg")
    }

    @Test func `a week begins as the country's do`() throws {
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let question = HistoryQuestion(
            now: Self.now, in: zone, firstWeekday: Formats(language: .english, timeZone: zone).firstWeekday
        ) { _ in nil }
        let formats = Formats(language: .english, timeZone: zone)
        #expect(formats.dayAndDate(question.interval(in: zone).start) == "Sun Jun 28")
        #expect(question.previous(in: zone).end == question.interval(in: zone).start)
        // The clocks are set back in it.
        let autumn = HistoryQuestion(now: Self.now, in: zone, firstWeekday: 6) { ["at": "2025-11-02"][$0] }
        #expect(autumn.interval(in: zone).milliseconds == 169 * .millisecondsPerHour)
    }

    private func page(
        _ records: [InsightRecord], _ saved: SavingsAnswer = SavingsAnswer(savings: .none)
    ) throws -> String {
        let (question, zone) = try question(["range": "day"])
        let venue = Venue(id: UUID(), name: "Home", timeZone: zone, region: "GB", changed: Self.now)
        let answer = HistoryAnswer(
            question, zone: zone, now: Self.now, records: records, earlier: [], devices: [], saved: saved)
        let context = PageContext(language: .english, venues: [venue], venue: venue, now: Self.now)
        return HistoryPage(context: context, answer: answer, names: [:]).html().description
    }

    @Test func `the table is split as the bars are`() throws {
        func amount(_ kilowattHours: Int64) -> InsightAmount {
            InsightAmount(energy: Energy(milliwattHours: kilowattHours * 1_000_000), runtimeMilliseconds: 1)
        }
        let hour = CalendarPeriods(.hourly, timeZone: try question([:]).1).period(containing: Self.now)
        let record = InsightRecord(
            interval: hour, total: amount(3), byCleanliness: [.cleaner: amount(2), .avoid: amount(1)])
        let text = try page([record])
        #expect(
            text.contains(
                "<th scope=\"col\">Cleaner</th><th scope=\"col\">Dirtiest</th><th scope=\"col\">Before</th>"))
        #expect(text.contains("<td>3,00 kWh</td><td>2,00 kWh</td><td>1,00 kWh</td><td>–</td>"))
    }

    @Test func `the arithmetic has a sum, the day that a session is counted on, and words for what was more`() throws {
        let energy = Energy(milliwattHours: 10_000_000)
        func worth(_ euros: Int64, _ kilograms: Int64) -> InsightWorth {
            InsightWorth(
                costs: [Money(micros: euros * 1_000_000, currency: "EUR")], pricedEnergy: energy,
                carbon: [CarbonMass(milligrams: kilograms * 1_000_000, kind: .averageDirect, energy: energy)])
        }
        let pluggedIn = Self.now.advanced(byMilliseconds: -5 * .millisecondsPerHour)
        let session = SessionInsight(
            key: SessionKey(venueID: UUID(), sessionID: UUID()), deviceID: "car", deviceKind: .electricVehicle,
            direction: .imported, began: Self.now, last: Self.now.advanced(byMilliseconds: .millisecondsPerHour),
            isOver: true, wasFollowingGuidance: true, amount: InsightAmount(energy: energy, runtimeMilliseconds: 1),
            worth: worth(2, 4),
            baseline: SessionBaseline(
                interval: Interval(start: pluggedIn, milliseconds: .millisecondsPerHour), power: Power(kilowatts: 10),
                worth: worth(5, 3)))
        let answer = SavingsAnswer(savings: Savings([session, session]), newest: [session, session])
        let text = try page([], answer).replacing("\u{A0}", with: " ")
        #expect(text.contains("Wed 1. Jul, car: ") || text.contains("Wed 1 Jul, car: "), "\(text)")
        #expect(text.contains("from Tue 21:00 to Tue 22:00 would have cost"))
        #expect(
            text.contains("2.00 kg CO₂ more than if taken at once")
                || text.contains("2,00 kg CO₂ more than if taken at once"))
        #expect(text.contains("Together, 2 of 2 sessions: ") && text.contains("6,00 kg CO₂ at once, "))
        #expect(text.contains("8,00 kg CO₂ as it was."))
    }
}

extension Timestamp {
    fileprivate init?(iso text: String) {
        guard let date = ISO8601DateFormatter().date(from: text) else { return nil }
        self.init(unixMilliseconds: Int64(date.timeIntervalSince1970 * 1_000))
    }
}
