import EnergyFeeds
import EnergyModel
import Foundation

/// A log that is as it is.
struct FixedLog: EventLogReader {
    let log: SampleLog
    var removed: UInt64 = 0

    func heads() async throws(EnergyError) -> LogProgress {
        LogProgress(heads: [
            LogHead(partition: log.partition, sequence: UInt64(log.records.count), removedSequence: removed)
        ])
    }

    func read(
        after position: LogHead, logID: UUID?, _ handle: ([LogRecord]) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        try await handle(log.records.filter { $0.sequence > position.sequence })
    }
}
