public import Foundation

/// What a guidance's token says: for which venue and action it was issued, and when.
///
/// A token is a UUID of version 8 (RFC 9562, 5.8). Of its 122 free bits, from the highest, 24 are the venue's number, 1
/// the action, 41 the milliseconds since 2020 (until 2089), and 56 a code of the others that only the holder of the key
/// makes. So it needs no row in a store, and cannot be made up: a guess is right once in 2^56 times.
public struct GuidanceToken: Hashable, Sendable {
    /// Of the code; more is cut off.
    public static let codeByteCount = 7
    /// 2020-01-01T00:00Z.
    private static let epoch = Timestamp(unixMilliseconds: 1_577_836_800_000)
    private static let (numberBits, timeBits, codeBits) = (24, 41, 56)

    public let venueNumber: VenueNumber
    public let action: SuggestedAction
    public let issued: Timestamp

    /// - Returns: `nil` for a number or a time that a token has no room for.
    public init?(venueNumber: VenueNumber, action: SuggestedAction, issued: Timestamp) {
        let milliseconds = issued.unixMilliseconds.subtractingReportingOverflow(Self.epoch.unixMilliseconds)
        guard 1..<(1 << Self.numberBits) ~= venueNumber, !milliseconds.overflow,
            0..<(1 << Self.timeBits) ~= milliseconds.partialValue
        else { return nil }
        self.venueNumber = venueNumber
        self.action = action
        self.issued = issued
    }

    public func sealed(by authenticator: some MessageAuthenticator) -> UUID {
        let payload = payload
        return Self.uuid(payload << Self.codeBits | Self.code(of: payload, authenticator))
    }

    /// What a UUID says, if it is a token that was sealed with this key.
    ///
    /// - Returns: `nil` for any other UUID.
    public init?(_ uuid: UUID, sealedBy authenticator: some MessageAuthenticator) {
        guard let bits = Self.bits(of: uuid) else { return nil }
        let payload = bits >> Self.codeBits
        let code = bits & Self.mask(Self.codeBits)
        guard code == Self.code(of: payload, authenticator) else { return nil }
        let isReduce = (payload >> Self.timeBits) & 1 == 1
        self.init(
            venueNumber: VenueNumber(payload >> (Self.timeBits + 1)), action: isReduce ? .reduce : .shift,
            issued: Self.epoch.advanced(byMilliseconds: Int64(payload & Self.mask(Self.timeBits))))
    }

    /// The lower 66 bits.
    private var payload: UInt128 {
        let number = UInt128(venueNumber) << (Self.timeBits + 1)
        let flag: UInt128 = action == .reduce ? 1 : 0
        return number | (flag << Self.timeBits) | UInt128(issued.milliseconds(since: Self.epoch))
    }

    /// The lower 56 bits. Its message begins with what it is for, so that the key may serve for something else, too.
    private static func code(of payload: UInt128, _ authenticator: some MessageAuthenticator) -> UInt128 {
        let message = Array("gridtide token 1".utf8) + withUnsafeBytes(of: payload.bigEndian) { Array($0) }
        return authenticator.code(of: message).prefix(codeByteCount).reduce(into: UInt128(0)) { code, byte in
            code = (code << 8) | UInt128(byte)
        }
    }

    private static func mask(_ bitCount: Int) -> UInt128 { ((1 as UInt128) << bitCount) - 1 }

    // MARK: The UUID around the 122 bits: 48, the version, 12, the variant, 62

    private static func uuid(_ bits: UInt128) -> UUID {
        let high: UInt128 = (bits >> 74) << 80
        let middle: UInt128 = ((bits >> 62) & mask(12)) << 64
        let version: UInt128 = 8 << 76
        let variant: UInt128 = 0b10 << 62
        let whole = high | version | middle | variant | (bits & mask(62))
        return withUnsafeBytes(of: whole.bigEndian) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func bits(of uuid: UUID) -> UInt128? {
        let whole = withUnsafeBytes(of: uuid.uuid) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
        guard (whole >> 76) & mask(4) == 8, (whole >> 62) & mask(2) == 0b10 else { return nil }
        let high: UInt128 = (whole >> 80) << 74
        let middle: UInt128 = ((whole >> 64) & mask(12)) << 62
        return high | middle | (whole & mask(62))
    }
}
