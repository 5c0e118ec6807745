import EnergyModel
import EnergyTestSupport
import Testing

struct SignalFillingTests {
    private static let day = Interval(start: Timestamp(unixMilliseconds: 1_800_000_000_000), milliseconds: 24)

    /// Some of 24 milliseconds, in pieces, with some of what can be known.
    private func signals(_ random: inout SplitMix64) -> [SignalInterval] {
        var result: [SignalInterval] = []
        var place = Self.day.start
        while place < Self.day.end {
            let end = min(Self.day.end, place.advanced(byMilliseconds: .random(in: 1...6, using: &random)))
            if Int.random(in: 0..<4, using: &random) > 0, let interval = Interval(start: place, end: end) {
                let price = Bool.random(using: &random)
                result.append(
                    SignalInterval(
                        interval: interval,
                        carbonIntensity: Bool.random(using: &random) ? .random(in: 0...500, using: &random) : nil,
                        kind: .marginal,
                        price: price ? Price(microsPerKilowattHour: .random(in: 0...9, using: &random)) : nil,
                        currency: price ? "EUR" : nil, cleanliness: .allCases.randomElement(using: &random)!,
                        peak: .allCases.randomElement(using: &random)!, isEstimated: false, source: "s"))
            }
            place = end
        }
        return result
    }

    @Test(arguments: UInt64(0)..<300) func `what is known stays, and the rest is what is known later`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (known, later) = (signals(&random), signals(&random))
        let filled = known.filled(from: later)
        #expect(zip(filled, filled.dropFirst()).allSatisfy { $0.interval.end <= $1.interval.start })
        for place in 0..<Self.day.milliseconds {
            let instant = Self.day.start.advanced(byMilliseconds: place)
            func at(_ signals: [SignalInterval]) -> SignalInterval? { signals.first { $0.interval.contains(instant) } }
            let (before, after, result) = (at(known), at(later), at(filled))
            #expect(result?.carbonIntensity == before?.carbonIntensity ?? after?.carbonIntensity)
            #expect(result?.price == before?.price ?? after?.price)
            #expect(result?.currency == (before?.price == nil ? after?.currency : before?.currency))
            let classes = [before, after].compactMap { $0?.cleanliness }
            #expect((result?.cleanliness ?? .unknown) == classes.first { $0 != .unknown } ?? .unknown)
            let peaks = [before, after].compactMap { $0?.peak }
            #expect((result?.peak ?? .unknown) == peaks.first { $0 != .unknown } ?? .unknown)
        }
        let isComplete = (0..<Self.day.milliseconds).allSatisfy { place in
            known.contains {
                $0.interval.contains(Self.day.start.advanced(byMilliseconds: place)) && $0.carbonIntensity != nil
                    && $0.price != nil && $0.cleanliness != .unknown
            }
        }
        #expect(known.isComplete(in: Self.day) == isComplete)
    }
}
