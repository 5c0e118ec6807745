import EnergyTestSupport
import EnergyTransport
import Testing

/// One after the other: each ZeroMQ case takes some forty file descriptors.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConformanceTests {
    @Test(arguments: TransportConformance.cases)
    func `in process`(promise: TransportCase) async throws {
        try await promise.run(InProcessTransportUnderTest())
    }

    @Test(arguments: ZeroMQTransportUnderTest.Scheme.allCases, TransportConformance.cases)
    func `over ZeroMQ`(scheme: ZeroMQTransportUnderTest.Scheme, promise: TransportCase) async throws {
        try await promise.run(ZeroMQTransportUnderTest(scheme))
    }

    @Test(arguments: TransportConformance.cases)
    func `over a simulated network, whatever its delays`(promise: TransportCase) async throws {
        for seed in UInt64(0)..<5 {
            let network = SimulatedTransport(seed: seed)
            do { try await network.run { try await promise.run(network) } } catch {
                Issue.record(error, "seed \(seed)")
            }
        }
    }
}
