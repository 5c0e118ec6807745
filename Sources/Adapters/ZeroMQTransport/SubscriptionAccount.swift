/// What subscribers have subscribed to, held to a bound: libzmq keeps a node of 32 bytes for each character of a prefix,
/// of whoever sends it.
struct SubscriptionAccount {
    /// Characters of all subscriptions together, and what each costs besides: about 35 MiB of memory, or 9,500
    /// subscriptions such as `guidance/<venue>/`. While libzmq takes so much in, a quarter of a second, nobody else is heard.
    static let bytesMax = 1_024 * 1_024
    private static let eachBytes = 64
    /// Keys that are told apart.
    private static let keysMax = 1_000

    private var openBytes = 0
    /// Since the account was last empty or cleared, by key.
    private var sentBytes: [String: Int] = [:]

    /// - Returns: whether there is more than may be.
    mutating func add(prefixByteCount: Int, of key: String?) -> Bool {
        let cost = prefixByteCount + Self.eachBytes
        openBytes += cost
        if let key, sentBytes.count < Self.keysMax || sentBytes[key] != nil { sentBytes[key, default: 0] += cost }
        return openBytes > Self.bytesMax
    }

    mutating func remove(prefixByteCount: Int) {
        openBytes = max(0, openBytes - prefixByteCount - Self.eachBytes)
        if openBytes == 0 { sentBytes = [:] }
    }

    /// Everything was closed.
    ///
    /// - Returns: the key that sent most.
    mutating func clear() -> String? {
        defer { (openBytes, sentBytes) = (0, [:]) }
        return sentBytes.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
}
