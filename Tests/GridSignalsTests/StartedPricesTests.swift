import EnergyModel
import Foundation
import Testing

@testable import GridSignals

@Suite struct StartedPricesTests {
    /// - Parameter minutes: when rows begin.
    private static func lengths(_ minutes: [Int64], unknown: Set<Int64> = []) throws -> [Int64: Int64] {
        var prices = StartedPrices()
        for minute in minutes {
            let start = Timestamp(unixMilliseconds: 1_759_266_000_000 + minute * .millisecondsPerMinute)
            try prices.append(start, unknown.contains(minute) ? nil : Decimal(minute), .perMegawattHour)
        }
        let points = prices.points
        return Dictionary(
            uniqueKeysWithValues: points.map {
                (Int64($0.value) / 1_000, $0.interval.milliseconds / .millisecondsPerMinute)
            })
    }

    @Test func `hours that become quarter-hours are each as long as they are`() throws {
        let lengths = try Self.lengths([0, 60, 120, 135, 150, 165])
        #expect(lengths == [0: 60, 60: 60, 120: 15, 135: 15, 150: 15, 165: 15])
    }

    @Test func `quarter-hours that become hours are each as long as they are`() throws {
        #expect(
            try Self.lengths([0, 15, 30, 45, 60, 120, 180]) == [
                0: 15, 15: 15, 30: 15, 45: 15, 60: 60, 120: 60, 180: 60,
            ])
    }

    @Test func `rows that are missing are a gap, and nulls too`() throws {
        #expect(try Self.lengths([0, 15, 60, 75]) == [0: 15, 15: 15, 60: 15, 75: 15])
        #expect(try Self.lengths([0, 15, 30, 45], unknown: [15]) == [0: 15, 30: 15, 45: 15])
    }

    @Test func `any order will do, and of two that begin together the later counts`() throws {
        #expect(try Self.lengths([45, 0, 30, 15, 45]) == [0: 15, 15: 15, 30: 15, 45: 15])
        var prices = StartedPrices()
        let start = Timestamp(unixMilliseconds: 0)
        try prices.append(start, 1, .perMegawattHour)
        try prices.append(start.advanced(byMilliseconds: .millisecondsPerHour), 5, .perMegawattHour)
        try prices.append(start, 2, .perMegawattHour)
        #expect(prices.points.map(\.value) == [2_000, 5_000])
    }

    @Test func `a price that stands alone holds for nobody knows how long`() throws {
        #expect(try Self.lengths([0]).isEmpty)
        #expect(try Self.lengths([]).isEmpty)
    }
}
