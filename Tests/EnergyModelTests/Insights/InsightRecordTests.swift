import EnergyModel
import EnergyTestSupport
import Testing

struct InsightRecordTests {
    private static let currencies: [String?] = [nil, "EUR", "USD"]
    private static let kinds: [SignalKind?] = [nil, .averageDirect, .marginal]

    /// Mostly one class, sometimes many: both ways of keeping sums.
    private func classes(_ random: inout SplitMix64) -> [(InsightClass, InsightTally)] {
        (0..<[1, 1, 2, 9].randomElement(using: &random)!).map { _ in
            let energy = Int64.random(in: 0...3, using: &random)
            return (
                InsightClass(
                    cleanliness: .allCases.randomElement(using: &random)!,
                    peak: .allCases.randomElement(using: &random)!, band: .allCases.randomElement(using: &random)!,
                    currency: Self.currencies.randomElement(using: &random)!,
                    carbonKind: Self.kinds.randomElement(using: &random)!),
                InsightTally(
                    amount: InsightAmount(
                        energy: Energy(milliwattHours: energy),
                        runtimeMilliseconds: energy * .random(in: 0...1, using: &random)),
                    costMicros: .random(in: -5...5, using: &random),
                    carbonMilligrams: .random(in: 0...5, using: &random))
            )
        }
    }

    @Test(arguments: UInt64(0)..<300)
    func `a record is what its classes add up to, in whatever order they come`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let classes = classes(&random)
        let nothing = InsightRecord(
            interval: Interval(start: EventSamples.now, milliseconds: 1), total: .zero, byCleanliness: [:],
            byTariff: [:], byBand: [:])
        // Records are filled where others stood: nothing of those may stay.
        var before = nothing
        before.fill(nothing.interval, self.classes(&random).map { ($0, $1) })
        func record(_ classes: [(InsightClass, InsightTally)]) -> InsightRecord {
            var record = Bool.random(using: &random) ? nothing : before
            if classes.count == 1 {
                record.fill(nothing.interval, classes[0].1, classes[0].0)
            } else {
                record.fill(nothing.interval, classes.map { ($0, $1) })
            }
            return record
        }
        func split<Part>(_ part: (InsightClass) -> Part) -> [Part: InsightAmount] {
            classes.filter { $0.1.amount != .zero }.reduce(into: [:]) { $0[part($1.0), default: .zero] += $1.1.amount }
        }
        let sum = record(classes)
        #expect(sum == record(classes.shuffled(using: &random)))
        #expect(sum.total == classes.reduce(.zero) { $0 + $1.1.amount })
        #expect(sum.byCleanliness == split(\.cleanliness))
        #expect(sum.byTariff == split(\.peak))
        #expect(sum.byBand == split(\.band))
        #expect(
            sum
                == InsightRecord(
                    interval: sum.interval, total: sum.total, worth: sum.worth, byCleanliness: sum.byCleanliness,
                    byTariff: sum.byTariff, byBand: sum.byBand))
        for currency in Self.currencies.compactMap(\.self) {
            let costs = classes.filter { $0.0.currency == currency }.map(\.1.costMicros)
            #expect(
                sum.worth.costs.filter { $0.currency == currency }.map(\.micros)
                    == (costs.isEmpty ? [] : [costs.reduce(0, +)]))
        }
        for kind in Self.kinds.compactMap(\.self) {
            let of = classes.filter { $0.0.carbonKind == kind }.map(\.1)
            let masses =
                of.isEmpty
                ? []
                : [
                    CarbonMass(
                        milligrams: of.reduce(0) { $0 + $1.carbonMilligrams }, kind: kind,
                        energy: of.reduce(.zero) { $0 + $1.amount.energy })
                ]
            #expect(sum.worth.carbon.filter { $0.kind == kind } == masses)
        }
        #expect(
            sum.worth
                == InsightWorth(
                    costs: sum.worth.costs, pricedEnergy: sum.worth.pricedEnergy, carbon: sum.worth.carbon))
    }

    @Test func `a currency that is no ISO code is kept as it is`() {
        let odd = InsightWorth(costs: [Money(micros: 5, currency: "bits")], pricedEnergy: .zero)
        #expect(odd.costs == [Money(micros: 5, currency: "bits")])
        #expect((odd + odd).costs == [Money(micros: 10, currency: "bits")])
    }
}
