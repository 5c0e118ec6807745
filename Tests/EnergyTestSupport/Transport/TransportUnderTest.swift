public import EnergyTransport

/// What the conformance cases need of a transport: one address, at which servers start and stop, and clients of it.
public protocol TransportUnderTest: Sendable {
    /// Starts a server that answers `methods`. One at a time.
    func startServer(
        _ methods: MethodTable, epoch: UInt64, limits: ServerLimits
    ) async throws -> any ServerUnderTest

    func makeClient(limits: ClientLimits) async throws -> any ClientUnderTest
}

public protocol ServerUnderTest: Sendable {
    var publisher: any Publisher { get }
    var statistics: TransportStatistics { get }
    func drain(within patience: Duration) async
    /// Breaks its connections.
    func stop() async
}

public protocol ClientUnderTest: RequestClient, Subscriber {
    var statistics: TransportStatistics { get }
    func close() async
}
