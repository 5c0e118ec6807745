public import EnergyModel

/// Puts a backup in the place of the log of an ingestor that is stopped.
public protocol LogRestorer: Sendable {
    /// Checks the backup, keeps the log that is there under another name, and puts the backup in its place: all of that,
    /// or nothing.
    ///
    /// - Parameters:
    ///   - backup: the file; it stays as it is.
    ///   - folder: the state directory of the ingestor.
    ///   - now: names what is kept.
    ///   - writingDown: carries out what it is given, while no ingestor can use the folder, and writes down before and after
    ///     that it did. What it throws before is the restorer's failure, and nothing is done.
    /// - Throws: `.conflict` while an ingestor uses the folder; `.dataLoss` when the backup is damaged; `.invalidInput`
    ///   when it is no backup of a log, or of a newer version; `.notFound`; `.unavailable` when a file cannot be written.
    ///   The log is as it was then.
    func restore(
        _ backup: String, into folder: String, now: Timestamp,
        writingDown: @Sendable (() throws(EnergyError) -> RestoredLog) throws(EnergyError) -> RestoredLog
    ) async throws(EnergyError) -> RestoredLog
}

/// What was put in place of a log.
public struct RestoredLog: Hashable, Sendable {
    /// The database that the ingestor will open.
    public let file: String
    /// How many records it holds.
    public let records: Int
    /// Where the database that was there is kept; `nil` when there was none.
    public let replaced: String?

    public init(file: String, records: Int, replaced: String?) {
        self.file = file
        self.records = records
        self.replaced = replaced
    }
}
