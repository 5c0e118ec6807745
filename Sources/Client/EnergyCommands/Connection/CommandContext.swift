internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import ServiceEndpoints
internal import Synchronization

typealias ServiceConnection = any RequestClient & Subscriber

/// What a command works with: who it asks, what time it is, where its answer goes. Tests bring their own.
struct CommandContext: Sendable {
    let endpoints: Endpoints
    var output: any CommandOutput
    var style: Style
    let wallClock: any WallClock
    /// For waiting.
    let clock: any Clock<Duration>
    /// For one call.
    let timeout: Duration
    var tools: CommandTools
    /// Answers follow one another: a line each, where they are for programs.
    var isFollowing = false
    /// What the terminal is like now, where it may have another size than before.
    var measure: @Sendable () -> Style? = { nil }
    /// The client's key sees some venues only, as far as its file says.
    var isLimited = false
    /// Asks the person at the terminal; `nil` when there is none.
    var ask: @Sendable (String) -> String? = { _ in nil }
    /// What the names of an endpoint stand for.
    var found: @Sendable (Endpoint) async -> Endpoint = { $0 }
    /// What comes of connecting to one of a service's addresses.
    var addressState: @Sendable (ServiceKind, _ address: String, AddressUse) async -> AddressState = { _, _, _ in .open
    }
    private let connections: Connections

    init(
        endpoints: Endpoints, output: any CommandOutput, style: Style, wallClock: any WallClock,
        clock: any Clock<Duration>, timeout: Duration, tools: CommandTools = CommandTools(),
        connect: @escaping @Sendable (ServiceKind, Endpoint) throws(CommandFailure) -> ServiceConnection
    ) {
        self.endpoints = endpoints
        self.output = output
        self.style = style
        self.wallClock = wallClock
        self.clock = clock
        self.timeout = timeout
        self.tools = tools
        self.connections = Connections(connect)
    }

    func connection(_ service: ServiceKind) throws(CommandFailure) -> ServiceConnection {
        try connections.connection(service, endpoints[service])
    }

    /// A connection of its own, to one of a service's replicas.
    func connection(_ service: ServiceKind, to replica: Endpoint) throws(CommandFailure) -> ServiceConnection {
        try connections.connect(service, replica)
    }

    /// Calls a method of a service.
    ///
    /// - Parameter naming: what a field of the contract is called where the request was written.
    /// - Throws: the refusal in words for people; ``CommandFailure/unreachable(_:at:)`` when nobody answers there.
    func call<Request, Reply>(
        _ service: ServiceKind, _ method: UnaryMethod<Request, Reply>, _ request: Request,
        naming: (String) -> String = { $0 }
    ) async throws(CommandFailure) -> Reply {
        let connection = try connection(service)
        let error: EnergyError
        do throws(EnergyError) {
            return try await connection.call(method, request, timeout: max(timeout, method.patience))
        } catch let caught { error = caught.naming(naming) }
        let failure = await failure(error, from: service, isChange: !method.isIdempotent)
        guard error.code == .notFound, let named = request as? any NamesDevice else { throw failure }
        throw await self.naming(named.deviceID, failure)
    }

    /// "Unavailable" is said by a service that waits for another, and by the transport when nobody is there. Asking
    /// for its health tells which.
    ///
    /// - Parameter isChange: what was asked changes something, and asked again changes it again.
    func failure(
        _ error: EnergyError, from service: ServiceKind, isChange: Bool = false
    ) async -> CommandFailure {
        guard error.code == .unavailable, await !isAnswering(service) else {
            guard isChange, error.message == CallFailure.deadlineExceeded.message else {
                return CommandFailure(error, from: service)
            }
            return .unanswered(service, within: timeout)
        }
        return .unreachable(service, at: endpoints[service])
    }
}

/// Where a command's answer goes. Lines come whole, also from several tasks at once.
protocol CommandOutput: Sendable {
    /// Whether ``line(_:)`` and ``bytes(_:)`` go to a person's screen.
    var isTerminal: Bool { get }
    /// To standard output, as they are.
    func bytes(_ bytes: [UInt8])
    /// To standard output; the line's end is added.
    func line(_ text: String)
    /// To standard error: what is no part of the answer.
    func note(_ text: String)
    /// To a person who waits: replaces what was said before; `nil` takes it away. Nothing where nobody looks.
    func progress(_ text: String?)
}

extension CommandContext {
    /// For programs.
    func answer(_ document: some Encodable) {
        output.line(isFollowing ? JSONText.line(document) : JSONText.document(document))
    }

    /// Sentences, on lines as wide as the terminal. A word that is longer, as a path, has a line of its own.
    func say(_ text: String) { TerminalText.wrap(text, to: style.width).forEach(output.line) }
}

extension CommandOutput {
    func progress(_ text: String?) {}
}

/// Opened when first asked for, and only those that a command needs.
private final class Connections: Sendable {
    let connect: @Sendable (ServiceKind, Endpoint) throws(CommandFailure) -> ServiceConnection
    private let open = Mutex<[ServiceKind: ServiceConnection]>([:])

    init(_ connect: @escaping @Sendable (ServiceKind, Endpoint) throws(CommandFailure) -> ServiceConnection) {
        self.connect = connect
    }

    func connection(_ service: ServiceKind, _ endpoint: Endpoint) throws(CommandFailure) -> ServiceConnection {
        try open.withLock { (open) throws(CommandFailure) in
            if let connection = open[service] { return connection }
            let connection = try connect(service, endpoint)
            open[service] = connection
            return connection
        }
    }
}

extension CommandContext {
    /// Asks before what cannot be taken back.
    ///
    /// - Parameters:
    ///   - deed: as a sentence begins, without its end: `Remove the venue Home`.
    ///   - done: what nothing was, if the answer is no: `removed`.
    /// - Throws: ``CommandFailure`` for any other answer than yes, or where nobody can be asked.
    func confirm(_ deed: String, _ remark: String? = nil, done: String) throws(CommandFailure) {
        guard let answer = ask("\(deed)? \(remark.map { $0 + " " } ?? "")[y/N] ") else {
            let words = deed.prefix(1).lowercased() + deed.dropFirst()
            throw .usage("To \(words) without a terminal to ask at, say --yes.")
        }
        guard ["y", "yes"].contains(answer.lowercased()) else {
            throw CommandFailure(.failure, "Nothing was \(done).")
        }
    }
}
