internal import CSodium
public import EnergyModel

/// Passwords as argon2id hashes by libsodium's `crypto_pwhash_str`: one line of text with its salt and costs.
///
/// - Source: https://doc.libsodium.org/password_hashing/default_phf
public enum PasswordHash {
    /// Of a password, in bytes of UTF-8.
    public static let bytesMin = 12
    public static let bytesMax = 256
    /// 19 MiB twice over: the least that OWASP's Password Storage Cheat Sheet allows, because a service has little memory.
    private static let (passes, memoryBytes) = (UInt64(2), 19 * 1_024 * 1_024)
    private static let isReady = sodium_init() >= 0

    /// - Throws: `.invalidInput` for a password that is too short or too long, `.unavailable` without memory.
    public static func make(_ password: String) throws(EnergyError) -> String {
        guard bytesMin...bytesMax ~= password.utf8.count else {
            throw EnergyError(.invalidInput, "a password has \(bytesMin) to \(bytesMax) bytes")
        }
        var hash = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let bytes = password.utf8.map { CChar(bitPattern: $0) }
        guard isReady, crypto_pwhash_str(&hash, bytes, UInt64(bytes.count), passes, memoryBytes) == 0 else {
            throw EnergyError(.unavailable, "there is no memory to hash a password")
        }
        return String(decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether text can be what ``make(_:)`` returned, and costs no more.
    public static func isHash(_ text: String) -> Bool {
        guard text.hasPrefix("$argon2id$"), text.utf8.count < Int(crypto_pwhash_STRBYTES) else { return false }
        return crypto_pwhash_str_needs_rehash(text, passes, memoryBytes) == 0
    }

    /// Takes as long for a wrong password as for the right one.
    public static func verify(_ password: String, _ hash: String) -> Bool {
        guard isReady, password.utf8.count <= bytesMax else { return false }
        let bytes = password.utf8.map { CChar(bitPattern: $0) }
        return crypto_pwhash_str_verify(hash, bytes, UInt64(bytes.count)) == 0
    }
}
