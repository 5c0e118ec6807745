internal import EnergyModel
internal import Synchronization

/// Where batches wait for the writer, in the order they came. Bounded: it refuses what it has no room for.
final class IngestQueue: Sendable {
    struct Entry: Sendable {
        fileprivate let id: UInt64
        let batch: AdmittedBatch
        let deadline = RequestDeadline.current
        private let continuation: CheckedContinuation<Result<SubmitResult, EnergyError>, Never>

        fileprivate init(
            id: UInt64, batch: AdmittedBatch,
            continuation: CheckedContinuation<Result<SubmitResult, EnergyError>, Never>
        ) {
            self.id = id
            self.batch = batch
            self.continuation = continuation
        }

        /// Exactly once per entry.
        func answer(_ result: Result<SubmitResult, EnergyError>) { continuation.resume(returning: result) }
    }

    private struct State {
        var entries: [Entry] = []
        var nextID: UInt64 = 0
        var isClosed = false
        var batchesInFlight = 0
        var bytesInFlight = 0
        /// The writer, when it waits.
        var writer: CheckedContinuation<Void, Never>?
    }

    private let limits: IngestLimits
    private let state = Mutex(State())

    init(limits: IngestLimits) { self.limits = limits }

    /// Batches that were taken in and not answered yet.
    var batchesInFlight: Int { state.withLock { $0.batchesInFlight } }

    /// Batches that wait for the writer.
    var waiting: Int { state.withLock { $0.entries.count } }

    /// Makes room for a batch, from its arrival to its answer. Each success needs one ``release(bytes:)``.
    func reserve(bytes: Int) throws(EnergyError) {
        let refusal: EnergyError? = state.withLock { state in
            if state.isClosed { return stopping }
            guard state.batchesInFlight < limits.batchesInFlightMax,
                bytes <= limits.bytesInFlightMax - state.bytesInFlight
            else {
                return EnergyError(
                    .rateLimited, "too many events are waiting to be stored",
                    retryAfterMilliseconds: limits.retryAfterMilliseconds)
            }
            state.batchesInFlight += 1
            state.bytesInFlight += bytes
            return nil
        }
        if let refusal { throw refusal }
    }

    func release(bytes: Int) {
        state.withLock { state in
            state.batchesInFlight -= 1
            state.bytesInFlight -= bytes
        }
    }

    /// Waits until the writer has answered. A task that is cancelled while its batch still waits takes it back.
    func submit(_ batch: AdmittedBatch) async throws(EnergyError) -> SubmitResult {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(Entry(id: id, batch: batch, continuation: continuation))
            }
        } onCancel: {
            withdraw(id)
        }
        return try result.get()
    }

    private func enqueue(_ entry: Entry) {
        let (isClosed, writer) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            if state.isClosed { return (true, nil) }
            state.entries.append(entry)
            defer { state.writer = nil }
            return (false, state.writer)
        }
        if isClosed { entry.answer(.failure(stopping)) }
        writer?.resume()
    }

    private func withdraw(_ id: UInt64) {
        let entry: Entry? = state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
            return state.entries.remove(at: index)
        }
        entry?.answer(.failure(EnergyError(.unavailable, "the request was cancelled before anything was stored")))
    }

    /// Everything that waits, in order, up to the limits of a transaction; waits when there is nothing.
    ///
    /// - Returns: `nil` once the queue is closed and empty. For one caller at a time.
    func next() async -> [Entry]? {
        while true {
            let (group, isClosed) = state.withLock { (take(from: &$0), $0.isClosed) }
            if !group.isEmpty { return group }
            if isClosed { return nil }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if !state.entries.isEmpty || state.isClosed { return true }
                    state.writer = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func take(from state: inout State) -> [Entry] {
        var (count, bytes) = (0, 0)
        for entry in state.entries.prefix(limits.batchesPerCommitMax) {
            bytes += entry.batch.bytes
            if bytes > limits.bytesPerCommitMax && count > 0 { break }
            count += 1
        }
        defer { state.entries.removeFirst(count) }
        return Array(state.entries.prefix(count))
    }

    /// What waits is still handed to the writer; nothing new is taken in.
    func close() {
        let writer = state.withLock { state in
            state.isClosed = true
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume()
    }

    private var stopping: EnergyError {
        EnergyError(.unavailable, "the ingestor is stopping", retryAfterMilliseconds: 1_000)
    }
}
