import EnergyModel
import EnergyStore
import EnergyTestSupport
import Testing

struct QuarterTallyTests {
    @Test(arguments: UInt64(0)..<50)
    func `buckets add up to the same in whatever order they come`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let classes = [InsightClass.unknown, InsightClass(cleanliness: .avoid, peak: .onPeak)]
        let added = (0..<40).map { _ in
            QuarterTally(
                key: QuarterClass(
                    quarter: .random(in: 0..<9, using: &random), class: classes.randomElement(using: &random)!),
                tally: InsightTally(
                    amount: InsightAmount(
                        energy: Energy(milliwattHours: .random(in: 1...9, using: &random)), runtimeMilliseconds: 1)))
        }
        func joined(_ added: [QuarterTally]) -> [QuarterTally] {
            added.reduce(into: []) { $0.add($1.tally, to: $1.key) }.joined()
        }
        let sums = Dictionary(added.map { ($0.key, $0.tally) }, uniquingKeysWith: +)
        #expect(joined(added) == sums.sorted { $0.key < $1.key }.map { QuarterTally(key: $0, tally: $1) })
        #expect(joined(added) == joined(added.shuffled(using: &random)))
    }
}
