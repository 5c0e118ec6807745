internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// A file that a person names, read whole.
enum InputFile {
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - bytesMax: no more are read; `nil` reads all.
    /// - Throws: `.usage` with the system's reason where it cannot be read.
    static func bytes(of path: String, atMost bytesMax: Int? = nil) throws(CommandFailure) -> Data {
        let name = path == "-" ? "standard input" : path
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure(name, SystemWords.reason(errno)) }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
        do {
            guard let bytesMax else { return try handle.readToEnd() ?? Data() }
            return try handle.read(upToCount: bytesMax) ?? Data()
        } catch { throw failure(name, SystemWords.reason(error)) }
    }

    private static func failure(_ name: String, _ reason: String) -> CommandFailure {
        .usage("\(TerminalText.safe(name)) cannot be read: \(reason).")
    }
}
