import EnergyFeeds
import EnergyModel
import Foundation
import Synchronization

/// A log in memory that fails when told to.
final class MemoryEventLog: EventLogReader {
    private struct State {
        var records: [Int: [LogRecord]] = [:]
        var failures: [EnergyError] = []
        var pageSize = 3
        var headCalls = 0
    }
    private let state = Mutex(State())

    func append(partition: Int, count: Int = 1) {
        state.withLock { state in
            for _ in 0..<count {
                let sequence = UInt64(state.records[partition, default: []].count + 1)
                state.records[partition, default: []].append(
                    LogRecord(
                        partition: partition, sequence: sequence, venueID: UUID(),
                        received: Timestamp(unixMilliseconds: 0), principal: "test", events: []))
            }
        }
    }

    /// Takes one record out, as no log should.
    func lose(partition: Int, sequence: UInt64) {
        state.withLock { state in state.records[partition]?.removeAll { $0.sequence == sequence } }
    }

    /// The next calls throw these, one each.
    func fail(_ errors: EnergyError...) { state.withLock { $0.failures += errors } }

    var headCalls: Int { state.withLock { $0.headCalls } }

    func heads() async throws(EnergyError) -> [LogHead] {
        let answer: Result<[LogHead], EnergyError> = state.withLock { state in
            state.headCalls += 1
            if !state.failures.isEmpty { return .failure(state.failures.removeFirst()) }
            return .success(
                (0..<LogPartition.count).map {
                    LogHead(partition: $0, sequence: state.records[$0]?.last?.sequence ?? 0)
                })
        }
        return try answer.get()
    }

    func read(
        partition: Int, after sequence: UInt64, _ handle: ([LogRecord]) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        let (records, size) = state.withLock { (($0.records[partition] ?? []), $0.pageSize) }
        var rest = records.filter { $0.sequence > sequence }[...]
        while !rest.isEmpty {
            try await handle(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }
}
