public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Foundation

/// The event log, as its owner serves it.
public protocol EventLogReader: Sendable {
    /// Which log it is, and the newest record of every partition.
    func heads() async throws(EnergyError) -> LogProgress

    /// Hands over the records of one partition after `position`, in order, page by page, up to the head at the time of
    /// the call. The next page is fetched when `handle` returns.
    ///
    /// - Parameter logID: the log that `position` is in; `nil` for whatever log there is.
    /// - Throws: what the log's owner answered, or what `handle` threw. `.conflict` from the owner: `position` is in
    ///   another log.
    func read(
        after position: LogHead, logID: UUID?, _ handle: ([LogRecord]) async throws(EnergyError) -> Void
    ) async throws(EnergyError)
}

extension EventLogReader {
    /// As ``read(after:logID:_:)``, but no further than to `last`.
    ///
    /// - Returns: whether the log goes that far.
    public func read(
        after position: LogHead, through last: UInt64, logID: UUID?,
        _ handle: ([LogRecord]) async throws(EnergyError) -> Void
    ) async throws(EnergyError) -> Bool {
        var isComplete = false
        do throws(EnergyError) {
            try await read(after: position, logID: logID) { (page) async throws(EnergyError) in
                try await handle(page.filter { $0.sequence <= last })
                guard let newest = page.last, newest.sequence >= last else { return }
                isComplete = true
                // There is no other way to end a stream.
                throw EnergyError(.outOfRange, "that was enough")
            }
        } catch { if !isComplete { throw error } }
        return isComplete
    }
}

/// The log of an event-ingestor, read over the wire.
public struct RemoteEventLog: EventLogReader {
    private let client: any RequestClient
    private let reader: String
    private let readTimeout: Duration

    /// - Parameters:
    ///   - reader: a name of its own for who handles what it reads before it reads on: retention keeps the rest for it.
    ///     Empty for who only looks.
    ///   - readTimeout: of one stream. A long log is read in several: what was handed over stays so.
    public init(client: any RequestClient, reader: String = "", readTimeout: Duration = .seconds(60)) {
        self.client = client
        self.reader = reader
        self.readTimeout = readTimeout
    }

    public func heads() async throws(EnergyError) -> LogProgress {
        let answer = try await client.call(Methods.logHeads, Empty())
        return LogProgress(logID: answer.logID, heads: answer.heads)
    }

    public func read(
        after position: LogHead, logID: UUID?, _ handle: ([LogRecord]) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        let position = LogPosition(
            partition: position.partition, afterSequence: position.sequence, reader: reader, logID: logID,
            afterChecksum: position.checksum)
        try await client.stream(Methods.readLog, position, timeout: readTimeout) { (page) async throws(EnergyError) in
            try await handle(page.records)
        }
    }
}
