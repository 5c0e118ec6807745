internal import EnergyTransport
internal import Synchronization

/// What the process is reached by and reaches others by, for its metrics: they are asked for before anything is bound.
final class Transports: Sendable {
    private let connections: [Peer: any ServiceConnection]
    private let endpoint = Mutex<(any ServiceEndpoint)?>(nil)

    init(_ connections: [Peer: any ServiceConnection]) { self.connections = connections }

    func bound(_ endpoint: (any ServiceEndpoint)?) { self.endpoint.withLock { $0 = endpoint } }

    var metrics: String {
        TransportMetrics.exposition(
            server: endpoint.withLock(\.self)?.statistics,
            connections: Dictionary(
                uniqueKeysWithValues: connections.map { ($0.key.rawValue, $0.value.statistics) }))
    }
}
