internal import CSodium

/// SHA-256 by libsodium's `crypto_hash_sha256`.
public enum SodiumHash {
    /// - Returns: 32 bytes.
    public static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        // It always returns 0, and needs no `sodium_init`.
        _ = crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }
}
