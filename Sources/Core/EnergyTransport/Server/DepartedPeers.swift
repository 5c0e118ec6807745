/// Peers that have left, while what they sent before may still be read. A link does not give their numbers again.
///
/// Two generations: who left last is known longest, and old ones are forgotten.
struct DepartedPeers {
    private static let generationMax = 4_096

    private var young: Set<ServerEngine.PeerID> = []
    private var old: Set<ServerEngine.PeerID> = []

    func contains(_ peer: ServerEngine.PeerID) -> Bool {
        !young.isEmpty && (young.contains(peer) || old.contains(peer))
    }

    mutating func insert(_ peer: ServerEngine.PeerID) {
        if young.count >= Self.generationMax {
            old = young
            young = []
        }
        young.insert(peer)
    }
}
