import ArgumentParser
import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

struct TimeExpressionTests {
    // In Berlin it is 08:20 on Saturday 21 November 2026.
    private let now = Samples.now

    @Test(arguments: [
        ("now", "2026-11-21T08:20:00+01:00"), ("07:00", "2026-11-22T07:00:00+01:00"),
        ("9:15", "2026-11-21T09:15:00+01:00"), ("tomorrow 07:00", "2026-11-22T07:00:00+01:00"),
        ("today 07:00", "2026-11-21T07:00:00+01:00"), ("tomorrow", "2026-11-22T00:00:00+01:00"),
        ("2026-12-24", "2026-12-24T00:00:00+01:00"), ("2026-06-24 18:30", "2026-06-24T18:30:00+02:00"),
        ("2026-06-24T18:30:15", "2026-06-24T18:30:15+02:00"), ("2026-11-22T06:00Z", "2026-11-22T07:00:00+01:00"),
        ("2026-11-22T06:00-05:00", "2026-11-22T12:00:00+01:00"), ("8h", "2026-11-21T16:20:00+01:00"),
        ("1w", "2026-11-28T08:20:00+01:00"), ("mon 07:00", "2026-11-23T07:00:00+01:00"),
        ("Friday 16:00", "2026-11-27T16:00:00+01:00"), ("sat 09:00", "2026-11-21T09:00:00+01:00"),
        ("sat 08:20", "2026-11-28T08:20:00+01:00"), ("sun", "2026-11-22T00:00:00+01:00"),
    ])
    func `what lies ahead`(text: String, expected: String) throws {
        let expression = try #require(TimeExpression(text))
        let time = expression.timestamp(now: now, in: Samples.berlin, toward: .future)
        #expect(time.iso8601(in: Samples.berlin) == expected)
    }

    private func goal(_ readyBy: String, _ more: [String]) async throws -> GoalOptions {
        let arguments = ["schedule", "preview", "--device", "car-1", "--soc", "80", "--ready-by", readyBy] + more
        return try #require(try await RootCommand.asyncParseAsRoot(arguments) as? ScheduleCommand.Preview).goal
    }

    @Test func `a deadline that repeats keeps the time that was typed, also where its first day skips it`() async throws
    {
        let options = try await goal("02:30", ["--every", "daily"])
        let draft = try options.draft(Samples.cabin, now: Samples.time("2027-03-13T12:00:00-08:00"))
        #expect(draft.weekly?.minuteOfDay == 150)
    }

    @Test(arguments: ["2027-03-14", "2027-03-14T02:30", "2027-03-14T02:30-08:00", "tomorrow 07:00", "mon 07:00"])
    func `a deadline that repeats is refused a day, which it would not keep to`(readyBy: String) async throws {
        let error = await #expect(throws: (any Error).self) { try await goal(readyBy, ["--every", "mon-fri"]) }
        let text = error.map { RootCommand.message(for: $0) } ?? ""
        #expect(text.contains("--every repeats at a time of day: say --ready-by 07:00"), "\(text)")
    }

    @Test(arguments: ["today 7:00", "mon  07:00", "saturday  ", "2026-02-30"])
    func `a day that a goal leaves out is a date`(text: String) async {
        let error = await #expect(throws: (any Error).self) {
            try await goal("07:00", ["--every", "daily", "--except", text])
        }
        #expect(error.map { RootCommand.message(for: $0) }?.contains("is no date") == true)
    }

    // Skipped: 02:00 to 03:00 on 14 March 2027, 01:59:59 is followed by 03:00. Twice: 01:00 to 02:00 on 7 November.
    @Test(arguments: [
        ("2027-03-13T12:00:00-08:00", "02:30", "2027-03-14T03:00:00-07:00"),
        ("2027-03-13T12:00:00-08:00", "03:30", "2027-03-14T03:30:00-07:00"),
        ("2027-11-06T12:00:00-07:00", "01:30", "2027-11-07T01:30:00-07:00"),
        ("2027-11-07T01:30:00-07:00", "01:30", "2027-11-08T01:30:00-08:00"),
    ])
    func `a deadline is due once as it is weekly, on days of 23 and 25 hours too`(
        now: String, readyBy: String, due: String
    ) async throws {
        let (now, zone) = (Samples.time(now), Samples.cabin.timeZone)
        func draft(_ more: [String]) async throws -> GoalDraft {
            try await goal(readyBy, more).draft(Samples.cabin, now: now)
        }
        #expect(try await draft([]).readyBy.iso8601(in: zone) == due)
        #expect(try await draft(["--every", "daily"]).weekly?.next(after: now, in: zone)?.iso8601(in: zone) == due)
    }

    @Test(arguments: [
        ("07:00", "2026-11-21T07:00:00+01:00"), ("9:15", "2026-11-20T09:15:00+01:00"),
        ("yesterday", "2026-11-20T00:00:00+01:00"), ("yesterday 12:00", "2026-11-20T12:00:00+01:00"),
        ("mon 07:00", "2026-11-16T07:00:00+01:00"), ("sat 08:20", "2026-11-21T08:20:00+01:00"),
        ("sat 09:00", "2026-11-14T09:00:00+01:00"),
        ("2h", "2026-11-21T06:20:00+01:00"), ("30m", "2026-11-21T07:50:00+01:00"),
        // Four weeks back lies before the end of summer time: the same reading, not the same number of hours.
        ("5w", "2026-10-17T08:20:00+02:00"), ("1mo", "2026-10-21T08:20:00+02:00"),
    ])
    func `what lies behind`(text: String, expected: String) throws {
        let expression = try #require(TimeExpression(text))
        let time = expression.timestamp(now: now, in: Samples.berlin, toward: .past)
        #expect(time.iso8601(in: Samples.berlin) == expected)
    }

    @Test(arguments: [
        "", "soon", "25:00", "7", "07:60", "2026-02-30", "2026-1-1", "2026-11-22T", "2026-11-22X07:00", "0h", "-3h",
        "100000h", "1fortnight", "todays", "2026-11-22T07:00+25:00", "١٢:٠٠", "99999999999999999999d",
        "mond 07:00", "mon07:00", "mon 7", "month",
    ])
    func `what is no time is refused`(text: String) { #expect(TimeExpression(text) == nil) }

    @Test func `a month from the end of January is the end of February`() throws {
        let start = Samples.time("2026-01-31T11:00:00Z")
        let moved = try #require(TimeSpan("1mo")).moving(start, in: Samples.berlin, 1)
        #expect(moved.iso8601(in: Samples.berlin) == "2026-02-28T12:00:00+01:00")
    }
}

struct InsightPeriodsTests {
    @Test(arguments: [
        ("14d", "2026-11-08T00:00:00+01:00"), ("1d", "2026-11-21T00:00:00+01:00"),
        ("1w", "2026-11-16T00:00:00+01:00"), ("2mo", "2026-10-01T00:00:00+02:00"),
        ("1y", "2026-01-01T00:00:00+01:00"), ("24h", "2026-11-20T09:00:00+01:00"),
    ])
    func `the last periods include the present one`(text: String, expected: String) throws {
        let span = try #require(TimeSpan(text))
        let range = InsightPeriods.range(last: span, now: Samples.now, in: Samples.berlin)
        #expect(range.start.iso8601(in: Samples.berlin) == expected)
        #expect(range.end == Samples.now)
    }
}
