internal import EnergyModel
internal import EnergyStore

/// One page of records after the other, in the same place: making each anew takes as long as adding up what is in it.
struct RecordPage {
    private(set) var records: [InsightRecord] = []
    /// What every record says.
    private let empty: InsightRecord
    private let countMax: Int

    init(like empty: InsightRecord, countMax: Int) {
        (self.empty, self.countMax) = (empty, countMax)
    }

    /// Takes the entries of at most as many periods as a page has.
    mutating func fill(from rest: inout ArraySlice<InsightTotals.Entry>, _ grid: PeriodGrid) {
        let room = min(rest.count, countMax)
        if records.count < room { records += repeatElement(empty, count: room - records.count) }
        var (count, place) = (0, rest.startIndex)
        while place < rest.endIndex, count < room {
            let (begin, first) = (place, rest[place])
            repeat { place += 1 } while place < rest.endIndex && rest[place].period == first.period
            let interval = grid.period(Int(first.period))
            if place - begin == 1 {
                records[count].fill(interval, first.tally, first.class)
            } else {
                records[count].fill(interval, rest[begin..<place].map { (key: $0.class, value: $0.tally) })
            }
            count += 1
        }
        rest = rest[place...]
        records.removeLast(records.count - count)
    }
}
