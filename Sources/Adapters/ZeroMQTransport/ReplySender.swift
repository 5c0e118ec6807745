internal import EnergyTransport
internal import ZeroMQ

/// Sends a server's frames to its peers through ROUTER, in the order of each peer, and keeps what a peer has no room for.
///
/// ROUTER queues 1,000 messages for a peer, of any size. So large frames are also counted by their bytes until they are on
/// the network: beyond a share of the limit they are kept here, like those beyond ROUTER's own.
struct ReplySender {
    private static let silenceNanoseconds: Int64 = 60_000_000_000

    private let limits: ServerLimits
    private let endpoint: ServerEndpoint
    private let onLoss: @Sendable (TransportLoss) -> Void
    private var parked: ParkedReplies
    private let gate: Gate
    private var accounts: [ServerEngine.PeerID: SendAccount] = [:]
    private var told: [ServerEngine.PeerID: Int64] = [:]
    /// Of peers for which frames are kept: the endpoint forgets who is silent for long.
    private var names: [ServerEngine.PeerID: String] = [:]
    /// Peers for which more or fewer frames are kept than the endpoint knows.
    private var changed: Set<ServerEngine.PeerID> = []

    init(limits: ServerLimits, endpoint: ServerEndpoint, onLoss: @escaping @Sendable (TransportLoss) -> Void) {
        self.limits = limits
        self.endpoint = endpoint
        self.onLoss = onLoss
        parked = ParkedReplies(limits: limits)
        gate = Gate(limits: limits)
    }

    mutating func send(_ frame: Frame, to id: ServerEngine.PeerID, through socket: borrowing Socket) {
        // Behind what waits already: the order of a peer's frames is kept.
        let transfer = parked.isWaiting(id) ? .wouldBlock : trySend(frame, to: id, through: socket)
        switch transfer {
        case .done: break
        case .wouldBlock: park(frame, for: id)
        case .unreachable: giveUp(id, .gone, frameCount: 1)
        }
    }

    private mutating func park(_ frame: Frame, for id: ServerEngine.PeerID) {
        changed.insert(id)
        if names[id] == nil { names[id] = endpoint.principalName(of: id) }
        let outcome = parked.park(frame, for: id, at: monotonicNanoseconds())
        switch outcome {
        case .parked: endpoint.count { $0.framesParked += 1 }
        case .shortened:
            endpoint.count { $0.repliesShortened += 1 }
        case .lost:
            endpoint.count { $0.framesUndeliverable += 1 }
            tell(.unread, of: id, frameCount: 1)
        }
    }

    /// - Returns: when to try again.
    mutating func retry(through socket: borrowing Socket) -> Int64 {
        guard !parked.isEmpty else { return .max }
        let now = monotonicNanoseconds()
        for id in parked.due(at: now) {
            let isHopeful = !parked.isHopeless(id, at: now)
            let countBefore = parked.frameCount(of: id)
            let (account, gate) = (accounts[id], gate)
            let transfer = parked.sendAll(of: id, at: now) { bytes in
                gate.trySend(byteCount: bytes.count, to: id, account, through: socket) { $0.copyMemory(from: bytes) }
            }
            if parked.frameCount(of: id) != countBefore { changed.insert(id) }
            if transfer == .unreachable { giveUp(id, .gone, frameCount: 0) }
            if transfer == .wouldBlock, !isHopeful { giveUp(id, .unread, frameCount: 0) }
        }
        reportChanges()
        return parked.nextTry(after: now)
    }

    /// Tells the endpoint for whom frames are kept: such peers' requests are refused, and their streams wait.
    mutating func reportChanges() {
        guard !changed.isEmpty else { return }
        endpoint.noteUnsent(changed.sorted().map { ($0, parked.frameCount(of: $0)) })
        changed.removeAll(keepingCapacity: true)
        guard parked.isEmpty else { return }
        accounts = accounts.filter { $0.value.byteCount > 0 }
        names.removeAll(keepingCapacity: true)
    }

    private mutating func giveUp(_ id: ServerEngine.PeerID, _ kind: TransportLoss.Kind, frameCount: Int) {
        let dropped = frameCount + parked.drop(id)
        changed.insert(id)
        endpoint.count { $0.framesUndeliverable += UInt64(dropped) }
        endpoint.dropPeer(id, hasLeft: kind == .gone)
        tell(kind, of: id, frameCount: dropped)
        names[id] = nil
    }

    /// Once per peer and minute: what it loses after that is only counted.
    private mutating func tell(_ kind: TransportLoss.Kind, of id: ServerEngine.PeerID, frameCount: Int) {
        let now = monotonicNanoseconds()
        if let last = told[id], now - last < Self.silenceNanoseconds { return }
        if told.count >= limits.peersMax { told = told.filter { now - $0.value < Self.silenceNanoseconds } }
        if told.count < limits.peersMax { told[id] = now }
        // That somebody has gone is nothing to be held against them.
        onLoss(TransportLoss(kind, frameCount: frameCount, name: kind == .unread ? names[id] : nil))
    }

    private mutating func trySend(
        _ frame: Frame, to id: ServerEngine.PeerID, through socket: borrowing Socket
    ) -> Transfer {
        var transfer = Transfer.unreachable
        let account = frame.body.count < Gate.accountedFrom ? nil : account(of: id)
        frame.encode { (byteCount, write) in
            transfer = gate.trySend(byteCount: byteCount, to: id, account, through: socket) { write($0) }
        }
        return transfer
    }

    private mutating func account(of id: ServerEngine.PeerID) -> SendAccount {
        if let account = accounts[id] { return account }
        if accounts.count >= limits.peersMax { accounts = accounts.filter { $0.value.byteCount > 0 } }
        let account = SendAccount(partOf: gate.all)
        accounts[id] = account
        return account
    }
}

/// Lets a frame through to ROUTER, or says that there is no room.
private struct Gate {
    /// What is smaller needs no account: ROUTER's count bounds it to 4 MB.
    static let accountedFrom = 4 * 1024

    let limits: ServerLimits
    /// What libzmq holds for all peers.
    let all = SendAccount()

    /// Once ROUTER has taken the routing id, the peer has room for the rest.
    func trySend(
        byteCount: Int, to id: ServerEngine.PeerID, _ account: SendAccount?, through socket: borrowing Socket,
        _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) -> Transfer {
        let account = byteCount < Self.accountedFrom ? nil : account
        if let account,
            account.byteCount > limits.unsentBytesPerPeerMax / 2
                || all.byteCount > limits.unsentBytesMax
        {
            return .wouldBlock
        }
        let peer = Peer(id: id)
        let first = try? socket.send(byteCount: Peer.routingIDByteCount, more: true) { peer.write(to: $0) }
        guard first == .done else { return first ?? .unreachable }
        if peer.hasDelimiter { _ = try? socket.send(byteCount: 0, more: true) { _ in } }
        _ = try? socket.send(byteCount: byteCount, account: account) { write($0) }
        return .done
    }
}
