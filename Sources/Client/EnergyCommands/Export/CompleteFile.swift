internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// Writes a new file that has its name once it is complete: whoever looks for it finds all of it or nothing.
final class CompleteFile {
    private let handle: FileHandle
    private let path: String
    private let unfinishedPath: String
    private var isFinished = false

    /// - Throws: usage where there is a file of that name.
    init(path: String) throws(CommandFailure) {
        self.path = path
        let url = URL(filePath: path)
        unfinishedPath =
            url.deletingLastPathComponent()
            .appending(path: ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).part").path
        var status = stat()
        guard lstat(path, &status) != 0 else { throw Self.exists(path) }
        let descriptor = open(unfinishedPath, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(errno)).")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { if !isFinished { unlink(unfinishedPath) } }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do { try handle.write(contentsOf: bytes) } catch { throw failure(error) }
    }

    func finish() throws(CommandFailure) {
        do {
            try handle.synchronize()
            try handle.close()
        } catch { throw failure(error) }
        // A link refuses to take another file's name, which a rename would take from it.
        if link(unfinishedPath, path) == 0 {
            unlink(unfinishedPath)
        } else if errno == EEXIST {
            throw Self.exists(path)
        } else if rename(unfinishedPath, path) != 0 {
            throw CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(errno)).")
        }
        isFinished = true
    }

    private static func exists(_ path: String) -> CommandFailure {
        .usage("There is a file \(path) already; name another.")
    }

    private func failure(_ error: any Error) -> CommandFailure {
        CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(error)).")
    }
}
