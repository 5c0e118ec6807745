/// The client's side of request/reply as a value: calls, frames, connections and time go in; frames and results come
/// out. No clock, socket or task.
///
/// Each server address is a link. Of those that are up, a call goes to the one that its key prefers. A call that has not
/// been sent yet waits for a link; one that was on a link that broke is sent again if it is idempotent, and fails
/// otherwise: nobody knows whether it was carried out.
package struct ClientEngine {
    /// Names a call towards the endpoint; stays the same in every attempt.
    package typealias CallToken = UInt64

    package enum Action {
        case finish(CallToken, Result<[UInt8], CallFailure>)
        /// Whoever waits for the stream's next chunk should look again.
        case streamReady(CallToken)
    }

    struct Link {
        var isUp = false
        /// The server said that it is stopping.
        var isDraining = false
        /// Nothing heard for three pings although calls are in flight: asked last.
        var isSilent = false
        var callCount = 0
        var lastHeard = MonotonicTime(nanoseconds: 0)
        var nextPing = MonotonicTime.distantFuture
        /// Why the other side does not let us in.
        var refusal: CallFailure?
        /// What the server leaves to another replica, until when, and what it said of that.
        var declined: [Matter: (until: MonotonicTime, failure: CallFailure)] = [:]
        /// What it does while another, which was asked before it, does not: asked first.
        var taken: Set<Matter> = []
    }

    /// What one replica does while another does not: a method, of one venue.
    struct Matter: Hashable {
        let method: String
        let affinity: [UInt8]
    }

    enum Phase {
        /// For a link, or for its turn.
        case waiting(since: MonotonicTime)
        case inFlight(link: Int)
        /// After a failed attempt.
        case backingOff(until: MonotonicTime)
    }

    struct Call {
        let method: String
        let body: [UInt8]
        let options: CallOptions
        let isStream: Bool
        let deadline: MonotonicTime
        /// Only this link will do.
        let pinnedLink: Int?
        var phase: Phase
        var attempt: UInt32 = 0
        /// Since when it looks for the replica that does not leave it to another.
        var declined: MonotonicTime?

        var matter: Matter { Matter(method: method, affinity: options.affinity) }
    }

    struct Stream {
        /// Chunks not yet taken, from `head` on.
        var chunks: [[UInt8]] = []
        var head = 0
        var nextSequence: UInt32 = 0
        /// Chunks the server may still send.
        var credit: UInt32
        /// Chunks taken and not yet promised again.
        var taken: UInt32 = 0
        /// The stream's end, once it is known; chunks before it are still delivered.
        var end: Result<Void, CallFailure>?
    }

    /// A call's id on the wire: its token and the attempt, so that a late answer to an earlier attempt is known as such.
    private static let attemptBits: UInt64 = 3

    let limits: ClientLimits
    var links: [Link]
    /// Of each link; `nil` while there is no server for it.
    private var servers: [Rendezvous?] {
        didSet { hasReplicas = servers.count { $0 != nil } > 1 }
    }
    private(set) var hasReplicas: Bool
    /// Of calls without a key: they stay together, and clients spread.
    private let ownKey: [UInt8]
    var calls: [CallToken: Call] = [:]
    /// Streams that are open, or have ended and still hold what the consumer has not taken.
    var streams: [CallToken: Stream] = [:]
    /// Calls that wait, oldest first, from `waitingHead` on; those that ended meanwhile are skipped.
    var waiting: [CallToken] = []
    var waitingHead = 0
    /// When the last connection was lost.
    var isAloneSince = MonotonicTime(nanoseconds: .min)
    private var lastToken: CallToken = 0
    /// No timer is due before this; it may be too early, never too late.
    var nextTimer = MonotonicTime.distantFuture
    var random: any RandomNumberGenerator & Sendable
    package var outgoing: [(link: Int, frame: Frame)] = []
    package var actions: [Action] = []
    package var statistics = TransportStatistics()

    /// - Parameter addresses: one link each; `nil` is one without a server.
    package init(
        addresses: [String?], limits: ClientLimits,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.limits = limits
        self.random = random
        links = Array(repeating: Link(), count: addresses.count)
        servers = addresses.map { $0.map(Rendezvous.init(address:)) }
        hasReplicas = servers.count { $0 != nil } > 1
        ownKey = withUnsafeBytes(of: self.random.next()) { Array($0) }
    }

    mutating func wake(at time: MonotonicTime) { nextTimer = min(nextTimer, time) }

    mutating func send(_ header: Header, body: [UInt8] = [], to link: Int) {
        outgoing.append((link, Frame(header, body: body)))
    }

    func wireID(_ token: CallToken, _ call: Call) -> UInt64 { token << Self.attemptBits | UInt64(call.attempt) }

    static func token(ofWireID id: UInt64) -> (token: CallToken, attempt: UInt32) {
        (id >> attemptBits, UInt32(id & (1 << attemptBits - 1)))
    }

    /// The link is to another server from now on, or to none.
    ///
    /// - Parameter link: may be the one after the last.
    package mutating func relink(_ link: Int, to address: String?, at now: MonotonicTime) {
        if link == links.count {
            links.append(Link())
            servers.append(nil)
        }
        linkDown(link, at: now)
        links[link] = Link()
        servers[link] = address.map(Rendezvous.init(address:))
    }

    func hasServer(_ link: Int) -> Bool { servers[link] != nil }

    package mutating func makeToken() -> CallToken {
        lastToken += 1
        return lastToken
    }

    /// - Parameter link: the only link that will do; `nil` for any.
    package mutating func begin(
        _ token: CallToken, _ method: String, _ body: [UInt8], _ options: CallOptions, isStream: Bool = false,
        on link: Int? = nil, at now: MonotonicTime
    ) {
        let timeout = options.timeout ?? (isStream ? nil : limits.unaryTimeout)
        let deadline = timeout.map { now.advanced(by: $0) } ?? .distantFuture
        var call = Call(
            method: method, body: body, options: options, isStream: isStream, deadline: deadline, pinnedLink: link,
            phase: .waiting(since: now))
        if isStream { streams[token] = Stream(credit: limits.streamWindow) }
        if let failure = refusal(method, body, options) ?? (deadline > now ? nil : .deadlineExceeded) {
            calls[token] = call
            end(token, .failure(failure))
            return
        }
        wake(at: deadline)
        if waitingCount == 0, let link = linkWithRoom(for: call) {
            dispatch(token, &call, on: link, at: now)
            calls[token] = call
            return
        }
        calls[token] = call
        guard waitingCount < limits.callsWaitingMax else {
            end(token, .failure(CallFailure(.resourceExhausted, "too many calls wait for the service")))
            return
        }
        waiting.append(token)
        wake(at: now.advanced(by: limits.connectionPatience))
        dispatchWaiting(at: now)
    }

    private var waitingCount: Int { waiting.count - waitingHead }

    private func refusal(_ method: String, _ body: [UInt8], _ options: CallOptions) -> CallFailure? {
        if method.utf8.count > Header.methodByteCountMax {
            return CallFailure(.invalidArgument, "a method's name of \(method.utf8.count) bytes")
        }
        if body.count > Frame.bodyByteCountMax {
            return CallFailure(.resourceExhausted, "a body of \(body.count) bytes; a frame takes 1 MiB")
        }
        if options.idempotencyKey.count > Header.idempotencyKeyByteCountMax {
            return CallFailure(.invalidArgument, "an idempotency key has at most 32 bytes")
        }
        if !options.traceID.isEmpty, options.traceID.count != Header.traceIDByteCount {
            return CallFailure(.invalidArgument, "a trace id has 16 bytes")
        }
        return servers.allSatisfy { $0 == nil } ? CallFailure(.unavailable, "no server is configured") : nil
    }

    /// Of the links that are up and well, the one that is known to take the call, or else the one that its key prefers; one that
    /// is silent if there is no other.
    private func linkWithRoom(for call: Call) -> Int? {
        let key = call.options.affinity.isEmpty ? ownKey : call.options.affinity
        var best: (link: Int, rank: (Int, Int, UInt64))?
        for (index, link) in links.enumerated() where isOpen(link, to: call) && link.callCount < limits.callsInFlightMax
        {
            guard let server = servers[index], call.pinnedLink == nil || call.pinnedLink == index else { continue }
            let rank = (link.isSilent ? 0 : 1, link.taken.contains(call.matter) ? 1 : 0, server.score(key))
            if let best, best.rank >= rank { continue }
            best = (index, rank)
        }
        return best?.link
    }

    /// Who is stopping, or leaves it to another, refuses it: another replica will take it, and where there is none,
    /// that answer is better than none.
    func isOpen(_ link: Link, to call: Call) -> Bool {
        guard link.isUp else { return false }
        guard hasReplicas, call.pinnedLink == nil else { return true }
        return !link.isDraining && link.declined[call.matter] == nil
    }

    private mutating func dispatch(_ token: CallToken, _ call: inout Call, on link: Int, at now: MonotonicTime) {
        call.phase = .inFlight(link: link)
        var header = Header(.request, callID: wireID(token, call))
        header.method = call.method
        if call.deadline != .distantFuture {
            header.timeoutMicroseconds = UInt64(max(1, now.duration(to: call.deadline).nanoseconds / 1_000))
        }
        header.idempotencyKey = call.options.idempotencyKey
        header.attempt = call.attempt
        header.traceID = call.options.traceID
        if call.isStream { header.credit = limits.streamWindow }
        send(header, body: call.body, to: link)

        if links[link].callCount == 0 {
            links[link].lastHeard = now
            links[link].nextPing = now.advanced(by: limits.pingInterval)
            wake(at: links[link].nextPing)
        }
        links[link].callCount += 1
    }

    /// Sends what waits, as far as links have room.
    mutating func dispatchWaiting(at now: MonotonicTime) {
        guard waitingHead < waiting.count else { return }
        var passedOver: [CallToken] = []
        while waitingHead < waiting.count {
            let token = waiting[waitingHead]
            guard var call = calls[token], case .waiting = call.phase else {
                waitingHead += 1
                continue
            }
            guard let link = linkWithRoom(for: call) else {
                // A call that wants one certain link, or one that takes it over, must not hold up the others.
                guard call.pinnedLink != nil || links.contains(where: { $0.declined[call.matter] != nil }) else {
                    break
                }
                passedOver.append(token)
                waitingHead += 1
                continue
            }
            waitingHead += 1
            dispatch(token, &call, on: link, at: now)
            calls[token] = call
        }
        if !passedOver.isEmpty || waitingHead == waiting.count || waitingHead > 1_024 {
            waiting.removeFirst(waitingHead)
            waiting.insert(contentsOf: passedOver, at: 0)
            waitingHead = 0
        }
    }
}

extension CallFailure {
    /// Said by whichever side notices first. What was asked may have been done, or may still be.
    public static let deadlineExceeded = CallFailure(.deadlineExceeded, "no answer within the call's timeout")
    static let cancelledByCaller = CallFailure(.cancelled, "the call was cancelled")
}
