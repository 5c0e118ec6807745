internal import Foundation

/// Files that the kernel writes while they are read. Foundation takes a short read for the end of the file; theirs ends
/// where nothing comes any more.
enum ProcFile {
    private static let bytesMax = 16 * 1_024 * 1_024

    /// - Returns: `nil` when it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while bytes.count < bytesMax {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
