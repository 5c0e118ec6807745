public import EnergyTransport
public import Foundation
public import ZeroMQTransport

/// The bound side of a process: it answers requests and publishes.
public protocol ServiceEndpoint: Sendable {
    var publisher: any Publisher { get }
    /// From now on requests are answered. Those that came before wait.
    func serve(_ methods: MethodTable) async throws
    /// Refuses new requests and waits until those in flight are answered, at most as long as said.
    func drain(within timeout: Duration) async
    func close() async
    /// Who may call has changed.
    func admissionChanged()
    var statistics: TransportStatistics { get }
}

/// The calling side, to one service with all its replicas.
public protocol ServiceConnection: RequestClient, Subscriber {
    func close() async
    var statistics: TransportStatistics { get }
}

/// How a process reaches the others: ZeroMQ, or in tests something in memory.
public struct ServiceTransport: Sendable {
    public struct Binding: Sendable {
        public let requests: String
        public let publications: String
        public let publisherID: UUID
        /// Larger at each start.
        public let epoch: UInt64
        /// `nil` demands no keys.
        public let security: ServerSecurity?
        /// Is told who was not let in; must not block.
        public let onRefusal: @Sendable (Refusal) -> Void
        /// Is told what had to be given up; must not block.
        public let onLoss: @Sendable (TransportLoss) -> Void
    }

    public struct Destination: Sendable {
        public let requests: [String]
        public let publications: [String]
        /// `nil` shows no key.
        public let security: ClientSecurity?
    }

    let bind: @Sendable (Binding) async throws -> any ServiceEndpoint
    let connect: @Sendable (Destination) async throws -> any ServiceConnection

    public init(
        bind: @escaping @Sendable (Binding) async throws -> any ServiceEndpoint,
        connect:
            @escaping @Sendable (Destination) async throws -> any ServiceConnection
    ) {
        self.bind = bind
        self.connect = connect
    }
}
