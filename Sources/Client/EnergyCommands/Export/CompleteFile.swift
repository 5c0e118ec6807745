internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// Writes a new file that has its name once it is complete: whoever looks for it finds all of it or nothing. Until then it
/// has no name, so that nothing of it is left however the process ends.
final class CompleteFile {
    private let handle: FileHandle
    private let path: String
    /// Where the file system has no files without a name.
    private let unfinishedPath: String?
    private var isFinished = false

    /// - Throws: usage where there is a file of that name.
    init(path: String) throws(CommandFailure) {
        self.path = path
        var status = stat()
        guard lstat(path, &status) != 0 else { throw Self.exists(path) }
        let url = URL(filePath: path)
        let folder = url.deletingLastPathComponent()
        let nameless = open(folder.path, O_WRONLY | Self.nameless | O_CLOEXEC, 0o644)
        if nameless >= 0 {
            unfinishedPath = nil
            handle = FileHandle(fileDescriptor: nameless, closeOnDealloc: true)
            return
        }
        let process = ProcessInfo.processInfo.processIdentifier
        let named = folder.appending(path: Self.unfinishedName(url.lastPathComponent, process)).path
        Self.removeLeft(by: url.lastPathComponent, in: folder)
        let descriptor = open(named, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(errno)).")
        }
        unfinishedPath = named
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { if !isFinished, let unfinishedPath { unlink(unfinishedPath) } }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do { try handle.write(contentsOf: bytes) } catch { throw failure(error) }
    }

    func finish() throws(CommandFailure) {
        do { try handle.synchronize() } catch { throw failure(error) }
        // A link refuses to take another file's name, which a rename would take from it.
        let source = unfinishedPath ?? "/proc/self/fd/\(handle.fileDescriptor)"
        if linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 {
            if let unfinishedPath { unlink(unfinishedPath) }
        } else if errno == EEXIST {
            throw Self.exists(path)
        } else if unfinishedPath.map({ rename($0, path) != 0 }) ?? true {
            throw CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(errno)).")
        }
        isFinished = true
        do { try handle.close() } catch { throw failure(error) }
    }

    /// `O_TMPFILE`, which is no constant in Swift: its own bit, and that of a folder.
    private static let nameless = 0o20000000 | O_DIRECTORY

    private static func unfinishedName(_ name: String, _ process: some BinaryInteger) -> String {
        ".\(name).\(process).part"
    }

    /// What processes left of a file of this name that were killed.
    private static func removeLeft(by name: String, in folder: URL) {
        let others = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for other in others where other.hasPrefix(".\(name).") && other.hasSuffix(".part") {
            guard let process = pid_t(other.dropFirst(name.count + 2).dropLast(5)),
                other == unfinishedName(name, process), kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink(folder.appending(path: other).path)
        }
    }

    private static func exists(_ path: String) -> CommandFailure {
        .usage("There is a file \(path) already; name another.")
    }

    private func failure(_ error: any Error) -> CommandFailure {
        CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(error)).")
    }
}
