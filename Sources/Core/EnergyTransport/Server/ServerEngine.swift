/// The server's side of request/reply as a value: a frame, a handler's answer or the time goes in, frames and actions
/// come out. No clock, socket or task.
///
/// A call stays in its peer's count until its handler has returned, even when it was answered before (cancelled,
/// expired): otherwise a peer could have any number of handlers running.
package struct ServerEngine {
    /// A connection of a caller, as the link numbers them.
    package typealias PeerID = UInt64

    package struct CallKey: Hashable, Comparable, Sendable {
        package let peer: PeerID
        package let callID: UInt64

        package static func < (lhs: CallKey, rhs: CallKey) -> Bool {
            (lhs.peer, lhs.callID) < (rhs.peer, rhs.callID)
        }
    }

    /// A handler to start.
    package struct Invocation: Sendable {
        package let key: CallKey
        package let handler: MethodTable.Handler
        package let body: [UInt8]
        package let context: RequestContext
    }

    package enum Action {
        /// The call's handler is to stop: nobody wants its answer.
        case cancelHandler(CallKey)
        /// The writer with this ticket may go on, or is told why not.
        case resumeWriter(UInt64, Result<Void, CallFailure>)
        /// Draining, and the last call has ended, or the time for it has.
        case drained
    }

    struct Peer {
        var principal: Principal
        var lastSeen: MonotonicTime
        var callCount = 0
        var streamCount = 0
        /// Not heard for longer than the lease, or found unreachable; heard again, it is back.
        var isGone = false
    }

    struct Call {
        let isStream: Bool
        let deadline: MonotonicTime
        /// The caller has its answer, or is gone; only the handler is still running.
        var isAnswered = false
        var credit: UInt64 = 0
        var chunkCount: UInt32 = 0
        /// Writers without credit, oldest first.
        var waiting: [(ticket: UInt64, chunk: [UInt8])] = []
    }

    /// Frames of a peer that the link keeps, because the peer does not read.
    private(set) var unsent: [PeerID: Int] = [:]
    /// Chunks among ``outgoing``: a handler that never waits must not fill it faster than the link takes it.
    var outgoingChunkByteCount = 0
    static let outgoingChunkBytesMax = 1024 * 1024
    /// Streams that wait for the link to take what is outgoing.
    private var held: Set<CallKey> = []
    let limits: ServerLimits
    package var methods: MethodTable { didSet { lastMethod = nil } }
    /// Most requests are for the method of the one before.
    var lastMethod: (name: String, entry: MethodTable.Entry)?
    var peers: [PeerID: Peer] = [:]
    var calls: [CallKey: Call] = [:]
    var isDraining = false
    var drainEnd = MonotonicTime.distantFuture
    /// Until when all that arrived has been read: nobody is silent for what was not read yet.
    package private(set) var heardUntil = MonotonicTime.distantFuture
    /// Since when the link has not read all that had arrived, and the frames received until then.
    private var lateSince: (time: MonotonicTime, framesReceived: UInt64)?
    var departed = DepartedPeers()
    /// No timer is due before this; it may be too early, never too late.
    var nextTimer = MonotonicTime.distantFuture
    /// Who was refused since it was last taken; some of them, if they are very many.
    package var refused: Set<RefusedCaller> = []
    private static let refusedMax = 100
    /// Frames to send, in order, since they were last taken.
    package var outgoing: [(peer: PeerID, frame: Frame)] = []
    /// What to do, in order, since it was last taken.
    package var actions: [Action] = []
    package var statistics = TransportStatistics()
    /// Messages that were no frames, or had a header or a number of parts that no frame has.
    package private(set) var malformedCount: UInt64 = 0

    package init(methods: MethodTable, limits: ServerLimits) {
        self.methods = methods
        self.limits = limits
    }

    package var callCount: Int { calls.count }

    /// The link has read what arrived.
    ///
    /// - Parameter isAll: nothing was left. A link that leaves something must read from every peer in turn.
    package mutating func noteRead(isAll: Bool, at now: MonotonicTime) {
        guard !isAll else {
            heardUntil = now
            lateSince = nil
            return
        }
        guard let lateSince else {
            lateSince = (now, statistics.framesReceived)
            return
        }
        // In so many frames there was one of everybody who had sent something.
        guard statistics.framesReceived - lateSince.framesReceived >= UInt64(limits.peersMax) else { return }
        heardUntil = lateSince.time
        self.lateSince = nil
    }

    /// What the peer had sent before is not served.
    package mutating func noteDeparted(_ peer: PeerID) { departed.insert(peer) }

    /// Whether the call has begun and its caller still waits for the answer.
    package func isWanted(_ key: CallKey) -> Bool { calls[key]?.isAnswered == false }

    /// The link keeps so many frames for the peer, or 0 again.
    package mutating func noteUnsent(_ frameCount: Int, of peer: PeerID) {
        guard frameCount == 0 else {
            unsent[peer] = frameCount
            return
        }
        guard unsent.removeValue(forKey: peer) != nil else { return }
        for key in calls.filter({ $0.key.peer == peer && !$0.value.waiting.isEmpty }).keys.sorted() {
            sendWaiting(of: key)
        }
    }

    /// Holds a stream until the link has taken what is outgoing.
    mutating func hold(_ key: CallKey) { held.insert(key) }

    /// The link has taken ``outgoing``.
    package mutating func noteTaken() {
        outgoingChunkByteCount = 0
        guard !held.isEmpty else { return }
        let keys = held.sorted()
        held = []
        for key in keys { sendWaiting(of: key) }
    }

    mutating func send(_ header: Header, body: [UInt8] = [], to peer: PeerID) {
        outgoing.append((peer, Frame(header, body: body)))
    }

    mutating func noteMalformed() { malformedCount &+= 1 }

    /// The one frame that ends a call.
    mutating func sendTerminal(_ header: Header, body: [UInt8] = [], to peer: PeerID) {
        if header.asksAnother {
            statistics.callsLeft += 1
        } else {
            statistics.repliesByStatus[min(Int(header.status), StatusCode.allCases.count - 1)] += 1
        }
        send(header, body: body, to: peer)
    }

    mutating func note(_ failure: CallFailure, of principal: Principal?) {
        guard let principal, refused.count < Self.refusedMax, let reason = RefusedCaller.Reason(failure) else { return }
        refused.insert(RefusedCaller(name: principal.name, reason: reason))
    }

    mutating func wake(at time: MonotonicTime) { nextTimer = min(nextTimer, time) }
}
