public import EnergyTestSupport
import EnergyTransport
import Foundation
public import ZeroMQTransport

/// ZeroMQ over ipc or tcp, at addresses of its own, which stay the same when servers are exchanged.
final class ZeroMQTransportUnderTest: TransportUnderTest {
    enum Scheme: String, CaseIterable, Sendable { case ipc, tcp }

    let requestAddress: String
    let publishAddress: String
    private let directory: URL?

    init(_ scheme: Scheme) throws {
        switch scheme {
        case .ipc:
            let directory = FileManager.default.temporaryDirectory.appending(path: "gt-\(UUID().uuidString.prefix(8))")
            requestAddress = "ipc://\(directory.path)/r"
            publishAddress = "ipc://\(directory.path)/p"
            self.directory = directory
        case .tcp:
            // Below the ephemeral ports: a client that reconnects there could connect to itself.
            requestAddress = "tcp://127.0.0.1:\(Ports.next())"
            publishAddress = "tcp://127.0.0.1:\(Ports.next())"
            directory = nil
        }
    }

    deinit { if let directory { try? FileManager.default.removeItem(at: directory) } }

    func startServer(
        _ methods: MethodTable, epoch: UInt64, limits: ServerLimits
    ) async throws -> any ServerUnderTest {
        let server = try ZeroMQServer(
            requestAddress: requestAddress, publishAddress: publishAddress,
            publisherID: [UInt8](repeating: 7, count: 16), epoch: epoch, limits: limits)
        server.serve(methods)
        return Server(server: server)
    }

    func makeClient(limits: ClientLimits) async throws -> any ClientUnderTest {
        // The usual patience is for machines that have time: here, everything else may be built and tested beside.
        let usual = ClientLimits()
        var limits = limits
        if limits.connectionPatience == usual.connectionPatience { limits.connectionPatience = .seconds(60) }
        if limits.unaryTimeout == usual.unaryTimeout { limits.unaryTimeout = .seconds(60) }
        return try ZeroMQClient(requestAddresses: [requestAddress], publishAddresses: [publishAddress], limits: limits)
    }

    private struct Server: ServerUnderTest {
        let server: ZeroMQServer
        var publisher: any Publisher { server.publisher }
        var statistics: TransportStatistics { server.statistics }
        func drain(within patience: Duration) async { await server.drain(within: patience) }
        func stop() async { await server.close() }
    }
}

extension ZeroMQClient: ClientUnderTest {}
