internal import Foundation
internal import GRDB

/// A database that is read where it lies, and left as it was.
///
/// SQLite reads one with a write-ahead log by means of two files beside it, and does not take away what it made of them
/// when it may only read.
struct QuietReader {
    let queue: DatabaseQueue
    /// What was not there before.
    private let made: [String]

    init(_ path: String) throws {
        made = ["-wal", "-shm"].map { path + $0 }.filter { !FileManager.default.fileExists(atPath: $0) }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        // A service may start meanwhile, and use them.
        for file in made { FileOwner.handOver(file, toOwnerOf: folder) }
    }

    /// - Parameter isAlone: nobody else uses the database, nor will before this returns.
    func close(isAlone: Bool) {
        try? queue.close()
        // Who came and went meanwhile may have left something in it.
        let isUsed = made.contains { $0.hasSuffix("-wal") && DatabaseFiles.size($0) > 0 }
        guard isAlone, !isUsed else { return }
        for file in made { unlink(file) }
    }
}
