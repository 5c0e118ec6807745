public import EnergyTransport
internal import Synchronization

/// Keeps what is published, and hands it to a test in order.
public final class RecordingPublisher: Publisher {
    public let publications: AsyncStream<Publication>
    private let sink: AsyncStream<Publication>.Continuation
    private let sequences = Mutex<[String: UInt64]>([:])

    public init() { (publications, sink) = AsyncStream.makeStream() }

    public func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) {
        let sequence = sequences.withLock { sequences in
            sequences[topic, default: 0] += 1
            return sequences[topic, default: 0]
        }
        sink.yield(Publication(topic: topic, epoch: 1, sequence: sequence, body: body))
    }
}
