internal import AuditFiles
public import EnergyModel
public import EnergyTransport
public import KeyFiles
public import Logging
internal import Synchronization

/// What a main gets to work with: the parts that every process has, and places to hang its own on.
///
/// A main reads its settings, makes its adapters, hands them to its service, and says here what the service answers,
/// what runs beside it, and what is closed in the end. Nothing runs before the main's closure has returned, and nothing is
/// bound before its store is open.
public final class ServiceHost: Sendable {
    public let configuration: ServiceConfiguration
    public let logger: Logger
    /// The time of day, moved by `clock.offset`.
    public let clock: any WallClock
    public let state: StateDirectory
    public let health: HealthRegistry
    /// The folder with the keys of the installation; `nil` where none are demanded.
    public let keys: KeyFolder?

    struct Loop: Sendable {
        let name: String
        let body: @Sendable () async throws -> Void
    }
    struct Closing: Sendable {
        let name: String
        let body: @Sendable () async throws -> Void
    }
    private struct Parts {
        var methods: MethodTable
        var endpoint: (any ServiceEndpoint)?
        var loops: [Loop] = []
        var awaited: [@Sendable () async -> Void] = []
        var closings: [Closing] = []
        /// `nil` where there is one process of the service.
        var leadership: Leadership?
    }
    private let parts: Mutex<Parts>
    private let audit: AuditLog?
    let stopping: StopRequest
    let notify: NotifySocket?
    private let connections: [Peer: any ServiceConnection]

    init(
        configuration: ServiceConfiguration, logger: Logger, clock: any WallClock, state: StateDirectory,
        health: HealthRegistry, connections: [Peer: any ServiceConnection], stopping: StopRequest,
        notify: NotifySocket?, audit: AuditLog? = nil, keys: KeyFolder? = nil
    ) {
        // Every method of the table is written down as its rule says, whoever adds it.
        parts = Mutex(Parts(methods: MethodTable(trail: audit)))
        self.audit = audit
        self.keys = keys
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
        self.state = state
        self.health = health
        self.connections = connections
        (self.stopping, self.notify) = (stopping, notify)
    }

    /// Publishes on `publications.address`.
    ///
    /// - Precondition: the definition names services, and its store is open.
    public var publisher: any Publisher {
        guard let endpoint = parts.withLock(\.endpoint) else { preconditionFailure("this process publishes nothing") }
        return endpoint.publisher
    }

    /// Reaches a peer, all replicas of it. It need not be up.
    ///
    /// - Precondition: the definition names the peer.
    public func connection(to peer: Peer) -> any ServiceConnection {
        guard let connection = connections[peer] else { preconditionFailure("\(peer.rawValue) is not a declared peer") }
        return connection
    }

    /// Adds methods that the process answers.
    public func serve(_ add: (inout MethodTable) -> Void) { parts.withLock { add(&$0.methods) } }

    /// Runs `body` beside the others until the process stops: its task is cancelled then. It must not return before;
    /// if it does, or throws, the process stops with a failure, so that its supervisor starts it anew.
    public func run(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        parts.withLock { $0.loops.append(Loop(name: name, body: body)) }
    }

    /// Waits, before the process says that it serves, until `body` returns; it is cancelled when the process stops first.
    public func awaitBeforeServing(_ body: @escaping @Sendable () async -> Void) {
        parts.withLock { $0.awaited.append(body) }
    }

    /// Runs `body` after the last request is answered and the last loop has ended; what was added last is closed first.
    public func onClose(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        parts.withLock { $0.closings.append(Closing(name: name, body: body)) }
    }

    /// Writes the proof of an erasure into the audit log.
    ///
    /// - Parameter receipt: a JSON document.
    public func noteErasure(_ receipt: String) async { await audit?.note(.dataErased, ["receipt": receipt]) }

    func setLeadership(_ leadership: Leadership) { parts.withLock { $0.leadership = leadership } }

    func bound(to endpoint: (any ServiceEndpoint)?) { parts.withLock { $0.endpoint = endpoint } }

    var leadership: Leadership? { parts.withLock(\.leadership) }
    var methods: MethodTable { parts.withLock { $0.methods } }
    var loops: [Loop] { parts.withLock { $0.loops } }
    var awaited: [@Sendable () async -> Void] { parts.withLock { $0.awaited } }
    var closings: [Closing] { parts.withLock { $0.closings.reversed() } }
}
