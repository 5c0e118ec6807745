internal import EnergyTransport
internal import ZeroMQ

/// A client's socket to one address, and the socket that tells whether it is connected.
final class ClientLink {
    let socket: Socket
    let monitor: SocketMonitor
    /// What is still to be sent, oldest first, from `head` on.
    var queue: [Frame] = []
    var head = 0
    var isBlocked: Bool { head < queue.count }
    /// When to try again where the other side did not let us in: its list of clients may have changed.
    private var retryTime = Int64.max
    private let address: String
    private static let retryNanoseconds: Int64 = 1_000_000_000
    private static let nextKeyNanoseconds: Int64 = 20_000_000
    private let security: ClientSecurity?
    /// Those that the service was last said to have, and the one that was shown.
    private var serverKeys: [CurveKey]
    private var keyIndex = 0
    /// One of them was the other side's: it has heard ours.
    private var isHeard = false
    /// The other side has hung up on every key once.
    private var isDoubtful = false
    /// When the last try to connect began, as far as this side began it.
    private var triedTime = monotonicNanoseconds()
    /// A refusal comes at once; what comes after this is libzmq giving up on somebody who says nothing.
    private static let silenceNanoseconds = Int64(SocketSettings.handshakeMilliseconds) * 900_000

    init(
        _ kind: Socket.Kind, _ address: String, security: ClientSecurity?, context: Context
    ) throws(ZeroMQError) {
        let socket = try Socket(kind, context: context)
        self.security = security
        serverKeys = security?.serverKeys() ?? []
        if let security, let first = serverKeys.first { try socket.present(security.keys, to: first) }
        if kind == .sub {
            try SocketSettings.applySubscriber(to: socket)
        } else {
            try SocketSettings.applyDealer(to: socket)
        }
        // Elsewhere libzmq would ask the system for an IPv6 socket first, which not every host has.
        if address.hasPrefix("tcp://[") { try socket.set(.ipv6, 1) }
        monitor = try SocketMonitor(.connection, of: socket, context: context)
        try socket.connect(address)
        self.socket = socket
        self.address = address
    }

    deinit { socket.stopMonitoring() }

    /// - Parameter isHeard: the other side has heard our key, and does not let it in.
    /// - Returns: why, once all keys that the service may have were tried: twice, where the other side only hangs up. So does
    ///   a service that ends in the middle of a greeting, but not twice.
    func noteRefused(isHeard: Bool) -> LinkRefusal? {
        // libzmq tries again by itself where the other side hung up: with the same key.
        guard retryTime == .max else { return nil }
        let now = monotonicNanoseconds()
        guard isHeard || now - triedTime < Self.silenceNanoseconds else {
            retryTime = now + Self.retryNanoseconds
            isDoubtful = false
            return nil
        }
        self.isHeard = self.isHeard || isHeard
        keyIndex += 1
        if keyIndex >= serverKeys.count {
            keyIndex = 0
            serverKeys = security?.serverKeys() ?? []
        }
        let isCertain = keyIndex == 0 && (self.isHeard || isDoubtful)
        retryTime = now + (isCertain ? Self.retryNanoseconds : Self.nextKeyNanoseconds)
        if keyIndex == 0 { isDoubtful = !isCertain }
        guard isCertain else { return nil }
        defer { self.isHeard = false }
        return security == nil ? .noKeys : self.isHeard ? .unknownKey : .otherService
    }

    /// - Returns: when to come again.
    func retryIfDue() -> Int64 {
        guard retryTime != .max, retryTime <= monotonicNanoseconds() else { return retryTime }
        retryTime = .max
        if let security, keyIndex < serverKeys.count {
            try? socket.present(security.keys, to: serverKeys[keyIndex])
        }
        triedTime = monotonicNanoseconds()
        try? socket.reconnect(address)
        return .max
    }

    /// - Returns: `false` when there is no room.
    func trySend(_ frame: Frame) -> Bool {
        var isSent = false
        frame.encode { (byteCount, write) in
            isSent = (try? socket.send(byteCount: byteCount) { write($0) }) == .done
        }
        return isSent
    }
}
