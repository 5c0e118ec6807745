internal import ServiceEndpoints

/// Where the services are. A program needs none: ``standard(environment:)`` is used. One that talks to several
/// installations makes several, and says in ``use(_:)`` which one it means.
public struct EnergyKitConfiguration: Hashable, Sendable {
    /// Where one service listens: for each replica, an address for requests and one for publications, in the same
    /// order. Each is `tcp://HOST:PORT` or `ipc://PATH`.
    public struct Service: Hashable, Sendable {
        public var requestAddresses: [String]
        public var publicationAddresses: [String]

        public init(requestAddresses: [String], publicationAddresses: [String]) {
            self.requestAddresses = requestAddresses
            self.publicationAddresses = publicationAddresses
        }
    }

    public var guidance: Service
    public var events: Service
    public var insights: Service
    /// For services that demand keys; a program has them from a file, with ``init(contentsOfFile:)``.
    private(set) var keys: ClientKeys?
    /// For one request, attempts included. 10 seconds.
    public var requestTimeout: Duration = .seconds(10)
    /// How long a guidance stream waits for its first value before it throws. 10 seconds.
    public var firstGuidanceTimeout: Duration = .seconds(10)

    /// The services of this machine, where `make run-all` starts them.
    public init() { self.init(Endpoints()) }

    /// - Parameter endpoints: as in `ENERGYKIT_ENDPOINTS`; what it does not name is where `make run-all` starts it:
    ///
    ///       guidance=tcp://127.0.0.1:7400,tcp://127.0.0.1:7401;events=ipc:///run/gridtide/e,ipc:///run/gridtide/ep
    public init(endpoints: String) throws(EnergyKitConfigurationError) {
        do throws(EndpointsError) { self.init(try Endpoints(parsing: endpoints)) } catch {
            throw EnergyKitConfigurationError("endpoints: \(error.message)")
        }
    }

    /// - Parameter path: a file with endpoints and keys, as ``standard(environment:)`` shows it and
    ///   `energyctl keys client` makes it.
    /// - Throws: naming the file, also when it holds a secret that other users may read.
    public init(contentsOfFile path: String) throws(EnergyKitConfigurationError) {
        do throws(ClientFileError) { self.init(try ClientFile(path: path)) } catch {
            throw EnergyKitConfigurationError(error.message)
        }
    }

    init(_ file: ClientFile) {
        self.init(file.endpoints)
        keys = file.keys
    }

    init(_ endpoints: Endpoints) {
        guidance = Service(endpoints[.guidance])
        events = Service(endpoints[.events])
        insights = Service(endpoints[.insights])
    }

    @TaskLocal private static var chosen: EnergyKitConfiguration?

    /// Runs `body` against these services: everything it asks of EnergyKit, in child tasks and in `Task { }` too, but
    /// not in `Task.detached`.
    public func use<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await EnergyKitConfiguration.$chosen.withValue(self, operation: body)
    }

    /// Closes the connections to these services, once nothing uses them any more. The next request connects again.
    public func disconnect() { ServicePool.shared.forget(self) }

    /// The configuration of the present task.
    static func inUse() throws(EnergyKitConfigurationError) -> EnergyKitConfiguration {
        if let chosen { return chosen }
        return try StandardConfiguration.shared.get()
    }

    subscript(_ service: ServiceKind) -> Service {
        switch service {
        case .guidance: guidance
        case .events: events
        case .insights: insights
        case .schedule: Service(service.defaultEndpoint)  // EnergyKit asks nothing of it
        }
    }
}

extension EnergyKitConfiguration.Service {
    fileprivate init(_ endpoint: Endpoint) {
        self.init(requestAddresses: endpoint.requestAddresses, publicationAddresses: endpoint.publishAddresses)
    }
}
