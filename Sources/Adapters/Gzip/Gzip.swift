internal import CZlib

/// The gzip format, as HTTP's `Content-Encoding: gzip` has it.
///
/// - Source: RFC 1952
public enum Gzip {
    private static let level: Int32 = 6

    /// - Returns: `nil` when that would not be smaller than `bytes`, or there is no memory.
    public static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 1, bytes.count <= Int(Int32.max) else { return nil }
        var stream = z_stream()
        guard gzip_begin(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var source = bytes
        var isDone = false
        let target = [UInt8](unsafeUninitializedCapacity: bytes.count - 1) { target, count in
            source.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = isDone ? target.count - Int(stream.avail_out) : 0
        }
        return isDone ? target : nil
    }
}
