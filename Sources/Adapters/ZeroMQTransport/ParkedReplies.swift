internal import EnergyTransport

/// Replies whose peer has no room. ROUTER does not tell when it has room again, so they are tried again after a while;
/// a peer that makes none for longer than a lease is given up.
struct ParkedReplies {
    private struct Queue {
        var frames: [Frame] = []
        var head = 0
        let since: Int64
    }

    /// As many as one peer may have calls in flight, and its streams' chunks.
    private static let framesPerPeerMax = 1_024
    private static let retryNanoseconds: Int64 = 5_000_000
    private static let patienceNanoseconds: Int64 = 15_000_000_000

    private var queues: [ServerEngine.PeerID: Queue] = [:]
    private var nextTry: Int64 = .max

    var isEmpty: Bool { queues.isEmpty }

    func isWaiting(_ peer: ServerEngine.PeerID) -> Bool { !queues.isEmpty && queues[peer] != nil }

    /// - Returns: `false` when the peer has too many already.
    mutating func park(_ frame: Frame, for peer: ServerEngine.PeerID, at now: Int64) -> Bool {
        var queue = queues.removeValue(forKey: peer) ?? Queue(since: now)
        let hasRoom = queue.frames.count - queue.head < Self.framesPerPeerMax
        if hasRoom { queue.frames.append(frame) }
        queues[peer] = queue
        nextTry = min(nextTry, now + Self.retryNanoseconds)
        return hasRoom
    }

    func due(at now: Int64) -> [ServerEngine.PeerID] { nextTry <= now ? Array(queues.keys) : [] }

    func first(of peer: ServerEngine.PeerID) -> Frame? {
        guard let queue = queues[peer] else { return nil }
        return queue.frames[queue.head]
    }

    mutating func removeFirst(of peer: ServerEngine.PeerID) {
        queues[peer]?.head += 1
        guard let queue = queues[peer], queue.head == queue.frames.count else { return }
        queues[peer] = nil
    }

    func isHopeless(_ peer: ServerEngine.PeerID, at now: Int64) -> Bool {
        guard let queue = queues[peer] else { return false }
        return now - queue.since > Self.patienceNanoseconds
    }

    /// - Returns: how many frames were dropped.
    mutating func drop(_ peer: ServerEngine.PeerID) -> Int {
        guard let queue = queues.removeValue(forKey: peer) else { return 0 }
        return queue.frames.count - queue.head
    }

    mutating func nextTry(after now: Int64) -> Int64 {
        if nextTry <= now { nextTry = now + Self.retryNanoseconds }
        if queues.isEmpty { nextTry = .max }
        return nextTry
    }
}
