import EnergyModel
import Foundation
import Glibc
import Insights

/// What is asked, and how long the answers take.
struct Questions {
    let service: InsightService
    let household: Household

    /// From a local New Year to the next.
    func year(_ year: Int) -> Interval {
        let periods = CalendarPeriods(.yearly, timeZone: Household.timeZone)
        return periods.period(
            containing: Household.start.advanced(byMilliseconds: Int64(year * 365 + 100) * .millisecondsPerDay))
    }

    func query(_ device: Int, _ granularity: Granularity, _ range: Interval) -> InsightQuery {
        InsightQuery(
            venueID: household.venueID(device), deviceID: household.deviceID(device), range: range,
            granularity: granularity, exactRange: true)
    }

    func records(_ query: InsightQuery) async throws -> [InsightRecord] {
        var records: [InsightRecord] = []
        try await service.answer(query) { (page) async throws(EnergyError) in records += page.records }
        return records
    }

    /// Milliseconds of whole answers, all pages of them, sorted: by the clock, and of the processor, for which nobody waits.
    struct Answers {
        var times: [Double]
        var processor: [Double]
    }

    private static let unmeasured = 20

    func measure(_ granularity: Granularity, _ range: Interval, rounds: Int, split: Bool) async throws -> Answers {
        var (times, processor): ([Double], [Double]) = ([], [])
        // The first answers also pay for memory and statements that a service that runs has already.
        for round in -Self.unmeasured..<rounds {
            var query = query(abs(round) * 37 % household.deviceCount, granularity, range)
            (query.byCleanliness, query.byTariff) = (split, split)
            var count = 0
            let clock = ContinuousClock()
            let (start, begin) = (clock.now, processorSeconds())
            try await service.answer(query) { (page) async throws(EnergyError) in count += page.records.count }
            guard count > 0 else { throw Failure(description: "no records") }
            guard round >= 0 else { continue }
            processor.append((processorSeconds() - begin) * 1_000)
            times.append(Double((clock.now - start) / .microseconds(1)) / 1_000)
        }
        return Answers(times: times.sorted(), processor: processor.sorted())
    }
}

/// Of all threads of the process.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

struct Failure: Error, CustomStringConvertible {
    let description: String
}

extension [Double] {
    func percentile(_ share: Double) -> Double { self[Swift.min(count - 1, Int((Double(count) * share).rounded(.up)))] }
}
