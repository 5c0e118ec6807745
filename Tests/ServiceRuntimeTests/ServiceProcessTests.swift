import EnergyModel
import EnergyStore
import EnergyTransport
import EnergyWire
import Foundation
import Logging
import Testing

@testable import ServiceRuntime

@Suite(.timeLimit(.minutes(10))) struct ServiceProcessTests {
    private let folder: TemporaryFolder
    private let journal = Journal()
    private let endpoint: FakeEndpoint
    /// A path: no other test can take it, as it can a port.
    private let operations: SocketEndpoint
    private let ready: AsyncStream<Void>
    private let markReady: AsyncStream<Void>.Continuation
    private let stop: AsyncStream<String>
    private let askToStop: AsyncStream<String>.Continuation
    private let definition = ServiceDefinition(
        .eventIngestor, summary: "keeps the log", services: ["energy.v1.Events"], peers: [.guidancePublisher])

    init() throws {
        folder = try TemporaryFolder()
        operations = .ipc("\(folder.path)/h")
        endpoint = FakeEndpoint(journal)
        (ready, markReady) = AsyncStream<Void>.makeStream()
        (stop, askToStop) = AsyncStream<String>.makeStream()
    }

    private func process(_ arguments: [String] = []) throws -> ServiceProcess {
        let (endpoint, journal) = (endpoint, journal)
        let usual = [
            "--http-address": "\(operations)", "--requests-address": "ipc://\(folder.path)/r",
            "--publications-address": "ipc://\(folder.path)/p", "--state-directory": "\(folder.path)/state",
        ]
        let flags = usual.filter { !arguments.contains($0.key) }.flatMap { [$0.key, $0.value] }
        return ServiceProcess(
            definition: definition,
            configuration: try definition.loader.load(arguments: flags + arguments, environment: [:]),
            environment: [:],
            transport: ServiceTransport(bind: { _ in endpoint }, connect: { _ in FakeConnection(journal) }),
            metrics: PrometheusRegistry(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Starts the process, waits until it serves, runs `body`, asks it to stop and waits for its end.
    private func serving(
        _ process: ServiceProcess, build: @escaping @Sendable (ServiceHost) async throws -> Void = { _ in },
        _ body: () async throws -> Void
    ) async throws {
        let (markReady, stop) = (markReady, stop)
        let running = Task { try await process.run(stop: stop, whenReady: { markReady.yield() }, build: build) }
        var readiness = ready.makeAsyncIterator()
        await readiness.next()
        try await body()
        askToStop.yield("SIGTERM")
        try await running.value
    }

    @Test func `a process stops in order: not serving, drained, loops ended, closed`() async throws {
        let process = try process(["--drain-timeout", "3s"])
        let journal = journal
        let build: @Sendable (ServiceHost) async throws -> Void = { host in
            let health = host.health
            host.run("loop") {
                let (forever, open) = AsyncStream<Void>.makeStream()
                for await _ in forever {}
                withExtendedLifetime(open) {}
                journal.add("loop ended, health \(health.check("")?.reason ?? "")")
            }
            host.onClose("first store") { journal.add("close first store") }
            host.onClose("second store") { journal.add("close second store") }
        }
        try await serving(process, build: build) {
            #expect(endpoint.methods.entries.keys.contains("energy.v1.Health/Check"))
        }
        #expect(
            journal.all == [
                "serve", "drain within 3.0 seconds", "loop ended, health is stopping", "close connection",
                "close endpoint", "close second store", "close first store",
            ])
    }

    @Test(arguments: [true, false])
    func `a process says that it serves when what it waits for is there, and stops also before`(comes: Bool)
        async throws
    {
        let (process, journal, markReady, stop) = (try process(), journal, markReady, stop)
        let (waits, begun) = AsyncStream<HealthRegistry>.makeStream()
        let (awaited, end) = AsyncStream<Void>.makeStream()
        let running = Task {
            try await process.run(
                stop: stop,
                whenReady: {
                    journal.add("ready")
                    markReady.yield()
                },
                build: { host in
                    host.awaitBeforeServing { [health = host.health] in
                        begun.yield(health)
                        for await _ in awaited {}
                    }
                })
        }
        var waiting = waits.makeAsyncIterator()
        let health = try #require(await waiting.next())
        #expect(health.check("")?.reason.contains("is starting") == true)
        #expect(!journal.all.contains("ready"))
        if comes {
            end.finish()
            var readiness = ready.makeAsyncIterator()
            await readiness.next()
            #expect(health.check("")?.isServing == true)
        }
        askToStop.yield("SIGTERM")
        try await running.value
        #expect(journal.all.contains("ready") == comes)
    }

    @Test func `HTTP answers metrics, liveness and readiness`() async throws {
        let hosts = AsyncStream<HealthRegistry>.makeStream()
        let build: @Sendable (ServiceHost) async throws -> Void = { hosts.continuation.yield($0.health) }
        try await serving(try process(), build: build) {
            var iterator = hosts.stream.makeAsyncIterator()
            let health = try #require(await iterator.next())
            #expect(try await http(operations, "/healthz").hasPrefix("HTTP/1.1 200"))
            #expect(try await http(operations, "/readyz").contains("energy.v1.Events serves"))
            let metrics = try await http(operations, "/metrics")
            #expect(metrics.contains("text/plain; version=0.0.4"))
            #expect(metrics.contains("process_resident_memory_bytes "))
            #expect(metrics.contains("\ngridtide_requests_duplicate_total 3\n"))
            #expect(metrics.contains("\ngridtide_requests_total{status=\"resourceExhausted\"} 7\n"))
            #expect(metrics.contains("\ngridtide_requests_left_total 2\n"))
            #expect(metrics.contains("\ngridtide_peer_connections_total{peer=\"guidance-publisher\"} 0\n"))
            #expect(try await http(operations, "/secrets").hasPrefix("HTTP/1.1 404"))
            #expect(try await http(operations, "/metrics", method: "POST").hasPrefix("HTTP/1.1 405"))
            health.storeIsAway(true)
            #expect(try await http(operations, "/readyz").contains("does not serve: its store cannot be reached"))
            health.storeIsAway(false)
            #expect(try await http(operations, "/readyz").hasPrefix("HTTP/1.1 200"))
            health.set("energy.v1.Events", .notServing("the disk is full"))
            let answer = try await http(operations, "/readyz")
            #expect(answer.hasPrefix("HTTP/1.1 503"))
            #expect(answer.contains("energy.v1.Events does not serve: the disk is full"))
        }
    }

    @Test func `who divides partitions has what nobody else has before it serves, says so, and leaves all in the end`()
        async throws
    {
        let (process, board, other) = (try process(), LeaseBoard(), UUID())
        let others = board.leases(of: other)
        _ = try await others.attend(within: .seconds(4))
        for partition in 0..<4 { #expect(try await others.take(partition)) }
        let (markReady, stop, journal) = (markReady, stop, journal)
        let running = Task {
            try await process.run(stop: stop, whenReady: { markReady.yield() }) { host in
                host.onClose("store") { journal.add("close store") }
                try await host.divide(by: { board.leases(of: $0) }, with: JournalOwner(journal: journal))
            }
        }
        var readiness = ready.makeAsyncIterator()
        await readiness.next()
        // Half of them, though more are free.
        #expect(journal.all == (4..<12).map { "begin \($0)" } + ["serve"])
        #expect(try await http(operations, "/readyz").contains("has 8 of 16 partitions"))
        askToStop.yield("SIGTERM")
        try await running.value
        #expect(journal.all.suffix(1) == ["close store"])
        #expect((0..<16).map { board.holder(of: $0) } == (0..<16).map { $0 < 4 ? other : nil })
    }

    @Test func `who follows answers what it may, leaves the rest, and leads when the other has ended`() async throws {
        let process = try process()
        let mayTake = Flag()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let lease = ScriptedLease { mayTake.isSet }
        let (markReady, stop) = (markReady, stop)
        let running = Task {
            try await process.run(
                stop: stop, whenReady: { markReady.yield() },
                open: { try await $0.follow(by: { _ in lease }, answering: ["Test/Read"]) },
                build: { host, _ in
                    host.serve { table in
                        for name in ["Test/Read", "Test/Write"] {
                            table.add(name, .unary { (_, _) async throws(CallFailure) in [1] })
                        }
                    }
                    host.runLeading("loop") {
                        begin.yield()
                        for await _ in AsyncStream<Void>.makeStream().stream {}
                    }
                })
        }
        var readiness = ready.makeAsyncIterator()
        await readiness.next()
        #expect(try await http(operations, "/readyz").contains("follows another replica"))
        #expect(try await endpoint.call("Test/Read", []) == [1])
        let failure = await #expect(throws: CallFailure.self) { try await endpoint.call("Test/Write", []) }
        #expect(failure?.isForAnother == true)
        mayTake.set()
        var beginning = begun.makeAsyncIterator()
        await beginning.next()
        #expect(try await endpoint.call("Test/Write", []) == [1])
        #expect(try await !http(operations, "/readyz").contains("follows"))
        askToStop.yield("SIGTERM")
        try await running.value
        #expect(lease.isReleased)
    }

    @Test func `who follows ends when it is told to, and what it would have led never begins`() async throws {
        let (process, journal) = (try process(), journal)
        let (markReady, stop) = (markReady, stop)
        let running = Task {
            try await process.run(
                stop: stop, whenReady: { markReady.yield() },
                open: { try await $0.follow(by: { _ in ScriptedLease { false } }, answering: []) },
                build: { host, _ in host.runLeading("loop") { journal.add("leads") } })
        }
        var readiness = ready.makeAsyncIterator()
        await readiness.next()
        askToStop.yield("SIGTERM")
        try await running.value
        #expect(!journal.all.contains("leads"))
    }

    @Test func `who is asked to stop while it waits for its store ends`() async throws {
        let (process, journal) = (try process(), journal)
        let (waiting, waits) = AsyncStream<Void>.makeStream()
        let stop = stop
        let running = Task {
            try await process.run(
                stop: stop,
                open: { host in
                    host.onClose("lock") { journal.add("close lock") }
                    waits.yield()
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                    try Task.checkCancellation()
                }, build: { _, _ in journal.add("build") })
        }
        var iterator = waiting.makeAsyncIterator()
        await iterator.next()
        askToStop.yield("SIGTERM")
        try await running.value
        #expect(journal.all.filter { $0 != "close connection" } == ["close lock"])
    }

    @Test func `health and reflection are answered over the transport`() async throws {
        try await serving(try process()) {
            let request = HealthCheckRequest(service: "energy.v1.Events").encoded()
            let reply = try HealthCheckReply(decoding: try await endpoint.call("energy.v1.Health/Check", request))
            #expect(reply.status == .serving)
            let list = try HealthListReply(
                decoding: try await endpoint.call("energy.v1.Health/List", Empty().encoded()))
            #expect(list.services.map(\.service) == ["energy.v1.Events"])
            let unknown = HealthCheckRequest(service: "energy.v1.Other").encoded()
            await #expect(throws: CallFailure.self) { try await endpoint.call("energy.v1.Health/Check", unknown) }
            let answer = try await endpoint.call("energy.v1.Reflection/Describe", Empty().encoded())
            let description = try DescribeReply(decoding: answer)
            #expect(description.methods.contains("energy.v1.Reflection/Describe"))
            #expect(!description.fileDescriptorSet.isEmpty)
            #expect(description.permissions == Set(Permission.allCases))
        }
    }

    @Test func `a loop that fails, or ends, stops the process, in order and with its reason`() async throws {
        for isThrowing in [true, false] {
            let journal = journal
            await #expect(throws: StartError(isThrowing ? "feed failed: lost" : "feed ended")) {
                try await process().run(stop: stop) { host in
                    host.run("feed") { if isThrowing { throw StartError("lost") } }
                    host.onClose("store") { journal.add("close store") }
                }
            }
            #expect(journal.all.last == "close store")
        }
    }

    @Test func `an address that other machines reach is refused while there are no keys`() async throws {
        let process = try process(["--requests-address", "tcp://*:7410"])
        await #expect {
            try await process.run(stop: stop) { _ in }
        } throws: { error in
            "\(error)".hasPrefix("--requests-address: requests.address: 'tcp://*:7410' can be reached")
        }
    }

    @Test(arguments: [
        ([], ["http.logins", "http.tls: proxy"]), (["--http-tls", "proxy"], ["http.logins"]),
        (["--http-logins", "/nowhere"], ["http.tls: proxy"]),
    ])
    func `HTTP that other machines reach needs a login and a proxy with TLS`(
        flags: [String], missing: [String]
    ) async throws {
        for address in ["tcp://*:7412", "tcp://192.0.2.1:7412", "tcp://[::]:7412"] {
            let process = try process(["--http-address", address] + flags)
            await #expect {
                try await process.run(stop: stop) { _ in }
            } throws: { error in
                missing.allSatisfy { "\(error)".contains($0) } && "\(error)".contains("can be reached")
            }
        }
    }

    @Test func `a host name, and a port in use, keep the process from starting`() async throws {
        let named = try process(["--requests-address", "tcp://example.org:7410"])
        await #expect(throws: ConfigurationError.self) { try await named.run(stop: stop) { _ in } }

        // Held from its choice to the end of the test.
        let holder = try HTTPListener(.ip4("127.0.0.1", 0))
        let taken = try process(["--http-address", "tcp://127.0.0.1:\(try #require(holder.port))"])
        await #expect {
            try await taken.run(stop: stop) { _ in }
        } throws: { error in
            "\(error)".contains("http.address") && "\(error)".contains("is in use by")
        }
    }

    @Test func `two addresses of its own that are one are refused as a wrong setting`() async throws {
        let same = try process(["--publications-address", "ipc://\(folder.path)/r"])
        let error = await #expect(throws: ConfigurationError.self) { try await same.run(stop: stop) { _ in } }
        #expect(
            error?.problems == [
                ConfigurationProblem(
                    origin: "--publications-address", key: "publications.address",
                    reason: "'ipc://\(folder.path)/r' is also requests.address (set by --requests-address); "
                        + "allowed: an address of its own")
            ])
    }

    @Test func `a state directory that cannot be written is no reason not to start, and is told`() async throws {
        // A folder of that name stands in the way of the file, whoever runs the test.
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/state/epoch/x", withIntermediateDirectories: true)
        let registries = AsyncStream<HealthRegistry>.makeStream()
        let build: @Sendable (ServiceHost) async throws -> Void = { registries.continuation.yield($0.health) }
        try await serving(try process(), build: build) {
            var iterator = registries.stream.makeAsyncIterator()
            let health = try #require(await iterator.next())
            #expect(health.check("")?.isServing == true)
            #expect(health.check("")?.reason.contains("epoch cannot be written: is a directory") == true)
        }
    }

    @Test func `the moved clock is the service's, not the epoch's`() async throws {
        let process = try process(["--clock-offset=-1000d"])
        let clocks = AsyncStream<any WallClock>.makeStream()
        let build: @Sendable (ServiceHost) async throws -> Void = { clocks.continuation.yield($0.clock) }
        try await serving(process, build: build) {
            var iterator = clocks.stream.makeAsyncIterator()
            let clock = try #require(await iterator.next())
            let behind = SystemWallClock().now.milliseconds(since: clock.now)
            #expect(abs(behind - 1_000 * .millisecondsPerDay) < 60_000)
        }
    }
}

/// Notes what it is told to begin.
private struct JournalOwner: PartitionOwner {
    let journal: Journal

    func begin(_ partition: Int) async throws(EnergyError) { journal.add("begin \(partition)") }
    func run(_ partition: Int) async {}
    func end(_ partition: Int) async {}
}
