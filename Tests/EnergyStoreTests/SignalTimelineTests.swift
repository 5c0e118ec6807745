import EnergyModel
import EnergyStore
import EnergyTestSupport
import Testing

/// Corrections of any length, in any order, held against a list with a value for each quarter of an hour.
@Suite struct SignalTimelineTests {
    private static let quarter = 15 * Int64.millisecondsPerMinute
    private static let start = GuidanceStoreConformance.start

    private static func record(from first: Int, to end: Int, _ value: Int) -> SignalRecord {
        SignalRecord(
            interval: Interval(
                start: start.advanced(byMilliseconds: Int64(first) * quarter),
                milliseconds: Int64(end - first) * quarter),
            value: Double(value), isEstimated: false, kind: .averageDirect, cleanliness: .unknown, source: "a")
    }

    private static func quarters(_ records: [SignalRecord]) -> [Int: Double] {
        var result: [Int: Double] = [:]
        for record in records {
            let first = Int(record.interval.start.milliseconds(since: start) / quarter)
            for index in first..<first + Int(record.interval.milliseconds / quarter) {
                #expect(result[index] == nil, "records overlap")
                result[index] = record.value
            }
        }
        return result
    }

    @Test(arguments: UInt64(0)..<100)
    func `the last correction of each time counts, and what was known when it happened stays`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var entries: [SignalTimeline.Entry] = []
        func take(_ records: [SignalRecord], learned quarters: Int) {
            let learned = Self.start.advanced(byMilliseconds: Int64(quarters) * Self.quarter)
            let change = SignalTimeline.change(to: entries, recording: records, learned: learned)
            entries.removeAll { change.removed.contains($0) }
            entries += change.added
        }
        // Some hours were expected before they came.
        take((0..<6).map { Self.record(from: $0 * 8, to: $0 * 8 + 4, 9) }, learned: 0)
        let known = Self.quarters(SignalTimeline.select(entries, revision: .whenItHappened))
        var newest = known
        for _ in 0..<30 {
            let first = Int.random(in: 0..<47, using: &random)
            let end = Int.random(in: first + 1...min(48, first + 12), using: &random)
            let value = Int.random(in: 1...3, using: &random)
            for index in first..<end { newest[index] = Double(value) }
            take([Self.record(from: first, to: end, value)], learned: 48)
            #expect(Self.quarters(SignalTimeline.select(entries, revision: .newest)) == newest)
            // Said again, it changes nothing.
            let before = entries
            take([Self.record(from: first, to: end, value)], learned: 49)
            #expect(entries == before)
        }
        #expect(Self.quarters(SignalTimeline.select(entries, revision: .whenItHappened)) == known)
        let keys = entries.map { "\($0.record.interval.start) \($0.revision)" }
        #expect(Set(keys).count == keys.count, "a store finds an entry by its start and revision")
    }
}
