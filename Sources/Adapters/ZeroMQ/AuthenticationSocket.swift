/// Answers libzmq's questions whether a key may connect (ZAP). At most one for a context, made before any socket of the
/// context demands keys; belongs to the thread that owns those sockets.
///
/// - Source: https://rfc.zeromq.org/spec/27/
public struct AuthenticationSocket: ~Copyable {
    /// Somebody has proved to own a key, and wants in.
    public struct Question: Sendable {
        /// The domain of the socket that is asked.
        public let domain: String
        /// Where the other side is, as libzmq says it: an IP address, or `localhost:uid:gid:pid`.
        public let address: String
        /// `nil` when the mechanism is not CURVE.
        public let key: CurveKey?
    }

    private static let address = "inproc://zeromq.zap.01"
    private static let version = "1.0"
    /// version, request id, domain, address, identity, mechanism, credentials
    private static let partsMax = 16

    let socket: Socket
    private let message: Message

    public init(context: Context) throws(ZeroMQError) {
        let socket = try Socket(.router, context: context)
        try socket.set(.linger, 0)
        try socket.bind(Self.address)
        self.socket = socket
        message = Message()
    }

    /// Answers what has been asked.
    ///
    /// - Parameter admit: the name that messages of the connection will bear, or `nil` to refuse it.
    public borrowing func answer(_ admit: (Question) -> String?) {
        while let parts = receive() {
            // The asker's routing id and empty delimiter are in front.
            guard parts.count >= 8, parts[1].isEmpty, text(parts[2]) == Self.version else { continue }
            let isCurve = text(parts[7]) == "CURVE" && parts.count == 9
            let question = Question(
                domain: text(parts[4]), address: text(parts[5]), key: isCurve ? CurveKey(bytes: parts[8]) : nil)
            reply(to: parts, name: admit(question))
        }
    }

    private borrowing func receive() -> [[UInt8]]? {
        var parts: [[UInt8]] = []
        repeat {
            guard (try? socket.receive(message)) == .done else { return nil }
            if parts.count < Self.partsMax { parts.append(message.withBytes { Array($0) }) }
        } while message.hasMore
        return parts
    }

    private borrowing func reply(to parts: [[UInt8]], name: String?) {
        let (status, reason) = name == nil ? ("400", "no access") : ("200", "OK")
        let tail = [status, reason, name ?? "", ""].map { Array($0.utf8) }
        let answer = [parts[0], [], parts[2], parts[3]] + tail
        // Its asker is libzmq itself, in this process: there is always room.
        for (index, part) in answer.enumerated() {
            guard (try? socket.send(part, more: index < answer.count - 1)) == .done else { return }
        }
    }

    private borrowing func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
