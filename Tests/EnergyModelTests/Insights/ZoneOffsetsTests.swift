import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

struct ZoneOffsetsTests {
    @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Kolkata", "UTC"])
    func `a local day ends where the calendar says, also beside a change of the clocks`(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let (offsets, days) = (ZoneOffsets.of(zone), CalendarPeriods(.daily, timeZone: zone))
        // 2018: Brazil still changed its clocks, at midnight.
        let start = Timestamp(unixMilliseconds: 1_514_764_800_000)
        var last: (number: Int64, end: Timestamp)?
        for step in Int64(0)..<2_000 {
            let instant = start.advanced(byMilliseconds: step * 7 * .millisecondsPerHour + step)
            let day = offsets.day(at: instant)
            #expect(day.end == days.period(containing: instant).end)
            #expect(day.number == offsets.dayNumber(at: instant))
            if let last { #expect(day.number - last.number == (instant < last.end ? 0 : 1)) }
            last = day
        }
    }
}
