public import EnergyModel
public import EnergyStore
internal import Foundation

extension FrozenDayKey {
    /// `venue_id` and `day`, in days since 1970.
    public var columns: ColumnList { ColumnList([("venue_id", venueID), ("day", day)]) }
    public var day: Int64 { start.unixMilliseconds / .millisecondsPerDay }

    public init(_ row: some ColumnRow) throws(EnergyError) {
        let day: Int64 = try row["day"]
        self.init(venueID: try row["venue_id"], start: Timestamp(unixMilliseconds: day &* .millisecondsPerDay))
    }
}

extension FrozenDay {
    /// The row of the table `frozen_day`, without its key.
    public var columns: ColumnList {
        ColumnList([
            ("first_half", Int64(bitPattern: isFrozen.0)), ("second_half", Int64(bitPattern: isFrozen.1)),
            ("is_incomplete", isIncomplete), ("terms", Self.packed(terms, from: start)), ("needs_rating", needsRating),
        ])
    }

    /// - Throws: ``EnergyError`` `.dataLoss` for a row that no version of this program writes.
    public init(_ row: some ColumnRow, start: Timestamp) throws(EnergyError) {
        let (first, second): (Int64, Int64) = (try row["first_half"], try row["second_half"])
        self.init(
            start: start, isFrozen: (UInt64(bitPattern: first), UInt64(bitPattern: second)),
            terms: try Self.terms(try row["terms"], from: start), needsRating: try row["needs_rating"])
    }

    /// Gap to the span before, length, classes, prices, carbon.
    private static func packed(_ timeline: TermsTimeline, from start: Timestamp) -> Data {
        var columns = [[Int64]](repeating: [], count: 7)
        var end = start
        for span in timeline.spans {
            let numbers = [
                span.start.milliseconds(since: end), span.end.milliseconds(since: span.start),
                Int64(span.terms.imported.code), Int64(span.terms.exported.code ^ span.terms.imported.code),
                span.terms.importPriceMicros,
                span.terms.exportPriceMicros, span.terms.carbonMilligramsPerKilowattHour,
            ]
            for (index, number) in numbers.enumerated() { columns[index].append(number) }
            end = span.end
        }
        return PackedColumns.pack(columns)
    }

    private static func terms(_ data: Data, from start: Timestamp) throws(EnergyError) -> TermsTimeline {
        try PackedNumbers.reading(data) { (bytes) throws(EnergyError) in
            var reader = PackedColumns.Reader(columns: 7)
            try reader.read(bytes)
            var timeline = TermsTimeline()
            var end = start
            for index in 0..<reader.count {
                let numbers = (0..<7).map { reader[$0, index] }
                let day = Int64(0)...(.millisecondsPerDay)
                guard day ~= numbers[0], day ~= numbers[1], numbers[1] > 0 else { throw .damaged("frozen day") }
                let interval = Interval(start: end.advanced(byMilliseconds: numbers[0]), milliseconds: numbers[1])
                timeline.append(
                    interval,
                    InsightTerms(
                        imported: InsightClass(code: Int32(truncatingIfNeeded: numbers[2])),
                        exported: InsightClass(code: Int32(truncatingIfNeeded: numbers[2] ^ numbers[3])),
                        importPriceMicros: numbers[4], exportPriceMicros: numbers[5],
                        carbonMilligramsPerKilowattHour: numbers[6]))
                end = interval.end
            }
            return timeline
        }
    }
}
