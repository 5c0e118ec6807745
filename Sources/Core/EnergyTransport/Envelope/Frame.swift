/// One message on the wire: magic `0xA7`, major version, header length (u16, big endian), header, body.
package struct Frame: Hashable, Sendable {
    package static let magic: UInt8 = 0xA7
    package static let majorVersion: UInt8 = 1
    static let prefixByteCount = 4
    /// The largest body, of any frame.
    package static let bodyByteCountMax = 1024 * 1024
    /// The largest frame: a transport refuses longer messages before reading them.
    package static let byteCountMax = bodyByteCountMax + 16 * 1024

    package var header: Header
    package var body: [UInt8]
    /// The rest of the body, where other frames to be sent share it; empty in a frame that was received.
    package var tail: [UInt8]

    package init(_ header: Header, body: [UInt8] = [], tail: [UInt8] = []) {
        self.header = header
        self.body = body
        self.tail = tail
    }

    /// The frame's bytes, once counted and then written where `allocate` says.
    ///
    /// - Parameter allocate: is given the exact size; lends memory of that size to the closure it is given.
    @inline(__always)
    package func encode(_ allocate: (_ byteCount: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) -> Void) {
        let headerByteCount = header.encodedByteCount
        precondition(headerByteCount <= Header.byteCountMax, "headers are limited where they are made")
        allocate(Self.prefixByteCount + headerByteCount + body.count + tail.count) { target in
            target[0] = Self.magic
            target[1] = Self.majorVersion
            target[2] = UInt8(truncatingIfNeeded: headerByteCount >> 8)
            target[3] = UInt8(truncatingIfNeeded: headerByteCount)
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(rebasing: target[Self.prefixByteCount...]))
            header.write(to: &writer)
            body.withUnsafeBytes { writer.bytes($0) }
            tail.withUnsafeBytes { writer.bytes($0) }
        }
    }

    package var encodedByteCount: Int {
        Self.prefixByteCount + header.encodedByteCount + body.count + tail.count
    }

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode { (byteCount, write) in
            bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { (target, count) in
                write(UnsafeMutableRawBufferPointer(target))
                count = byteCount
            }
        }
        return bytes
    }
}
