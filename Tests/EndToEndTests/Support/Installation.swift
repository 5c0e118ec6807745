import EnergyTestSupport
import EnergyTransport
import Foundation
import ServiceEndpoints
import Synchronization
import ZeroMQTransport

/// The services with a state of their own, on addresses of their own. Any of them can be killed and started again.
final class Installation: Sendable {
    enum Addressing: String, CaseIterable, Sendable {
        case ipc, tcp
        /// Services that demand keys; programs and commands use the owner's.
        case keys
    }

    struct Addresses: Sendable {
        let requests: String
        let publications: String
        let http: String
    }

    let folder: String
    private let addressing: Addressing
    private let addresses: [ServiceName: Addresses]
    /// For all services, as variables of their environment.
    private let settings: [String: String]
    /// Where the services are that are not this installation's.
    private let others: [ServiceName: Addresses]
    private struct State {
        var running: [ServiceName: ChildProcess] = [:]
        var ended: [ChildProcess] = []
        var clients: [ServiceName: ZeroMQClient] = [:]
        var starts = 0
        var commands: [ChildProcess] = []
    }
    private let state = Mutex(State())

    private init(_ addressing: Addressing, _ settings: [String: String], beside other: Installation?) throws {
        self.settings = settings
        others = other?.addresses ?? [:]
        let folder = try Machine.temporaryFolder()
        self.folder = folder
        self.addressing = addressing
        var addresses: [ServiceName: Addresses] = [:]
        for service in ServiceName.allCases {
            func address(_ letter: String) throws -> String {
                switch addressing {
                case .ipc: "ipc://\(folder)/\(service.rawValue).\(letter)"
                case .tcp, .keys: "tcp://127.0.0.1:\(Ports.next())"
                }
            }
            addresses[service] = try Addresses(
                requests: address("r"), publications: address("p"), http: "tcp://127.0.0.1:\(Ports.next())")
        }
        self.addresses = addresses
    }

    /// Starts services, hands them to `body`, and leaves nothing behind: no process, no file. When `body` throws, the
    /// services' last lines are printed.
    ///
    /// - Parameter other: has the services that these ones ask: these are replicas of some of its own.
    static func with(
        _ addressing: Addressing, services: [ServiceName] = ServiceName.servers, settings: [String: String] = [:],
        beside other: Installation? = nil, _ body: (Installation) async throws -> Void
    ) async throws {
        let installation = try Installation(addressing, settings, beside: other)
        do {
            if addressing == .keys { try await installation.makeKeys() }
            try await installation.start(services)
            try await body(installation)
        } catch {
            installation.printLogs()
            await installation.remove()
            throw error
        }
        await installation.remove()
    }

    // MARK: Services

    /// Returns when all are ready.
    func start(_ services: [ServiceName]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await self.start(service) } }
            try await group.waitForAll()
        }
    }

    /// Returns when it is ready.
    ///
    /// - Parameter own: settings that only this service knows.
    func start(_ service: ServiceName, settings own: [String: String] = [:]) async throws {
        // A name of its own for each start: the end of the last process is told to the last socket.
        let number = state.withLock { state in
            state.starts += 1
            return state.starts
        }
        let socket = try ReadySocket(path: "\(folder)/ready.\(number)")
        var environment = Installation.environment(folder)
        environment.merge(settings.merging(own) { $1 }) { $1 }
        environment["NOTIFY_SOCKET"] = socket.path
        // Meant for energyctl: a shell that has it exported can start services all the same.
        environment["GRIDTIDE_ENDPOINTS"] = endpoints
        if addressing == .keys { environment["GRIDTIDE_KEYS_DIRECTORY"] = keyFolder }
        let child = try await ChildProcess.start(
            .init(
                executable: "\(Machine.executables)/\(service.rawValue)", arguments: arguments(service),
                environment: environment),
            onExit: { socket.finish() })
        state.withLock { state in
            if let last = state.running.updateValue(child, forKey: service) { state.ended.append(last) }
        }
        guard await socket.isReady() else {
            child.send(SIGKILL)
            throw HarnessError("\(service.rawValue) did not become ready: \(await child.exit())")
        }
    }

    func process(_ service: ServiceName) throws -> ChildProcess {
        guard let child = state.withLock({ $0.running[service] }) else {
            throw HarnessError("\(service.rawValue) was not started")
        }
        return child
    }

    /// SIGKILL, and waits until it is gone.
    func kill(_ service: ServiceName) async throws { await (try process(service)).kill() }

    /// SIGTERM.
    ///
    /// - Returns: how it ended.
    func stop(_ service: ServiceName) async throws -> ExitStatus {
        let child = try process(service)
        child.send(SIGTERM)
        return try await child.end()
    }

    /// A connection that stays over restarts.
    func client(_ service: ServiceName) throws -> ZeroMQClient {
        guard let address = addresses[service] else { throw HarnessError("no address of \(service)") }
        if let client = state.withLock({ $0.clients[service] }) { return client }
        // A loaded machine takes its time to start a service again.
        var limits = ClientLimits()
        limits.connectionPatience = .seconds(30)
        limits.unaryTimeout = .seconds(30)
        let security = clientFile.flatMap { path in
            ServiceKind(rawValue: service.endpointName).flatMap { try? ClientFile(path: path).keys?.security(for: $0) }
        }
        let client = try ZeroMQClient(
            requestAddresses: [address.requests], publishAddresses: [address.publications], security: security,
            limits: limits)
        return state.withLock { state in
            let first = state.clients[service] ?? client
            state.clients[service] = first
            return first
        }
    }

    func address(_ service: ServiceName) throws -> Addresses {
        guard let address = addresses[service] else { throw HarnessError("no address of \(service)") }
        return address
    }

    /// Ends with the installation, if not before.
    func adopt(_ command: ChildProcess) { state.withLock { $0.commands.append(command) } }

    // MARK: What programs are told

    /// Nothing of the machine's own: neither its configuration nor its locale may change what a test sees.
    static func environment(_ folder: String) -> [String: String] {
        ["PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8", "TZ": "UTC"]
    }

    /// As `GRIDTIDE_ENDPOINTS` of `energyctl` wants it.
    var endpoints: String {
        ServiceName.servers.compactMap { service in
            addresses[service].map { "\(service.endpointName)=\($0.requests),\($0.publications)" }
        }.joined(separator: ";")
    }

    /// Where keys are, with ``Addressing/keys``.
    var keyFolder: String { "\(folder)/keys" }

    /// The owner's file, with ``Addressing/keys``.
    var clientFile: String? { addressing == .keys ? "\(keyFolder)/owner.yaml" : nil }

    private func makeKeys() async throws { _ = try await json("keys", "init", "--keys", keyFolder) }

    private func arguments(_ service: ServiceName) -> [String] {
        guard let own = addresses[service] else { return [] }
        var arguments = ["--state-directory", "\(folder)/state/\(service.rawValue)", "--http-address", own.http]
        if ServiceName.servers.contains(service) {
            arguments += ["--requests-address", own.requests, "--publications-address", own.publications]
        }
        for peer in service.peers {
            guard let address = others[peer] ?? addresses[peer] else { continue }
            arguments += ["--peers-\(peer.rawValue)-requests", address.requests]
            arguments += ["--peers-\(peer.rawValue)-publications", address.publications]
        }
        return arguments
    }

    // MARK: The end

    private func printLogs() {
        let processes = state.withLock { $0.ended + $0.running.values }
        for process in processes {
            let lines = process.error.all.suffix(40).map { "\(process.name) | \($0)\n" }.joined()
            let status = process.status.map { "\($0)" } ?? "running"
            FileHandle.standardError.write(Data("--- \(process.name) \(process.id) (\(status))\n\(lines)".utf8))
        }
    }

    private func remove() async {
        let (processes, clients) = state.withLock { state in
            defer { state.clients = [:] }
            return (Array(state.running.values) + state.commands, Array(state.clients.values))
        }
        for client in clients { await client.close() }
        for process in processes { await process.kill() }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
