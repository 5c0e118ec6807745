internal import CZeroMQ

extension Socket {
    /// In the draft part of zmq.h, and in every libzmq since 4.3. Without it CURVE lets everybody in whenever nobody
    /// answers the socket's authentication requests.
    private static let enforceDomain: Int32 = 93

    /// Demands CURVE of whoever connects, and the consent of the context's ``AuthenticationSocket``. Before the bind.
    public borrowing func demandKeys(_ own: CurveKeyPair, domain: String) throws(ZeroMQError) {
        try setFlag(ZMQ_CURVE_SERVER)
        try setKey(ZMQ_CURVE_SECRETKEY, own.secretKey)
        try setBytes(ZMQ_ZAP_DOMAIN, domain)
        try setFlag(Self.enforceDomain)
    }

    /// Proves `own` to a server, and talks to nobody but the owner of `serverKey`. Before the connection.
    public borrowing func present(_ own: CurveKeyPair, to serverKey: CurveKey) throws(ZeroMQError) {
        try setKey(ZMQ_CURVE_SERVERKEY, serverKey)
        try setKey(ZMQ_CURVE_PUBLICKEY, own.publicKey)
        try setKey(ZMQ_CURVE_SECRETKEY, own.secretKey)
    }

    private borrowing func setFlag(_ option: Int32) throws(ZeroMQError) {
        var one: Int32 = 1
        try retryingInterrupts("zmq_setsockopt") { zmq_setsockopt(pointer, option, &one, MemoryLayout<Int32>.size) }
    }

    private borrowing func setKey(_ option: Int32, _ key: CurveKey) throws(ZeroMQError) {
        try retryingInterrupts("zmq_setsockopt") {
            key.bytes.withUnsafeBytes { zmq_setsockopt(pointer, option, $0.baseAddress, $0.count) }
        }
    }
}
