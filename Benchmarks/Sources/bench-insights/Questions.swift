import EnergyModel
import Foundation
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

    /// The times of whole answers, all pages of them, sorted.
    func measure(_ granularity: Granularity, _ range: Interval, rounds: Int, split: Bool) async throws -> [Double] {
        var times: [Double] = []
        for round in 0..<rounds {
            var query = query(round * 37 % household.deviceCount, granularity, range)
            (query.byCleanliness, query.byTariff) = (split, split)
            var count = 0
            let clock = ContinuousClock()
            let start = clock.now
            try await service.answer(query) { (page) async throws(EnergyError) in count += page.records.count }
            times.append(Double((clock.now - start) / .microseconds(1)) / 1_000)
            guard count > 0 else { throw Failure(description: "no records") }
        }
        return times.sorted()
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
}

extension [Double] {
    func percentile(_ share: Double) -> Double { self[Swift.min(count - 1, Int((Double(count) * share).rounded(.up)))] }
}
