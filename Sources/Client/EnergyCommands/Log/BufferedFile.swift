internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// A file, a pipe or standard input, read in portions.
final class BufferedFile {
    private static let chunkByteCount = 1 << 20

    private let handle: FileHandle
    private let name: String
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// Of ``rest``, in the file.
    private(set) var offset = 0

    /// - Parameter path: `-` is standard input.
    init(path: String) throws(CommandFailure) {
        name = path == "-" ? "standard input" : path
        guard path != "-" else {
            handle = .standardInput
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .usage("\(path) cannot be read: \(SystemWords.reason(errno)).") }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// What was read and not taken.
    var rest: ArraySlice<UInt8> { buffer[start...] }

    func take(_ count: Int) {
        start += count
        offset += count
    }

    /// - Returns: `false` at the end.
    func fill() throws(CommandFailure) -> Bool {
        guard !isAtEnd else { return false }
        let chunk: Data?
        do { chunk = try handle.read(upToCount: Self.chunkByteCount) } catch {
            throw CommandFailure(.failure, "\(name) cannot be read: \(SystemWords.reason(error)).")
        }
        guard let chunk, !chunk.isEmpty else {
            isAtEnd = true
            return false
        }
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: chunk)
        return true
    }
}
