import EnergyModel
import EnergyTestSupport
import Foundation
import Insights
import Synchronization

/// Classes that change at odd times, with gaps, the same for everybody who asks with the same seed.
struct RandomSignals: SignalSource {
    let seed: UInt64

    /// Made by the day of UTC, so that whoever asks for other days is told the same of each moment.
    func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        var signals: [SignalInterval] = []
        var start = interval.start.floored(toMilliseconds: .millisecondsPerDay)
        while start < interval.end {
            let day = Interval(start: start, milliseconds: .millisecondsPerDay)
            signals += self.day(day).compactMap { signal in
                signal.interval.intersection(interval).map { signal.with(interval: $0) }
            }
            start = day.end
        }
        return signals
    }

    private func day(_ interval: Interval) -> [SignalInterval] {
        var random = SplitMix64(seed: seed ^ UInt64(bitPattern: interval.start.unixMilliseconds))
        var signals: [SignalInterval] = []
        var start = interval.start
        while start < interval.end {
            let length = Int64.random(in: 1...(4 * .millisecondsPerHour), using: &random)
            let end = min(interval.end, start.advanced(byMilliseconds: length))
            if let interval = Interval(start: start, end: end), !Int.random(in: 0..<5, using: &random).isMultiple(of: 5)
            {
                let prices: [Int64?] = [nil, -17_001, 0, 299_999, 1_234_567]
                let price = (prices.randomElement(using: &random) ?? nil).map(Price.init(microsPerKilowattHour:))
                let isCarbonKnown = Int.random(in: 0..<4, using: &random) > 0
                signals.append(
                    SignalInterval(
                        interval: interval,
                        carbonIntensity: isCarbonKnown ? Double.random(in: 0...900, using: &random) : nil,
                        kind: [.marginal, .averageDirect].randomElement(using: &random) ?? .marginal, price: price,
                        currency: price == nil ? nil : ["EUR", "USD"].randomElement(using: &random),
                        cleanliness: Cleanliness.allCases.randomElement(using: &random) ?? .unknown,
                        peak: TariffPeak.allCases.randomElement(using: &random) ?? .unknown, isEstimated: false,
                        source: "test", exportPrice: price))
            }
            start = end
        }
        return signals
    }
}

/// Says nothing until it knows, or fails as it is told.
final class LateSignals: SignalSource {
    private struct State {
        var isKnown: Bool
        var answer: Result<[SignalInterval], EnergyError>?
    }
    private let source: any SignalSource
    private let state: Mutex<State>

    init(_ source: any SignalSource, known: Bool) {
        self.source = source
        state = Mutex(State(isKnown: known))
    }

    func know() { state.withLock { $0.isKnown = true } }
    func answer(_ answer: Result<[SignalInterval], EnergyError>?) { state.withLock { $0.answer = answer } }

    func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        let (isKnown, answer) = state.withLock { ($0.isKnown, $0.answer) }
        if let answer { return try answer.get() }
        return isKnown ? try await source.history(venueID: venueID, interval: interval) : []
    }
}

/// Answers what it is told, and counts how often it is asked.
final class ScriptedSignals: SignalSource {
    private struct State {
        var answer: Result<[SignalInterval], EnergyError> = .success([])
        var calls = 0
    }
    private let state = Mutex(State())

    var calls: Int { state.withLock { $0.calls } }

    func answer(_ answer: Result<[SignalInterval], EnergyError>) { state.withLock { $0.answer = answer } }

    func history(venueID: UUID, interval: Interval) async throws(EnergyError) -> [SignalInterval] {
        let answer = state.withLock { state in
            state.calls += 1
            return state.answer
        }
        return try answer.get()
    }
}

final class ScriptedVenues: VenueSource {
    private struct State {
        var answer: Result<TimeZone, EnergyError>
        var calls = 0
    }
    private let state: Mutex<State>

    init(_ zone: String = "UTC") { state = Mutex(State(answer: .success(TimeZone(identifier: zone) ?? .gmt))) }

    var calls: Int { state.withLock { $0.calls } }

    func answer(_ answer: Result<TimeZone, EnergyError>) { state.withLock { $0.answer = answer } }

    func venue(id: UUID) async throws(EnergyError) -> Venue {
        let answer = state.withLock { state in
            state.calls += 1
            return state.answer
        }
        return Venue(
            id: id, name: "Home", timeZone: try answer.get(), region: "CISO", changed: Timestamp(unixMilliseconds: 0))
    }
}

/// A time of day that a test sets.
final class SteppedWallClock: WallClock {
    private let time: Mutex<Timestamp>
    init(_ now: Timestamp) { time = Mutex(now) }
    var now: Timestamp { time.withLock { $0 } }
    func advance(byMilliseconds milliseconds: Int64) {
        time.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
    }
}

extension SignalInterval {
    func with(interval: Interval) -> SignalInterval {
        SignalInterval(
            interval: interval, carbonIntensity: carbonIntensity, kind: kind, price: price, currency: currency,
            cleanliness: cleanliness, peak: peak, isEstimated: isEstimated, source: source, exportPrice: exportPrice)
    }

    func with(priceMicros: Int64) -> SignalInterval {
        SignalInterval(
            interval: interval, carbonIntensity: carbonIntensity, kind: kind,
            price: Price(microsPerKilowattHour: priceMicros), currency: currency, cleanliness: cleanliness, peak: peak,
            isEstimated: isEstimated, source: source, exportPrice: exportPrice)
    }

    static func sample(_ interval: Interval, _ cleanliness: Cleanliness, _ peak: TariffPeak) -> SignalInterval {
        SignalInterval(
            interval: interval, carbonIntensity: 300, kind: .averageLifecycle,
            price: Price(microsPerKilowattHour: 250_000), currency: "EUR", cleanliness: cleanliness, peak: peak,
            isEstimated: false, source: "test")
    }
}
