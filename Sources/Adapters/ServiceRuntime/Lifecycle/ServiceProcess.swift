internal import AuditFiles
internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import Logging
internal import ServiceLifecycle

/// Builds, starts and stops one process. ``ServiceHost/run(_:_:)`` is this plus the command line and `exit`.
struct ServiceProcess: Sendable {
    let definition: ServiceDefinition
    let configuration: ServiceConfiguration
    let environment: [String: String]
    let transport: ServiceTransport
    let metrics: PrometheusRegistry
    let logger: Logger
    /// For waiting; the time of day is another clock.
    var clock: any Clock<Duration> = ContinuousClock()

    /// Returns after a graceful stop.
    ///
    /// - Parameters:
    ///   - stop: the first element begins a graceful stop. It is not read further.
    ///   - whenReady: runs once the process serves.
    ///   - open: runs before anything is bound, and may wait.
    /// - Throws: what kept it from starting, or made it end.
    func run<Store: Sendable>(
        stop: AsyncStream<String>, whenReady: @escaping @Sendable () async -> Void = {},
        open: @escaping @Sendable (ServiceHost) async throws -> Store,
        build: @Sendable (ServiceHost, Store) async throws -> Void
    ) async throws {
        let keys = RuntimeKeys(definition)
        let ring = try keyRing(keys)
        try checkAddresses(keys, hasKeys: ring != nil)
        let state = try StateDirectory(path: statePath(keys))
        let health = HealthRegistry(services: definition.services)
        let connections = try await connect(ring)
        let transports = Transports(connections)
        var operations = try OperationsServer(
            address: endpoint(keys.httpAddress), metrics: metrics, health: health, clock: clock,
            logins: try logins(keys))
        operations.transportMetrics = { transports.metrics }
        let audit = definition.bindsRequests ? auditLog(state, health) : nil
        await audit?.note(
            .serviceStarted, ["version": SoftwareVersion.current, "keys": ring == nil ? "none" : "demanded"])
        if let audit, let ring {
            await KnownAccess(state).note(ring.access, in: audit, at: SystemWallClock().now)
        }
        ReplicaMetrics.storeIsAway(false)
        let stopping = StopRequest()
        let host = ServiceHost(
            configuration: configuration, logger: logger,
            clock: SystemWallClock(offsetMilliseconds: configuration[keys.clockOffset].wholeMilliseconds), state: state,
            health: health, connections: connections, stopping: stopping, notify: NotifySocket(environment),
            audit: audit, keys: ring?.folder)

        try await withThrowingTaskGroup(of: Void.self) { [operations] tasks in
            tasks.addTask {
                for await _ in stop { return stopping.make() }
            }
            // Also while it waits for its store: the process lives.
            tasks.addTask {
                do { try await operations.run() } catch {
                    stopping.make()
                    throw error
                }
            }
            defer { tasks.cancelAll() }
            let store: Store
            do { store = try await untilStopped(stopping) { try await open(host) } } catch  where stopping.isMade {
                await ClosingPart(
                    endpoint: nil, connections: Array(connections.values), closings: host.closings, logger: logger
                ).close()
                // With the reason, where it was one of these that ended.
                tasks.cancelAll()
                return try await tasks.waitForAll()
            }
            let bound = try await bind(keys, state, ring, health)
            transports.bound(bound)
            host.bound(to: bound)
            try await build(host, store)
            host.serve { [leadership = host.leadership] table in
                if let leadership {
                    table.leave({ !leadership.answered.contains($0) }, while: { !leadership.leads })
                }
                table.addHealth(health, clock: host.clock)
                table.addReflection()
                table.mayRead = Topics.mayRead
            }
            try await bound?.serve(host.methods)
            let group = ServiceGroup(
                configuration: groupConfiguration(
                    host, bound, Array(connections.values), keys, ring, audit, whenReady))
            stopping.then { Task { await group.triggerGracefulShutdown() } }
            // The group holds the host, which holds the request.
            defer { stopping.then(nil) }
            try await group.run()
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
    }

    func run(
        stop: AsyncStream<String>, whenReady: @escaping @Sendable () async -> Void = {},
        build: @Sendable (ServiceHost) async throws -> Void
    ) async throws {
        try await run(stop: stop, whenReady: whenReady, open: { _ in }, build: { host, _ in try await build(host) })
    }

    /// Runs `body`, which is cancelled when the process is asked to stop meanwhile.
    private func untilStopped<Value: Sendable>(
        _ stopping: StopRequest, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        stopping.then { task.cancel() }
        defer { stopping.then(nil) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func groupConfiguration(
        _ host: ServiceHost, _ bound: (any ServiceEndpoint)?,
        _ connections: [any ServiceConnection], _ keys: RuntimeKeys, _ ring: KeyRing?, _ audit: AuditLog?,
        _ whenReady: @escaping @Sendable () async -> Void
    ) -> ServiceGroupConfiguration {
        let drainTimeout = configuration[keys.drainTimeout]
        var parts: [any Service] = [MemoryPart(clock: clock)]
        if let audit { parts.append(AuditPart(audit: audit, clock: clock, logger: logger)) }
        parts.append(
            ClosingPart(endpoint: bound, connections: connections, closings: host.closings, logger: logger))
        parts += host.loops.map { LoopPart(loop: $0, logger: logger) }
        if let bound, let ring {
            parts.append(
                AccessPart(
                    access: ring.access, endpoint: bound, audit: audit, known: KnownAccess(host.state), clock: clock,
                    logger: logger))
        }
        if let bound { parts.append(ServingPart(endpoint: bound, drainTimeout: drainTimeout)) }
        parts.append(
            ReadinessPart(
                health: host.health, notify: host.notify, clock: clock, awaited: host.awaited,
                whenReady: whenReady))
        var quiet = logger
        quiet.logLevel = max(.error, logger.logLevel)
        var configuration = ServiceGroupConfiguration(
            services: parts.map {
                .init(
                    service: $0, successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            }, logger: quiet)
        // Loops and stores get some time of their own; then their tasks are cancelled.
        configuration.maximumGracefulShutdownDuration = drainTimeout + .seconds(10)
        return configuration
    }

    private func auditLog(_ state: StateDirectory, _ health: HealthRegistry) -> AuditLog {
        // Not the moved clock: it says when somebody did something.
        AuditLog(state: state.path, service: definition.name, clock: SystemWallClock()) { problem in
            guard let problem else {
                health.note("audit log", nil)
                return
            }
            logger.error("the audit log cannot be written", metadata: [ServiceKeys.reason: "\(problem)"])
            health.note("audit log", "administrative actions are refused: \(problem)")
        }
    }

    // MARK: Addresses

    private func keyRing(_ keys: RuntimeKeys) throws -> KeyRing? {
        let (folder, file) = (configuration[keys.keysDirectory], configuration[keys.keysFile])
        guard !folder.isEmpty else {
            guard !file.isEmpty else { return nil }
            // Whoever names a key wants nobody let in without one.
            throw ConfigurationError(
                .init(
                    origin: configuration.origin(of: keys.keysFile), key: keys.keysFile.declaration.name,
                    reason: "a key needs keys.directory, the folder that says who may do what; "
                        + "it is made by `energyctl keys init`"))
        }
        return try KeyRing(
            folder: folder, keyPath: file.isEmpty ? "\(folder)/\(definition.name).key" : file,
            service: definition.name, clock: SystemWallClock())
    }

    private func checkAddresses(_ keys: RuntimeKeys, hasKeys: Bool) throws {
        let bound = definition.bindsRequests ? [keys.requestsAddress, keys.publicationsAddress] : []
        for key in bound where try !hasKeys && !endpoint(key).isLocal {
            throw ConfigurationError(
                .init(
                    origin: configuration.origin(of: key), key: key.declaration.name,
                    reason: "'\(configuration[key])' can be reached from other machines and has no keys; "
                        + "make them with `energyctl keys init` and set keys.directory; allowed without: "
                        + "tcp://127.0.0.1:PORT, tcp://[::1]:PORT or ipc:///PATH"))
        }
        try checkHTTP(keys)
        try checkDistinct(bound + [keys.httpAddress])
        for key in bound + [keys.httpAddress] {
            guard let refusal = PortCheck.refusal(try endpoint(key)) else { continue }
            throw StartError(
                "\(configuration[key]) \(refusal); change \(key.declaration.name) "
                    + "(set by \(configuration.origin(of: key))) or stop the other one")
        }
    }

    /// Passwords and figures must not cross a network as plain text.
    private func checkHTTP(_ keys: RuntimeKeys) throws {
        guard try !endpoint(keys.httpAddress).isLocal else { return }
        let missing = [
            configuration[keys.httpLogins].isEmpty ? "http.logins (a file made by `energyctl keys password`)" : nil,
            configuration[keys.httpTLS] == .proxy ? nil : "http.tls: proxy (once a proxy with TLS stands before it)",
        ].compactMap { $0 }
        guard !missing.isEmpty else { return }
        throw ConfigurationError(
            .init(
                origin: configuration.origin(of: keys.httpAddress), key: keys.httpAddress.declaration.name,
                reason: "'\(configuration[keys.httpAddress])' can be reached from other machines; it needs "
                    + missing.joined(separator: " and ")
                    + "; allowed without: tcp://127.0.0.1:PORT, tcp://[::1]:PORT or ipc:///PATH"))
    }

    private func logins(_ keys: RuntimeKeys) throws(StartError) -> HTTPLogins? {
        let path = configuration[keys.httpLogins]
        return path.isEmpty ? nil : try HTTPLogins(path: path)
    }

    private func checkDistinct(_ keys: [ConfigurationKey<String>]) throws(ConfigurationError) {
        var owners: [SocketEndpoint: ConfigurationKey<String>] = [:]
        for key in keys {
            guard let owner = owners.updateValue(key, forKey: try endpoint(key)) else { continue }
            throw ConfigurationError(
                .init(
                    origin: configuration.origin(of: key), key: key.declaration.name,
                    reason: "'\(configuration[key])' is also \(owner.declaration.name) "
                        + "(set by \(configuration.origin(of: owner))); allowed: an address of its own"))
        }
    }

    private func endpoint(_ key: ConfigurationKey<String>) throws(ConfigurationError) -> SocketEndpoint {
        guard let endpoint = SocketEndpoint(configuration[key]) else {
            throw ConfigurationError(
                .wrongValue(
                    origin: configuration.origin(of: key), key: key.declaration.name, value: configuration[key],
                    allowed: "tcp://ADDRESS:PORT with a numeric address, localhost or *, or ipc:///PATH"))
        }
        return endpoint
    }

    private func statePath(_ keys: RuntimeKeys) -> String {
        let path = configuration[keys.stateDirectory]
        return path.isEmpty ? "\(BaseDirectories(environment).state)/\(definition.name)" : path
    }

    private func bind(
        _ keys: RuntimeKeys, _ state: StateDirectory, _ ring: KeyRing?, _ health: HealthRegistry
    ) async throws -> (any ServiceEndpoint)? {
        guard definition.bindsRequests else { return nil }
        // Not the moved clock: an epoch says which start of the process it is.
        let epoch = state.nextEpoch(now: SystemWallClock().now.unixMilliseconds)
        if let problem = epoch.problem {
            // No reason not to start: what is stored can still be read.
            logger.error("nothing can be written down", metadata: [ServiceKeys.reason: "\(problem)"])
            health.note("state directory", "started without writing anything down: \(problem)")
        }
        let binding = ServiceTransport.Binding(
            requests: configuration[keys.requestsAddress], publications: configuration[keys.publicationsAddress],
            publisherID: try state.identifier("publisher-id"),
            epoch: epoch.value,
            security: ring?.server(definition.peer),
            onRefusal: { [refusals = RefusalLog(logger)] in refusals.note($0) },
            onLoss: { [losses = LossLog(logger)] in losses.note($0) })
        return try await transport.bind(binding)
    }

    private func connect(_ ring: KeyRing?) async throws -> [Peer: any ServiceConnection] {
        var connections: [Peer: any ServiceConnection] = [:]
        for keys in definition.peerKeys {
            connections[keys.peer] = try await transport.connect(
                .init(
                    requests: configuration[keys.requests], publications: configuration[keys.publications],
                    security: try ring?.client(of: keys.peer)))
        }
        return connections
    }
}
