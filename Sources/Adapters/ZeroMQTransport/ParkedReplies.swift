internal import EnergyTransport
internal import ZeroMQ

/// Replies whose peer has no room, encoded, oldest first. ROUTER does not tell when it has room again, so they are tried
/// again after a while; a peer that makes none for longer than a lease is given up.
///
/// Bytes are bounded, not frames: a request that comes while replies wait is refused with a few bytes, and those are kept
/// by the hundred thousand.
struct ParkedReplies {
    enum Outcome {
        case parked
        /// There was no room for the reply: one that says so took its place.
        case shortened
        case lost
    }

    private struct Queue {
        var frames = FrameQueue()
        /// When it was made, or last got shorter.
        var progress: Int64
    }

    private static let retryNanoseconds: Int64 = 5_000_000
    private static let patienceNanoseconds: Int64 = 15_000_000_000
    /// Smaller replies are never shortened: little would be won.
    private static let shortenedFrom = 4 * 1024

    private let limits: ServerLimits
    private var queues: [ServerEngine.PeerID: Queue] = [:]
    private var byteCount = 0
    private var nextTry: Int64 = .max

    init(limits: ServerLimits) { self.limits = limits }

    var isEmpty: Bool { queues.isEmpty }

    func isWaiting(_ peer: ServerEngine.PeerID) -> Bool { !queues.isEmpty && queues[peer] != nil }

    func frameCount(of peer: ServerEngine.PeerID) -> Int { queues[peer]?.frames.frameCount ?? 0 }

    mutating func park(_ frame: Frame, for peer: ServerEngine.PeerID, at now: Int64) -> Outcome {
        nextTry = min(nextTry, now + Self.retryNanoseconds)
        var queue = queues.removeValue(forKey: peer) ?? Queue(progress: now)
        defer { queues[peer] = queue }
        let isLarge = frame.body.count >= Self.shortenedFrom
        // Half is for what is small, so that the large ones leave room to say that there is none.
        if append(frame, to: &queue, share: isLarge ? 2 : 1) { return .parked }
        guard isLarge, frame.header.kind == .reply, append(Frame(Self.tooLate(frame.header)), to: &queue, share: 1)
        else { return .lost }
        return .shortened
    }

    private mutating func append(_ frame: Frame, to queue: inout Queue, share: Int) -> Bool {
        let size = frame.encodedByteCount
        guard queue.frames.byteCount + size <= limits.unsentBytesPerPeerMax / share,
            byteCount + size <= limits.unsentBytesMax / share
        else { return false }
        byteCount += size
        queue.frames.append(frame, byteCount: size)
        return true
    }

    /// Not `resourceExhausted`: the call was carried out.
    private static func tooLate(_ header: Header) -> Header {
        Header(
            .reply, callID: header.callID,
            failure: CallFailure(.unknown, "the call was carried out; its reply found no room, because none are read"))
    }

    func due(at now: Int64) -> [ServerEngine.PeerID] { nextTry <= now ? Array(queues.keys) : [] }

    /// Lends the peer's frames to `send`, oldest first, until it returns something other than `.done`, and removes those
    /// that it has sent.
    mutating func sendAll(
        of peer: ServerEngine.PeerID, at now: Int64, _ send: (UnsafeRawBufferPointer) -> Transfer
    ) -> Transfer {
        guard var queue = queues.removeValue(forKey: peer) else { return .done }
        let before = queue.frames.byteCount
        var transfer = Transfer.done
        while !queue.frames.isEmpty, transfer == .done {
            transfer = queue.frames.withFirst(send)
            if transfer == .done { queue.frames.removeFirst() }
        }
        byteCount -= before - queue.frames.byteCount
        if queue.frames.byteCount < before { queue.progress = now }
        if !queue.frames.isEmpty { queues[peer] = queue }
        return transfer
    }

    func isHopeless(_ peer: ServerEngine.PeerID, at now: Int64) -> Bool {
        guard let queue = queues[peer] else { return false }
        return now - queue.progress > Self.patienceNanoseconds
    }

    /// - Returns: how many frames were dropped.
    mutating func drop(_ peer: ServerEngine.PeerID) -> Int {
        guard let queue = queues.removeValue(forKey: peer) else { return 0 }
        byteCount -= queue.frames.byteCount
        return queue.frames.frameCount
    }

    mutating func nextTry(after now: Int64) -> Int64 {
        if nextTry <= now { nextTry = now + Self.retryNanoseconds }
        if queues.isEmpty { nextTry = .max }
        return nextTry
    }
}
