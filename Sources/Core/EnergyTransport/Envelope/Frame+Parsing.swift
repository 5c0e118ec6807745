extension Frame {
    /// What came in. The body is lent, not copied: its size is checked first.
    package enum Incoming {
        case frame(Header, body: UnsafeRawBufferPointer)
        /// A frame of another major version. The call id is 0 unless the header reads as ours.
        case otherVersion(UInt8, callID: UInt64)
        /// A frame whose header does not parse. The call id is 0 unless it came before the fault.
        case badHeader(callID: UInt64)
        /// Not a frame at all.
        case notAFrame
    }

    /// - Parameter likelyMethod: if the header names it, it is taken over: that costs less than another string.
    package static func parse(_ bytes: UnsafeRawBufferPointer, likelyMethod: String = "") -> Incoming {
        guard bytes.count >= prefixByteCount, bytes[0] == magic else { return .notAFrame }
        let headerByteCount = Int(bytes[2]) << 8 | Int(bytes[3])
        let end = prefixByteCount + headerByteCount
        let isOurs = bytes[1] == majorVersion
        guard headerByteCount <= Header.byteCountMax, end <= bytes.count else {
            return isOurs ? .badHeader(callID: 0) : .otherVersion(bytes[1], callID: 0)
        }
        var header = Header(.unspecified)
        do {
            try header.read(UnsafeRawBufferPointer(rebasing: bytes[prefixByteCount..<end]), likelyMethod: likelyMethod)
        } catch {
            return isOurs ? .badHeader(callID: header.callID) : .otherVersion(bytes[1], callID: header.callID)
        }
        guard isOurs else { return .otherVersion(bytes[1], callID: header.callID) }
        return .frame(header, body: UnsafeRawBufferPointer(rebasing: bytes[end...]))
    }
}
