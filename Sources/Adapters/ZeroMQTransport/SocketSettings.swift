internal import EnergyTransport
internal import ZeroMQ

/// How each kind of socket is set up. Times are milliseconds.
enum SocketSettings {
    private static let lingerServer = 1_000
    /// Enough for the last cancellations.
    private static let lingerClient = 200
    /// Requests of one peer that libzmq keeps for us, of up to 1 MiB each; what is beyond stays on the network. With fewer,
    /// small requests come in more slowly: 32 cost nothing that could be measured, 16 a fifth of 200,000 calls a second.
    /// With many more, a peer whose requests take long could not be heard within its heartbeat.
    private static let requestsWaitingMax = 32
    /// Subscriptions are at most 200 bytes; besides, only a handshake's messages come in at a publisher.
    private static let subscriptionBytesMax = 512
    /// libzmq takes all subscriptions that wait before it returns to us: with its 1,000 it came back after 0.7 s from a
    /// subscriber that sent 30,000, with 10 after 60 ms. With one, none arrives where keys are demanded.
    private static let subscriptionsWaitingMax = 10

    static let handshakeMilliseconds = 2_000

    static func applyCommon(to socket: borrowing Socket) throws(ZeroMQError) {
        // Half-open connections would otherwise hold a file descriptor for 30 s each.
        try socket.set(.handshakeInterval, handshakeMilliseconds)
        try socket.set(.heartbeatInterval, 2_000)
        try socket.set(.heartbeatTimeout, 6_000)
        try socket.set(.heartbeatTimeToLive, 6_000)
        try socket.set(.messageBytesMax, Frame.byteCountMax)
        try socket.set(.tcpKeepalive, 1)
    }

    static func applyRouter(to socket: borrowing Socket) throws(ZeroMQError) {
        try applyCommon(to: socket)
        try socket.set(.routerMandatory, 1)
        // Handing a routing id over would let one peer take another's replies.
        try socket.set(.routerHandover, 0)
        try socket.set(.receiveQueueMax, requestsWaitingMax)
        try socket.set(.sendQueueMax, 1_000)
        try socket.set(.backlog, 1_024)
        try socket.set(.linger, lingerServer)
    }

    static func applyPublisher(to socket: borrowing Socket) throws(ZeroMQError) {
        try applyCommon(to: socket)
        try socket.set(.messageBytesMax, subscriptionBytesMax)
        try socket.set(.receiveQueueMax, subscriptionsWaitingMax)
        // Each new subscriber is welcomed, not only the first; each one that leaves is counted.
        try socket.set(.xpubVerboser, 1)
        try socket.set(.xpubNoDrop, 1)
        try socket.set(.sendQueueMax, 1_000)
        try socket.set(.backlog, 1_024)
        try socket.set(.linger, lingerServer)
    }

    static func applyClient(to socket: borrowing Socket) throws(ZeroMQError) {
        try applyCommon(to: socket)
        try socket.set(.reconnectInterval, 100)
        try socket.set(.reconnectIntervalMax, 5_000)
        try socket.set(.connectTimeout, 2_000)
        try socket.set(.linger, lingerClient)
    }

    static func applyDealer(to socket: borrowing Socket) throws(ZeroMQError) {
        try applyClient(to: socket)
        // Without a connection nothing is queued: it would look sent.
        try socket.set(.immediate, 1)
        try socket.set(.sendQueueMax, 1_000)
        try socket.set(.receiveQueueMax, 1_000)
    }

    static func applySubscriber(to socket: borrowing Socket) throws(ZeroMQError) {
        try applyClient(to: socket)
        try socket.set(.receiveQueueMax, 10_000)
    }
}

/// Messages of one socket in one turn, so that no socket starves another.
let messagesPerTurnMax = 256

/// Likewise, of requests: what one message exceeds it by is read, too.
let bytesPerTurnMax = 256 * 1024

extension TransportClock {
    static let system = TransportClock(
        now: { MonotonicTime(nanoseconds: monotonicNanoseconds()) }, unixMilliseconds: { unixMillisecondsNow() })
}
