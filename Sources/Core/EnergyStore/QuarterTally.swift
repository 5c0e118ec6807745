public import EnergyModel

/// What is counted, or added to what is counted, in one bucket of a series.
public struct QuarterTally: Hashable, Sendable {
    public let key: QuarterClass
    public var tally: InsightTally

    public init(key: QuarterClass, tally: InsightTally) {
        self.key = key
        self.tally = tally
    }
}

extension [QuarterTally] {
    /// Events come mostly in the order of time, so that a bucket is mostly the last or the next: nothing is looked up.
    /// What comes in another order is put right by ``joined()``.
    public mutating func add(_ tally: InsightTally, to key: QuarterClass) {
        if let last = indices.last, self[last].key == key {
            self[last].tally += tally
        } else {
            append(QuarterTally(key: key, tally: tally))
        }
    }

    /// Sorted, each bucket once.
    public func joined() -> [QuarterTally] {
        guard !zip(self, dropFirst()).allSatisfy({ $0.key < $1.key }) else { return self }
        return sorted { $0.key < $1.key }.reduce(into: []) { $0.add($1.tally, to: $1.key) }
    }
}
