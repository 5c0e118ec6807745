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
        var id: UUID?
        var removed: [Int: UInt64] = [:]
        var reads: [LogHead] = []
        var damaged: UInt64?
    }
    private let state = Mutex(State())

    func append(partition: Int, count: Int = 1) {
        state.withLock { state in
            for _ in 0..<count {
                let sequence = UInt64(state.records[partition, default: []].count + 1)
                state.records[partition, default: []].append(
                    LogRecord(
                        partition: partition, sequence: sequence, venueID: UUID(),
                        received: Timestamp(unixMilliseconds: 0), principal: "test", events: [],
                        checksum: UInt32.random(in: 0 ... .max)))
            }
        }
    }

    /// Another log with as many empty records stands in its place.
    func replace(by id: UUID?, counts: [Int: Int]) {
        state.withLock { state in
            state.records = [:]
            state.id = id
        }
        for (partition, count) in counts { append(partition: partition, count: count) }
    }

    /// What retention does.
    func remove(partition: Int, through sequence: UInt64) {
        state.withLock { state in
            state.removed[partition] = sequence
            state.records[partition]?.removeAll { $0.sequence <= sequence }
        }
    }

    /// The positions that were read from.
    var reads: [LogHead] { state.withLock { $0.reads } }

    /// Takes one record out, as no log should.
    func lose(partition: Int, sequence: UInt64) {
        state.withLock { state in state.records[partition]?.removeAll { $0.sequence == sequence } }
    }

    /// Reading ends with an error before the page that has this record.
    func damage(sequence: UInt64?) { state.withLock { $0.damaged = sequence } }

    /// The next calls throw these, one each.
    func fail(_ errors: EnergyError...) { state.withLock { $0.failures += errors } }

    var headCalls: Int { state.withLock { $0.headCalls } }

    func heads() async throws(EnergyError) -> LogProgress {
        let answer: Result<LogProgress, EnergyError> = state.withLock { state in
            state.headCalls += 1
            if !state.failures.isEmpty { return .failure(state.failures.removeFirst()) }
            return .success(
                LogProgress(
                    logID: state.id,
                    heads: (0..<LogPartition.count).map {
                        let last = state.records[$0]?.last
                        return LogHead(
                            partition: $0, sequence: last?.sequence ?? 0, removedSequence: state.removed[$0] ?? 0,
                            checksum: last?.checksum)
                    }))
        }
        return try answer.get()
    }

    func read(
        after position: LogHead, logID: UUID?, _ handle: ([LogRecord]) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        let (records, size, damaged) = state.withLock { state in
            state.reads.append(position)
            return ((state.records[position.partition] ?? []), state.pageSize, state.damaged)
        }
        let known = records.first { $0.sequence == position.sequence }?.checksum
        if let checksum = position.checksum, let known, checksum != known {
            throw EnergyError(.conflict, "another record")
        }
        var rest = records.filter { $0.sequence > position.sequence }[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(size))
            if page.contains(where: { $0.sequence == damaged }) { throw EnergyError(.unavailable, "damaged") }
            try await handle(page)
            rest = rest.dropFirst(size)
        }
    }
}
