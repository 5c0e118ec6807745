internal import CSodium
public import EnergyModel

/// Message authentication by libsodium's `crypto_auth` (HMAC-SHA-512-256).
public struct SodiumAuthenticator: MessageAuthenticator {
    public static let keyByteCount = Int(crypto_auth_KEYBYTES)
    private static let codeByteCount = Int(crypto_auth_BYTES)
    /// Safe to call from any thread, as often as one likes; below 0 if the machine has no randomness.
    private static let isReady = sodium_init() >= 0

    private let key: [UInt8]

    /// - Parameter key: ``keyByteCount`` random bytes.
    /// - Throws: ``EnergyError`` `.invalidInput` for a key of another length, `.unavailable` when libsodium cannot be used.
    public init(key: [UInt8]) throws(EnergyError) {
        guard key.count == Self.keyByteCount else {
            throw EnergyError(.invalidInput, "a key has \(Self.keyByteCount) bytes, not \(key.count)")
        }
        guard Self.isReady else { throw EnergyError(.unavailable, "libsodium cannot be used") }
        self.key = key
    }

    public func code(of message: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Self.codeByteCount)
        // It always returns 0.
        _ = crypto_auth(&code, message, UInt64(message.count), key)
        return code
    }

    /// Whether it is the message's code; in a time that does not depend on where they differ.
    public func isCode(_ code: [UInt8], of message: [UInt8]) -> Bool {
        code.count == Self.codeByteCount && crypto_auth_verify(code, message, UInt64(message.count), key) == 0
    }
}
