import EnergyModel
import EnergyWire
import Foundation
import Testing

@testable import EnergyCommands

struct GuidanceViewTests {
    private func lines(_ style: Style = .plain, _ guidance: Guidance = Samples.guidance()) -> [String] {
        GuidanceView(guidance: guidance, venue: Samples.home, now: Samples.now, style: style).lines()
    }

    @Test func `the heading says where, what, when, from what and how old`() {
        #expect(
            lines().prefix(7) == [
                "Home · shift · Sat 21 Nov 2026 08:00 – Sun 22 Nov 08:00",
                "Now Good (0.00) until 16:00, in 7 h 40 min; then Fair.",
                "08:00 ▁▁▂▂▂▂▃▃▃▄▄▄▅▅▅▅▆▆▆▇▇▇▇█ 08:00",
                "source climatology (average, forecast) · method rank-1, price counts 50 %",
                "issued 12 min ago · token \(Samples.id(100).text)",
                "not used: eia: no key", "",
            ])
    }

    @Test func `each interval is a line with rating, bar, word, carbon and price, under its day`() {
        let table = Array(lines().dropFirst(7).prefix(19))
        let style = Style.plain
        #expect(table[0] == "   time   rating                                           g/kWh  EUR/kWh")
        #expect(table[1] == "Sat 21 Nov")
        #expect(table[2] == ">  08:00    0.00  \(style.bar(0, cells: 32))  Good     100    0.243")
        #expect(table[10] == "   16:00    0.33  \(style.bar(8.0 / 24, cells: 32))  Fair     180    0.251")
        #expect(table[17] == "   23:00    0.63  \(style.bar(15.0 / 24, cells: 32))  Avoid    250    0.258")
        #expect(table[18] == "Sun 22 Nov")
    }

    @Test(arguments: 24...200)
    func `no line is wider than the terminal`(width: Int) {
        for hasUnicode in [true, false] {
            let style = Style(hasColor: false, hasUnicode: hasUnicode, width: width)
            for line in lines(style) { #expect(TerminalText.width(line) <= width || !line.contains(" "), "\(line)") }
        }
    }

    @Test func `where the locale has no blocks the ratings are a line of ASCII`() {
        let line = lines(Style(hasColor: false, hasUnicode: false, width: 80))[2]
        #expect(line.hasPrefix("08:00 __..") && line.hasSuffix("*# 08:00"), "\(line)")
    }

    @Test func `colour changes nothing but colour`() {
        let colored = lines(Style(hasColor: true, hasUnicode: true, width: nil)).joined(separator: "\n")
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == lines().joined(separator: "\n"))
    }

    @Test func `the hour that clocks repeat has two different lines`() {
        let guidance = Samples.guidance(start: Samples.time("2026-10-24T22:00:00Z"), hours: 25)
        let text = lines(.plain, guidance).joined(separator: "\n")
        #expect(text.contains("02:00 (+02:00)") && text.contains("02:00 (+01:00)"))
    }

    @Test func `guidance that is over says so`() {
        let old = Samples.guidance(start: Samples.time("2026-11-19T07:00:00Z"))
        #expect(lines(.plain, old)[1] == "This guidance is out of date: it says nothing about now.")
    }

    @Test func `without prices there is no column of them`() {
        let value = GuidanceValue(interval: Samples.guidance().values[0].interval, rating: 0.5)
        let guidance = Guidance(
            token: Samples.id(3), venueID: Samples.home.id, action: .shift, interval: value.interval, values: [value],
            locationHasRatePlan: false, incorporatesRatePlan: false, issued: Samples.now,
            basis: GuidanceBasis(source: "x", kind: .marginal, method: "m"))
        #expect(!lines(.plain, guidance).joined().contains("price"))
        #expect(lines(.plain, guidance)[1] == "Now Fair (0.50), and so to the end.")
    }
}

struct EventLineTests {
    @Test(arguments: [
        (Samples.load(.begin, power: 0, energy: 0), "Model Y: charging begins, 56 % full, follows guidance"),
        (Samples.load(.active), "Model Y: charges with 7.20 kW, 12.34 kWh so far, 56 % full"),
        (Samples.load(.active, direction: .exported), "Model Y: feeds back 7.20 kW, 12.34 kWh so far, 56 % full"),
        (Samples.load(.end), "Model Y: charging ends after 12.34 kWh, 56 % full"),
        (Samples.stage(0, .begin), "Heat pump: heating or cooling begins, does not follow guidance"),
        (Samples.stage(60), "Heat pump: runs at 60 %"), (Samples.stage(0), "Heat pump: pauses"),
        (Samples.stage(0, .end), "Heat pump: heating or cooling ends"),
        (Samples.status(.pluggedIn), "Model Y: plugged in, 56 % full"),
        (
            Samples.status(.idle(.waitingForCleanerEnergy)),
            "Model Y: does not charge (waiting for cleaner energy), 56 % full"
        ),
        (
            Samples.status(
                .active(.scheduledStart),
                target: ChargingTarget(
                    stateOfCharge: 80, estimatedCompletion: Samples.time("2026-11-22T05:30:00Z"),
                    scheduledStart: Samples.now)),
            "Model Y: may charge (scheduled start), 56 % full, 80 % expected by Sun 22 Nov 06:30"
        ),
    ])
    func `every event is a sentence`(event: Event, sentence: String) {
        #expect(EventLine(event: event, zone: Samples.berlin).sentence() == sentence)
        #expect(EventLine(event: event, zone: Samples.berlin).text() == "Sat 21 Nov 08:20:00  \(sentence)")
    }
}

struct InsightTableTests {
    private func lines(_ records: [InsightRecord], _ granularity: Granularity = .daily) -> [String] {
        InsightTable(records: records, granularity: granularity, venue: Samples.home, style: .plain).lines()
    }

    @Test func `periods, their splits and the sum`() {
        #expect(
            lines([Samples.day(19, energy: 10_000_000), Samples.day(21, energy: 12_345_678)]) == [
                "period             kWh  run time  cleaner  avoid  off-peak  on-peak",
                "Thu 19 Nov 2026  10.00      1:00     7.50   2.50      7.50     2.50",
                "Sat 21 Nov 2026  12.35      1:00     9.26   3.09      9.26     3.09",
                "───────────────────────────────────────────────────────────────────",
                "total            22.35      2:00    16.76   5.59     16.76     5.59",
            ])
    }

    @Test func `rounded parts sum to the rounded whole`() throws {
        // 0.335 + 0.335 + 0.335 kWh: each part alone would be shown as 0.34, the whole is 1.01 (1.005).
        let day = Samples.day(19, energy: 4)
        let third = InsightAmount(energy: Energy(milliwattHours: 335_000), runtimeMilliseconds: 1_000)
        let record = InsightRecord(
            interval: day.interval, total: third + third + third,
            byCleanliness: [.cleaner: third, .lessClean: third, .avoid: third], byTariff: nil)
        let cells = try #require(lines([record]).dropFirst().first).split(separator: " ").compactMap { Double($0) }
        #expect(cells.suffix(4).first == 1.01)
        #expect(abs(cells.suffix(3).reduce(0, +) - 1.01) < 0.001, "\(cells)")
    }

    @Test func `hours stand under their day`() {
        var record = Samples.day(19, energy: 1_000_000, split: false)
        record.interval = Interval(start: record.interval.start, milliseconds: .millisecondsPerHour)
        #expect(lines([record], .hourly).prefix(3) == ["hour    kWh  run time", "Thu 19 Nov", "00:00  1.00      1:00"])
    }

    @Test(arguments: [
        (Granularity.weekly, "Thu 19 Nov – Thu 19 Nov 2026"), (.monthly, "Nov 2026"), (.yearly, "2026"),
    ])
    func `longer periods have their own names`(granularity: Granularity, name: String) {
        #expect(lines([Samples.day(19, energy: 1_000_000)], granularity)[1].hasPrefix(name))
    }

    @Test func `sums stop at the largest number`() {
        let record = InsightRecord(
            interval: Samples.day(19, energy: 1).interval,
            total: InsightAmount(energy: Energy(milliwattHours: .max), runtimeMilliseconds: .max))
        #expect(InsightTotals.sum([record, record]).total.energy.milliwattHours == .max)
    }

    @Test func `nothing is said to be nothing`() { #expect(lines([]) == ["No energy was used in this time."]) }
}

struct UseSparklinesTests {
    private func lines(_ records: [InsightRecord], _ style: Style = .plain) -> [String] {
        let range = Interval(start: Samples.day(18, energy: 1).interval.start, milliseconds: 4 * .millisecondsPerDay)
        let query = InsightQuery(venueID: Samples.home.id, deviceID: nil, range: range, granularity: .daily)
        return UseSparklines(records: records, query: query, venue: Samples.home, style: style).lines()
    }

    private let records = [Samples.day(19, energy: 5_000_000), Samples.day(21, energy: 10_000_000)]

    @Test func `days without use are there too, and the most is said`() {
        #expect(lines(records) == ["kWh  ▁▅▁█  most: 10.00 kWh, Sat 21 Nov 2026"])
        #expect(
            lines(records, Style(hasColor: false, hasUnicode: false, width: 80)) == [
                "kWh  _=_#  most: 10.00 kWh, Sat 21 Nov 2026"
            ])
    }

    @Test func `each part has a line, by its own measure`() {
        var (car, pump) = (records[0], records[1])
        (car.deviceID, car.deviceKind) = ("car-1", .electricVehicle)
        (pump.deviceID, pump.deviceKind, pump.isMeasured) = ("heat pump in the cellar", .hvac, false)
        #expect(
            lines([car, pump]) == [
                "car-1             ▁█▁▁  most: 5.00 kWh, Thu 19 Nov 2026",
                "heat pump in th…  ▁▁▁█  most: 1:00 h, Sat 21 Nov 2026",
            ])
    }

    @Test(arguments: 24...120) func `no line is wider than the terminal`(width: Int) {
        for line in lines(records, Style(hasColor: false, hasUnicode: true, width: width)) {
            #expect(TerminalText.width(line) <= width && line.contains("█"), "\(line)")
        }
    }

    @Test func `of nothing there is nothing to show`() {
        #expect(lines([]) == [])
    }
}

struct ScheduleViewTests {
    @Test func `a plan has its goal, its explanation and a reason for each block`() {
        let view = ScheduleView(
            schedule: Samples.schedule(), deviceName: "Model Y", venue: Samples.home, now: Samples.now, style: .plain)
        #expect(
            view.lines() == [
                "Model Y (car-1) · 22.00 kWh by Sat 21 Nov 11:00", "Waits for the sun at noon.",
                "plan 3, 0 s old · 22.00 of 22.00 kWh planned",
                "   from   to        kW    kWh  rating         why", "Sat 21 Nov",
                ">  08:00  09:00      -           0.80  Avoid  waits for cleaner energy",
                "   09:00  10:00  11.00  11.00    0.20  Good   runs: cleaner energy",
                "   10:00  11:00  11.00  11.00    0.50  Fair   runs: lower rates",
            ])
    }

    @Test func `what is over within the minute is no line`() {
        let (whole, now) = (Samples.schedule(), Samples.now)
        func block(_ start: Int64, _ seconds: Int64) -> ScheduleBlock {
            let interval = Interval(start: now.advanced(byMilliseconds: start * 1000), milliseconds: seconds * 1000)
            return ScheduleBlock(
                interval: interval, power: .zero, stageMax: 100, energy: .zero, rating: 0.5,
                reason: seconds < 60 ? .cleanerEnergy : .targetReached)
        }
        let schedule = Schedule(
            id: whole.id, venueID: whole.venueID, deviceID: whole.deviceID, goal: whole.goal, revision: 1,
            planned: now, guidanceToken: nil, blocks: [block(0, 25), block(25, 3_600)], required: .zero,
            plannedEnergy: .zero, explanation: "")
        let view = ScheduleView(
            schedule: schedule, deviceName: nil, venue: Samples.home, now: now, style: .plain)
        let rows = view.lines().filter { $0.contains("08:20") }
        #expect(rows.count == 1 && rows[0].hasPrefix(">") && rows[0].contains("target reached"))
    }

    @Test(arguments: [0.5, 0.9]) func `the grid is called worse only at a time when it is`(rating: Double) {
        let (whole, now) = (Samples.schedule(), Samples.now)
        let blocks = [(0.5, ScheduleReason.lowerRates), (rating, .supplying)].enumerated().map { hour, block in
            ScheduleBlock(
                interval: Interval(
                    start: now.advanced(byMilliseconds: Int64(hour) * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour), power: Power(kilowatts: 1), stageMax: 100, energy: .zero,
                rating: block.0, reason: block.1, isDischarging: block.1 == .supplying)
        }
        let schedule = Schedule(
            id: whole.id, venueID: whole.venueID, deviceID: whole.deviceID, goal: whole.goal, revision: 1,
            planned: now, guidanceToken: nil, blocks: blocks, required: .zero, plannedEnergy: .zero, explanation: "")
        let view = ScheduleView(schedule: schedule, deviceName: nil, venue: Samples.home, now: now, style: .plain)
        #expect(view.lines().contains { $0.contains("gives: in place of the grid") })
        #expect(view.lines().contains { $0.contains("which is worse then") } == (rating > 0.5))
    }

    @Test(arguments: ScheduleReason.allCases)
    func `every reason has words`(reason: ScheduleReason) { #expect(!ScheduleView.words(reason).isEmpty) }
}
