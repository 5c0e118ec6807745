internal import Foundation

/// What names an event for the index: 128 bits made of venue and id, evenly spread. Two events of one venue never share
/// a key.
struct IndexKey: Hashable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    init(venueID: UUID, id: UUID) {
        let (venue, event) = (Self.words(venueID), Self.words(id))
        let first = Self.mix(event.0 ^ Self.mix(venue.0 ^ 0x6A09_E667_F3BC_C908))
        // Each step can be undone, so different ids stay different.
        low = Self.mix(event.1 ^ Self.mix(venue.1 ^ 0xBB67_AE85_84CA_A73B))
        high = Self.mix(first &+ low)
    }

    private static func words(_ id: UUID) -> (UInt64, UInt64) {
        withUnsafeBytes(of: id.uuid) { bytes in
            (
                UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// A bijection. The same on every machine and in every version, for keys are stored.
    static func mix(_ word: UInt64) -> UInt64 {
        var mixed = word
        mixed ^= mixed >> 33
        mixed &*= 0xFF51_AFD7_ED55_8CCD
        mixed ^= mixed >> 33
        mixed &*= 0xC4CE_B9FE_1A85_EC53
        return mixed ^ (mixed >> 33)
    }
}

extension IndexKey: Comparable {
    static func < (lhs: IndexKey, rhs: IndexKey) -> Bool { (lhs.high, lhs.low) < (rhs.high, rhs.low) }
}

/// One remembered event.
struct IndexEntry {
    /// On disk: key high, key low, digest, each little endian.
    static let byteCount = 24

    let key: IndexKey
    let digest: UInt64

    static func encode(_ entries: [IndexEntry]) -> Data {
        var data = Data(count: entries.count * byteCount)
        data.withUnsafeMutableBytes { bytes in
            var offset = 0
            for entry in entries {
                bytes.storeBytes(of: entry.key.high.littleEndian, toByteOffset: offset, as: UInt64.self)
                bytes.storeBytes(of: entry.key.low.littleEndian, toByteOffset: offset + 8, as: UInt64.self)
                bytes.storeBytes(of: entry.digest.littleEndian, toByteOffset: offset + 16, as: UInt64.self)
                offset += byteCount
            }
        }
        return data
    }

    /// - Parameter bytes: as ``encode(_:)`` made them; a rest that is no entry is left out.
    static func decode(_ bytes: UnsafeRawBufferPointer, _ body: (IndexEntry) -> Void) {
        for offset in stride(from: 0, through: bytes.count - byteCount, by: byteCount) { body(entry(bytes, offset)) }
    }

    /// Looks a key up among sorted entries.
    static func digest(of key: IndexKey, in bytes: UnsafeRawBufferPointer) -> UInt64? {
        var (low, high) = (0, bytes.count / byteCount)
        while low < high {
            let middle = (low + high) / 2
            let entry = entry(bytes, middle * byteCount)
            if entry.key == key { return entry.digest }
            if entry.key < key { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private static func entry(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> IndexEntry {
        func word(_ place: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place * 8, as: UInt64.self))
        }
        return IndexEntry(key: IndexKey(high: word(0), low: word(1)), digest: word(2))
    }
}
