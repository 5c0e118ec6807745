internal import CZeroMQ

/// Half of a CURVE key pair: 32 bytes, written as 40 characters of Z85.
///
/// - Source: https://rfc.zeromq.org/spec/26/ (CurveZMQ), https://rfc.zeromq.org/spec/32/ (Z85)
public struct CurveKey: Hashable, Sendable {
    public static let byteCount = 32
    public static let characterCount = 40

    let bytes: [UInt8]
    public let text: String

    /// `nil` for what is not 40 characters of Z85.
    public init?(_ text: String) {
        guard text.utf8.count == Self.characterCount, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        guard zmq_z85_decode(&bytes, text) != nil else { return nil }
        self.bytes = bytes
        self.text = text
    }

    /// `nil` for what is not 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
        var text = [CChar](repeating: 0, count: Self.characterCount + 1)
        guard zmq_z85_encode(&text, self.bytes, Self.byteCount) != nil else { return nil }
        self.text = String(decoding: text.prefix(Self.characterCount).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A public key and the secret that proves it. The secret shows in no description.
public struct CurveKeyPair: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public let publicKey: CurveKey
    public let secretKey: CurveKey

    private init(publicKey: CurveKey, secretKey: CurveKey) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    /// A new pair, from the system's random numbers.
    public static func make() throws(ZeroMQError) -> CurveKeyPair {
        var publicText = [CChar](repeating: 0, count: CurveKey.characterCount + 1)
        var secretText = publicText
        guard zmq_curve_keypair(&publicText, &secretText) == 0 else { throw ZeroMQError(call: "zmq_curve_keypair") }
        guard let publicKey = CurveKey(publicText), let secretKey = CurveKey(secretText) else {
            throw ZeroMQError(call: "zmq_curve_keypair")
        }
        return CurveKeyPair(publicKey: publicKey, secretKey: secretKey)
    }

    /// The pair of a secret.
    ///
    /// - Throws: when this libzmq has no CURVE.
    public init(secretKey: CurveKey) throws(ZeroMQError) {
        var publicText = [CChar](repeating: 0, count: CurveKey.characterCount + 1)
        guard zmq_curve_public(&publicText, secretKey.text) == 0, let publicKey = CurveKey(publicText) else {
            throw ZeroMQError(call: "zmq_curve_public")
        }
        self.init(publicKey: publicKey, secretKey: secretKey)
    }

    public var description: String { publicKey.text }
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey.text]) }

    /// Keys that are printed in libzmq's documentation, and therefore nobody's secret.
    public var isPublished: Bool { Self.publishedSecrets.contains(secretKey.text) }

    /// - Source: https://libzmq.readthedocs.io/en/zeromq4-x/zmq_curve.html
    private static let publishedSecrets: Set<String> = [
        "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6", "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs",
    ]
}

extension CurveKey {
    fileprivate init?(_ text: [CChar]) {
        self.init(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}
