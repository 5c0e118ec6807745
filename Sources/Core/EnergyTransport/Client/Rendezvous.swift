/// Which of several replicas a call prefers: the one whose score with the call's key is highest.
///
/// Every client that knows the replicas by the same addresses prefers the same one for a key, in whatever order it knows
/// them; when one goes, only its keys move, and evenly to the others.
///
/// - Source: D. Thaler, C. V. Ravishankar, "Using name-based mappings to increase hit rates", 1998.
struct Rendezvous {
    /// What a score begins with: the hash of the replica's address.
    private let seed: UInt64

    init(address: String) { seed = Self.hash(address.utf8, from: 0xcbf2_9ce4_8422_2325) }

    /// Swift's own hashes differ from process to process: FNV-1a, mixed at the end so that keys that differ in their
    /// last byte only spread as well.
    func score(_ key: [UInt8]) -> UInt64 {
        var hash = Self.hash(key, from: seed)
        hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
        return hash ^ (hash >> 31)
    }

    private static func hash(_ bytes: some Sequence<UInt8>, from start: UInt64) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
