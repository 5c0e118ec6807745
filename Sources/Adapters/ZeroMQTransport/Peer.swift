internal import EnergyTransport

/// A connection as ROUTER names it: `0x00` and four bytes of its own choice. As a number it is the engine's peer id;
/// one bit more says that the peer is a REQ socket, whose replies need its empty delimiter.
struct Peer {
    static let routingIDByteCount = 5
    private static let delimiterBit: ServerEngine.PeerID = 1 << 32

    private(set) var id: ServerEngine.PeerID

    init(id: ServerEngine.PeerID) { self.id = id }

    /// `nil` for a name that the peer chose itself.
    init?(routingID bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.routingIDByteCount, bytes[0] == 0 else { return nil }
        id = ServerEngine.PeerID(bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    }

    var hasDelimiter: Bool {
        get { id & Self.delimiterBit != 0 }
        set { id = newValue ? id | Self.delimiterBit : id & ~Self.delimiterBit }
    }

    func write(to target: UnsafeMutableRawBufferPointer) {
        target[0] = 0
        target.storeBytes(of: UInt32(truncatingIfNeeded: id), toByteOffset: 1, as: UInt32.self)
    }
}
