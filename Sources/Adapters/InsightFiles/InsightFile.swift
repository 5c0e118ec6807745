public import EnergyModel

/// What a file of insight records is about.
public struct InsightFileSubject: Hashable, Sendable {
    public let venue: Venue
    public let query: InsightQuery
    /// When the file is written.
    public let written: Timestamp

    public init(venue: Venue, query: InsightQuery, written: Timestamp) {
        self.venue = venue
        self.query = query
        self.written = written
    }
}

/// Some text of a file, and where it belongs.
///
/// Lanes follow each other in the file, lowest first; within a lane, pieces follow each other as they were given. Formats
/// that group by something else than time give several lanes at once, so that a file of years is made in one pass.
public struct FilePiece: Hashable, Sendable {
    public let lane: Int
    public let text: String

    public init(_ text: String, lane: Int = 0) {
        self.text = text
        self.lane = lane
    }
}

/// Turns insight records into the text of a file, one after the other; remembers no more than a period's worth.
public protocol InsightFile: Sendable {
    /// What comes before the first record.
    mutating func start() -> [FilePiece]

    /// Whether the format has a place for what the record says; of others it writes nothing.
    func takes(_ record: InsightRecord) -> Bool

    /// - Parameter record: sorted by device or kind where these are apart, then by start, as the service answers.
    mutating func add(_ record: InsightRecord) -> [FilePiece]

    /// What comes after the last record.
    ///
    /// - Parameter applied: the log is counted up to here.
    mutating func finish(applied: [LogHead]) -> [FilePiece]
}

extension InsightFile {
    public func takes(_ record: InsightRecord) -> Bool { true }

    /// The whole file, for few records.
    public mutating func text(of records: [InsightRecord], applied: [LogHead] = []) -> String {
        var pieces = start()
        for record in records { pieces += add(record) }
        pieces += finish(applied: applied)
        let lanes = Dictionary(grouping: pieces, by: \.lane)
        return lanes.keys.sorted().flatMap { lanes[$0] ?? [] }.map(\.text).joined()
    }
}
