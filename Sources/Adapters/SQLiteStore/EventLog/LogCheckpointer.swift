internal import EnergyModel
internal import GRDB
internal import Synchronization

/// Moves the write-ahead log into the file on a connection and thread of its own, so that no commit waits for it.
///
/// A checkpoint that runs beside the writer cannot finish while the writer goes on. So the write-ahead log may grow to
/// ``bytesMax``; then the writer is held for the little that is left, and starts at the log's beginning again.
final class LogCheckpointer: Sendable {
    private static let stepBytes = 4 << 20
    private static let bytesMax = 64 << 20

    private struct State {
        var bytes = 0
        var isRunning = false
    }

    private let connection: DatabaseQueue
    private let state = Mutex(State())

    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.label = "checkpoint"
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// To be told of each commit.
    ///
    /// - Parameter bytes: about as many as it added.
    func committed(bytes: Int) {
        let isDue = state.withLock { state in
            state.bytes += bytes
            guard state.bytes >= Self.stepBytes, !state.isRunning else { return false }
            (state.bytes, state.isRunning) = (0, true)
            return true
        }
        guard isDue else { return }
        connection.asyncWriteWithoutTransaction { [self] connection in
            // What fails now, on a full disk for example, is tried again after the next megabytes.
            let log = try? connection.checkpoint(.passive)
            if let log, log.walFrameCount * 4096 > Self.bytesMax { _ = try? connection.checkpoint(.restart) }
            state.withLock { $0.isRunning = false }
        }
    }

    func close() throws { try connection.close() }
}
