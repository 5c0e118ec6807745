import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

@Suite struct RatingTests {
    static let start = Timestamp(unixMilliseconds: 1_625_097_600_000)  // 2021-07-01T00:00Z

    static func window(
        _ values: [Double], prices: [Int64]? = nil, peaks: [Int: TariffPeak] = [:]
    ) -> [RatingMethod.Input] {
        values.indices.map { index in
            RatingMethod.Input(
                interval: Interval(
                    start: start.advanced(byMilliseconds: Int64(index) * .millisecondsPerHour),
                    milliseconds: .millisecondsPerHour),
                carbonIntensity: values[index], price: prices.map { Price(microsPerKilowattHour: $0[index]) },
                peak: peaks[index] ?? .unknown)
        }
    }

    /// Distinct values, few values (ties), zeros, spikes.
    static func values(_ random: inout SplitMix64) -> [Double] {
        let (count, levels) = (Int.random(in: 1...48, using: &random), Int.random(in: 1...60, using: &random))
        return (0..<count).map { _ in
            Double(Int.random(in: 0..<levels, using: &random))
                * (Int.random(in: 0..<20, using: &random) == 0 ? 1000 : 7)
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func `ratings lie in 0 to 1, equal hours are equal, cleaner hours are never worse`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values = Self.values(&random)
        for action in SuggestedAction.allCases {
            let ratings = RatingMethod().rate(Self.window(values), action: action).ratings
            #expect(ratings.count == values.count)
            #expect(ratings.allSatisfy { 0...1 ~= $0 })
            for (a, b) in zip(values.indices, values.indices.dropFirst()) {
                if values[a] == values[b] { #expect(ratings[a] == ratings[b]) }
                if values[a] < values[b] { #expect(ratings[a] < ratings[b]) }
            }
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `an affine change of the signal changes no rating`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values = Self.values(&random)
        let changed = values.map { $0 * 4 + 1024 }
        // What forecasts are off by changes with the unit, and not with the zero.
        for noise in [0, 1, 64.0] {
            for action in SuggestedAction.allCases {
                #expect(
                    RatingMethod(carbonNoise: noise).rate(Self.window(values), action: action).ratings
                        == RatingMethod(carbonNoise: noise * 4).rate(Self.window(changed), action: action).ratings)
            }
        }
        // Until it is known, a change of unit changes nothing.
        let scaled = values.map { $0 * 4 }
        #expect(
            RatingMethod().rate(Self.window(values), action: .shift).ratings
                == RatingMethod().rate(Self.window(scaled), action: .shift).ratings)
    }

    @Test(arguments: UInt64(0)..<100)
    func `with prices too, ratings lie in 0 to 1`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values = Self.values(&random)
        let prices = values.map { _ in Int64.random(in: -50_000...9_000_000_000, using: &random) }
        for weight in [0, 0.25, 0.5, 1] {
            let window = Self.window(values, prices: prices)
            let result = RatingMethod(priceWeight: weight).rate(window, action: .reduce, trailing: window)
            #expect(result.ratings.allSatisfy { 0...1 ~= $0 })
            #expect(result.priceWeight == weight)
        }
    }

    @Test(arguments: SuggestedAction.allCases)
    func `a window of equal hours is rated 0.5 throughout`(action: SuggestedAction) {
        for value in [0.0, 250] {
            let result = RatingMethod().rate(Self.window(Array(repeating: value, count: 24)), action: action)
            #expect(result.ratings == Array(repeating: 0.5, count: 24))
            #expect(result.relativeSpread == 0)
        }
        #expect(RatingMethod().rate([], action: action).ratings.isEmpty)
    }

    @Test func `a price spike of 9,000 flattens nothing`() {
        var prices = (0..<24).map { Int64($0) * 1_000 + 20_000 }
        let calm = RatingMethod(priceWeight: 1).rate(
            Self.window(Array(repeating: 300, count: 24), prices: prices), action: .shift)
        prices[23] = 9_000_000_000
        let spike = RatingMethod(priceWeight: 1).rate(
            Self.window(Array(repeating: 300, count: 24), prices: prices), action: .shift)
        #expect(calm.ratings == spike.ratings)
    }

    @Test func `negative prices are the best ones`() {
        let prices: [Int64] = [10, -500, 20, 0]
        let ratings = RatingMethod(priceWeight: 1).rate(
            Self.window([1, 2, 3, 4], prices: prices), action: .shift
        ).ratings
        #expect(ratings[1] == ratings.min())
        #expect(ratings[2] == ratings.max())
    }

    @Test func `a nearly flat window is drawn towards the middle`() {
        let flat = RatingMethod().rate(Self.window((0..<24).map { 300 + Double($0) / 8 }), action: .shift)
        #expect(flat.relativeSpread < 0.01)
        #expect(flat.ratings.allSatisfy { 0.4...0.6 ~= $0 })
        #expect(flat.ratings == flat.ratings.sorted())
    }

    @Test func `an hour without a price is rated by carbon, the others by both`() {
        var window = Self.window([1, 2, 3, 4], prices: [4, 3, 2, 1])
        window[0].price = nil
        let result = RatingMethod(priceWeight: 1).rate(window, action: .shift)
        #expect(result.priceWeight == 1)
        // The cleanest is the best, whatever it costs; among the others the cheapest.
        #expect(result.ratings[0] == result.ratings.min())
        #expect(Array(result.ratings[1...]) == result.ratings[1...].sorted(by: >))
        for index in window.indices { window[index].price = nil }
        let clean = RatingMethod(priceWeight: 1).rate(window, action: .shift)
        #expect(clean.priceWeight == 0 && clean.ratings == clean.ratings.sorted())
    }

    @Test func `a declared critical peak is the worst, however clean`() {
        let ratings = RatingMethod().rate(
            Self.window([1, 2, 3], prices: [1, 2, 3], peaks: [0: .criticalPeak]), action: .shift
        ).ratings
        #expect(ratings[0] == 1)
    }

    @Test func `hours count by their length`() {
        let hour = Int64.millisecondsPerHour
        let window = [(0, 3, 100.0), (3, 1, 200.0)].map { start, hours, value in
            RatingMethod.Input(
                interval: Interval(
                    start: Self.start.advanced(byMilliseconds: Int64(start) * hour), milliseconds: Int64(hours) * hour),
                carbonIntensity: value)
        }
        #expect(RatingMethod().rate(window, action: .shift).ratings == [0.375, 0.875])
    }

    @Test func `reduce knows days on which nothing is worth cutting`() {
        let month = Self.window((0..<28 * 24).map { 200 + Double($0 % 24) * 10 })
        let clean = Self.window((0..<24).map { 50 + Double($0) * 4 })
        let reduce = RatingMethod().rate(clean, action: .reduce, trailing: month).ratings
        let shift = RatingMethod().rate(clean, action: .shift, trailing: month).ratings
        #expect(reduce.allSatisfy { $0 < 0.1 })
        #expect(shift.contains { $0 > 0.9 })
        // Both agree on the order.
        #expect(reduce == reduce.sorted() && shift == shift.sorted())
    }

    @Test func `of a month that begins between full hours, its first and last hour count for their part`() throws {
        let points = (Int64(0)..<3).map { hour in
            SignalPoint(
                interval: Interval(
                    start: Timestamp(unixMilliseconds: hour * .millisecondsPerHour), milliseconds: .millisecondsPerHour),
                value: Double(hour), isEstimated: false)
        }
        let part = Interval(start: Timestamp(unixMilliseconds: 1_800_000), milliseconds: 7_200_000)
        let distribution = Distribution(SignalSeries(points), within: part)
        #expect(distribution.totalWeight == 7_200_000)
        #expect(distribution.quantile(0.25) == 0 && distribution.quantile(0.75) == 1)
    }

    @Test func `cleanliness is judged against the trailing month`() throws {
        let month = Distribution((0..<28 * 24).map { (Double($0 % 24), Double(Int64.millisecondsPerHour)) })
        let reference = try #require(CleanlinessReference(trailing: month))
        #expect(CleanlinessReference.classify(11, against: reference) == .cleaner)
        #expect(CleanlinessReference.classify(12, against: reference) == .lessClean)
        #expect(CleanlinessReference.classify(23, against: reference) == .avoid)
        #expect(CleanlinessReference.classify(0, against: reference, isCriticalPeak: true) == .avoid)
        #expect(CleanlinessReference.classify(nil, against: reference) == .unknown)
        #expect(CleanlinessReference.classify(5, against: nil) == .unknown)
        #expect(CleanlinessReference(trailing: Distribution([(1, 6 * Double(Int64.millisecondsPerDay))])) == nil)
    }
}
