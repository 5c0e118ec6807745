public import Foundation

extension UUID {
    /// For events that come without an id: the same for the same name: two 64-bit FNV-1a hashes, as a UUID of version 8 (RFC 9562).
    public init(naming name: String) {
        func hash(_ seed: UInt64) -> [UInt8] {
            let value = name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
            return withUnsafeBytes(of: value.bigEndian) { Array($0) }
        }
        var bytes = hash(0xcbf2_9ce4_8422_2325) + hash(0x6c62_272e_07bb_0142)
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
