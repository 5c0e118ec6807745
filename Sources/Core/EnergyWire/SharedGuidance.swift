public import EnergyModel
public import Foundation

/// The part of an encoded guidance that all venues of a group share.
///
/// Protobuf messages may be concatenated, and the fields that differ, token and venue, come first: so a guidance is a
/// head of its own and this tail.
public struct SharedGuidance: Sendable {
    /// Everything but token and venue.
    public let tail: [UInt8]

    /// - Parameter guidance: of any venue of the group.
    public init(_ guidance: Guidance) {
        tail = Array(guidance.encoded().dropFirst(Self.headByteCount))
    }

    /// - Parameter tail: that of another.
    public init(tail: [UInt8]) { self.tail = tail }

    /// - Throws: ``EnergyError`` when the tail is that of no guidance.
    public func guidance(token: UUID, venueID: UUID) throws(EnergyError) -> Guidance {
        try Guidance(decoding: Self.head(token: token, venueID: venueID) + tail)
    }

    /// Token and venue: with ``tail`` after it, what ``Guidance/encoded()`` gives.
    public static func head(token: UUID, venueID: UUID) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: headByteCount) { head, count in
            write(
                token, field: 1, to: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(head)[..<18])
            )
            write(
                venueID, field: 2,
                to: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(head)[18...]))
            count = headByteCount
        }
    }

    private static let headByteCount = 36

    /// A length-delimited field of 16 bytes.
    private static func write(_ uuid: UUID, field: UInt8, to target: UnsafeMutableRawBufferPointer) {
        target[0] = field << 3 | 2
        target[1] = 16
        target.storeBytes(of: uuid.uuid, toByteOffset: 2, as: uuid_t.self)
    }
}
