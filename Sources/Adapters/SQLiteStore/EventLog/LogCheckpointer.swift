internal import EnergyModel
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Moves the write-ahead log into the file on a connection and thread of its own, so that no commit waits for it.
///
/// A checkpoint that runs beside the writer cannot finish while the writer goes on. So the write-ahead log may grow to
/// ``bytesMax``; then the writer is held for the little that is left, and starts at the log's beginning again. SQLite
/// flushes the file only when a checkpoint finishes: everything at once, while the writer is held. So each one is followed
/// by a flush that nobody waits for.
final class LogCheckpointer: Sendable {
    private static let stepBytes = 8 << 20
    private static let bytesMax = 64 << 20

    private struct State {
        var bytes = 0
        var isRunning = false
        /// The disk failed to flush, and says so only once: no checkpoint of this process may trust it, or the write-ahead
        /// log would be begun anew without what it holds being elsewhere.
        var isDistrusted = false
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
            guard state.bytes >= Self.stepBytes, !state.isRunning, !state.isDistrusted else { return false }
            (state.bytes, state.isRunning) = (0, true)
            return true
        }
        guard isDue else { return }
        connection.asyncWriteWithoutTransaction { [self] connection in
            // What fails now, on a full disk for example, is tried again after the next megabytes.
            try? checkpoint(connection)
            state.withLock { $0.isRunning = false }
        }
    }

    private func checkpoint(_ connection: Database) throws {
        let log = try connection.checkpoint(.passive)
        guard flush(connection), log.walFrameCount * 4096 > Self.bytesMax else { return }
        // Once more, for what came during the flush.
        _ = try connection.checkpoint(.passive)
        if flush(connection) { _ = try connection.checkpoint(.restart) }
    }

    /// Flushes the file.
    private func flush(_ connection: Database) -> Bool {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = sqlite3_file_control(connection.sqliteConnection, nil, SQLITE_FCNTL_FILE_POINTER, &file)
        guard found == SQLITE_OK, let file, let sync = file.pointee.pMethods?.pointee.xSync else { return false }
        let isFlushed = sync(file, SQLITE_SYNC_NORMAL) == SQLITE_OK
        if !isFlushed { state.withLock { $0.isDistrusted = true } }
        return isFlushed
    }

    func close() throws { try connection.close() }
}
