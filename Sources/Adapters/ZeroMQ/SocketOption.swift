internal import CZeroMQ

/// An integer option of a socket. Times are milliseconds, sizes bytes.
///
/// - Source: https://libzmq.readthedocs.io/en/zeromq4-x/zmq_setsockopt.html
public struct SocketOption: Sendable {
    enum Width { case int32, int64 }
    let number: Int32
    let width: Width

    private init(_ number: Int32, _ width: Width = .int32) {
        self.number = number
        self.width = width
    }

    public static let backlog = SocketOption(ZMQ_BACKLOG)
    public static let connectTimeout = SocketOption(ZMQ_CONNECT_TIMEOUT)
    public static let handshakeInterval = SocketOption(ZMQ_HANDSHAKE_IVL)
    public static let heartbeatInterval = SocketOption(ZMQ_HEARTBEAT_IVL)
    public static let heartbeatTimeout = SocketOption(ZMQ_HEARTBEAT_TIMEOUT)
    public static let heartbeatTimeToLive = SocketOption(ZMQ_HEARTBEAT_TTL)
    /// Queue only where there is a connection.
    public static let immediate = SocketOption(ZMQ_IMMEDIATE)
    public static let ipv6 = SocketOption(ZMQ_IPV6)
    public static let linger = SocketOption(ZMQ_LINGER)
    public static let messageBytesMax = SocketOption(ZMQ_MAXMSGSIZE, .int64)
    public static let receiveQueueMax = SocketOption(ZMQ_RCVHWM)
    public static let reconnectInterval = SocketOption(ZMQ_RECONNECT_IVL)
    public static let reconnectIntervalMax = SocketOption(ZMQ_RECONNECT_IVL_MAX)
    public static let routerHandover = SocketOption(ZMQ_ROUTER_HANDOVER)
    /// Say so when a peer is gone or full, in place of dropping.
    public static let routerMandatory = SocketOption(ZMQ_ROUTER_MANDATORY)
    public static let sendQueueMax = SocketOption(ZMQ_SNDHWM)
    public static let tcpKeepalive = SocketOption(ZMQ_TCP_KEEPALIVE)
    /// Say so when a subscriber is full, in place of dropping.
    public static let xpubNoDrop = SocketOption(ZMQ_XPUB_NODROP)
    /// Tell every subscription and its end, not only the first and the last of its prefix.
    public static let xpubVerboser = SocketOption(ZMQ_XPUB_VERBOSER)
}
