internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints
internal import ZeroMQ
internal import ZeroMQTransport

/// Finds out whose publications there are at an address: who subscribes hears first which topics there are.
struct PublisherProbe {
    let address: String
    let security: ClientSecurity?
    let milliseconds: Int

    /// Its welcome comes after all topics.
    private static let end = "end/"

    /// Blocks, at most for its time.
    ///
    /// - Parameter serverKey: of the publisher, where keys are demanded.
    /// - Returns: `nil` where nothing was published yet, or nobody tells.
    func publisher(_ serverKey: CurveKey?) throws(ZeroMQError) -> ServiceKind? {
        let socket = try Socket(.sub, context: try Context())
        try socket.set(.linger, 0)
        if let security, let serverKey { try socket.present(security.keys, to: serverKey) }
        for service in ServiceKind.allCases { try socket.subscribe(service.topics) }
        try socket.connect(address)
        var unwelcomed = Set(ServiceKind.allCases.map(\.topics))
        while let topic = try nextTopic(of: socket), topic != Self.end {
            if unwelcomed.remove(topic) != nil {
                if unwelcomed.isEmpty { try socket.subscribe(Self.end) }
            } else if let service = ServiceKind.allCases.first(where: { topic.hasPrefix($0.topics) }) {
                return service
            }
        }
        return nil
    }

    /// - Returns: `nil` where none comes in time.
    private func nextTopic(of socket: borrowing Socket) throws(ZeroMQError) -> String? {
        let part = Message()
        try socket.wait(forSending: false, timeoutMs: milliseconds)
        guard try socket.receive(part) == .done else { return nil }
        let topic = part.withBytes { String(decoding: $0, as: UTF8.self) }
        // What was published there is not looked at.
        while part.hasMore, try socket.receive(part) == .done {}
        return topic
    }
}

extension ServiceKind {
    /// What the topics of all its publications begin with.
    fileprivate var topics: String {
        switch self {
        case .guidance: Topics.allGuidance
        case .events: Topics.allEvents
        case .insights: Topics.allInsights
        case .schedule: Topics.allSchedules
        }
    }
}
