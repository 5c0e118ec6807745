import EnergyModel
import EnergyTestSupport
import Foundation
import Testing

struct SavingsTests {
    private static let energy = Energy(milliwattHours: 10_000_000)

    private func worth(_ micros: Int64?, _ milligrams: Int64, _ kind: SignalKind) -> InsightWorth {
        InsightWorth(
            costs: micros.map { [Money(micros: $0, currency: "EUR")] } ?? [],
            pricedEnergy: micros == nil ? .zero : Self.energy,
            carbon: [CarbonMass(milligrams: milligrams, kind: kind, energy: Self.energy)])
    }

    /// It saved 3 of 5 EUR, if its price is known, and 1 of 4 g.
    private func session(
        _ kind: SignalKind = .marginal, device: Device.Kind = .electricVehicle, direction: FlowDirection = .imported,
        energy: Energy = energy, isPriced: Bool = true, hasBaseline: Bool = true
    ) throws -> SessionInsight {
        let power = try Power(milliwatts: 10_000_000)
        let baseline = SessionBaseline(
            interval: Interval(start: EventSamples.now, milliseconds: .millisecondsPerHour), power: power,
            worth: worth(isPriced ? 5_000_000 : nil, 4_000, kind))
        return SessionInsight(
            key: SessionKey(venueID: EventSamples.venueID, sessionID: UUID()), deviceID: "car", deviceKind: device,
            direction: direction, began: EventSamples.now, last: EventSamples.now, isOver: true,
            wasFollowingGuidance: true, amount: InsightAmount(energy: energy, runtimeMilliseconds: 0),
            worth: worth(isPriced ? 2_000_000 : nil, 3_000, kind), baseline: hasBaseline ? baseline : nil)
    }

    @Test func `kinds of carbon are saved each by itself`() throws {
        let savings = Savings([try session(), try session(.averageDirect), try session()])
        #expect(savings.costs == [Money(micros: 9_000_000, currency: "EUR")])
        #expect(savings.carbon.map(\.kind) == [.averageDirect, .marginal])
        #expect(savings.carbon.map(\.milligrams) == [1_000, 2_000])
    }

    @Test func `what is not known to be saved is counted as such`() throws {
        let savings = Savings([try session(), try session(isPriced: false), try session(hasBaseline: false)])
        #expect((savings.sessionCount, savings.comparedCount) == (3, 2))
        #expect((savings.withoutBaseline, savings.withoutPrice, savings.withoutCarbon) == (1, 1, 0))
    }

    /// An hour, and its baseline of as long: a millionth for each quarter of an hour that they touch is rounding.
    @Test(arguments: [(Int64(1), Int64(-1)), (-12, 12), (13, -13), (-4_000, 20)])
    func `what rounding makes of the same price is no saving`(micros: Int64, milligrams: Int64) throws {
        let hour = Interval(start: EventSamples.now, milliseconds: .millisecondsPerHour)
        let terms = InsightClass(
            cleanliness: .cleaner, peak: .offPeak, band: .good, currency: "EUR", carbonKind: .marginal)
        let tally = InsightTally(
            amount: InsightAmount(energy: Self.energy, runtimeMilliseconds: hour.milliseconds), costMicros: 2_000_000,
            carbonMilligrams: 3_000_000)
        let counted = CountedSession(
            key: SessionKey(venueID: EventSamples.venueID, sessionID: UUID()),
            series: InsightSeries(
                venueID: EventSamples.venueID, deviceID: "car", kind: .electricVehicle, direction: .imported),
            began: hour.start, timestamp: hour.end, energy: Self.energy, powerMilliwatts: nil, isRunning: false,
            isOver: true, tallies: [terms: tally],
            baseline: SessionBaseline(
                interval: hour, power: try Power(milliwatts: 10_000_000),
                worth: worth(2_000_000 + micros, 3_000_000 + milligrams, .marginal)))
        let session = SessionInsight(counted)
        func saved(_ difference: Int64) -> Int64 { abs(difference) <= 12 ? 0 : difference }
        #expect(session.savedMoney?.micros == saved(micros))
        #expect(session.savedCarbon?.milligrams == saved(milligrams))
        // So whoever takes one from the other says the same.
        let baseline = try #require(session.baseline?.worth.cost(ofAll: Self.energy)?.micros)
        #expect(baseline - 2_000_000 == saved(micros))
    }

    @Test func `what could not be moved, and what fed the grid, is no part of it`() throws {
        let savings = Savings([
            try session(), try session(device: .hvac), try session(direction: .exported),
            try session(energy: .zero, hasBaseline: false),
        ])
        #expect(savings.sessionCount == 1)
        #expect(savings.costs == [Money(micros: 3_000_000, currency: "EUR")])
    }
}
