/// What a process is, said once: `--help`, the commented configuration file, and the start come from it.
public struct ServiceDefinition: Sendable {
    /// The executable's name.
    public let name: String
    /// One line for people.
    public let summary: String
    /// The services of the contract that the process answers, for example `energy.v1.Events`. Empty for a process that
    /// binds no request endpoint.
    public let services: [String]
    public let peers: [Peer]
    let peer: Peer
    public let keys: [KeyDeclaration]
    let defaults: PeerAddresses

    /// - Parameter keys: what only this process has; the runtime adds its own.
    public init(
        _ peer: Peer, name: String? = nil, summary: String, services: [String] = [], peers: [Peer] = [],
        keys: [KeyDeclaration] = []
    ) {
        self.peer = peer
        self.name = name ?? peer.rawValue
        self.summary = summary
        self.services = services
        self.peers = peers
        self.keys = keys
        defaults = peer.defaults
    }

    var bindsRequests: Bool { !services.isEmpty }

    /// Every setting of the process, in the order people read them.
    public var declarations: [KeyDeclaration] {
        let runtime = RuntimeKeys(self)
        return runtime.declarations(bindsRequests: bindsRequests) + peerKeys.flatMap(\.declarations) + keys
    }

    var peerKeys: [PeerKeys] { peers.map(PeerKeys.init) }

    public var loader: ConfigurationLoader { ConfigurationLoader(service: name, declarations: declarations) }
}

/// The processes that meet on the wire, by the names of their executables.
public enum Peer: String, Sendable, CaseIterable {
    case guidancePublisher = "guidance-publisher"
    case eventIngestor = "event-ingestor"
    case insightService = "insight-service"
    case scheduler = "scheduler"
    case deviceSimulator = "device-simulator"
    case energyDashboard = "energy-dashboard"

    var defaults: PeerAddresses {
        switch self {
        case .guidancePublisher: PeerAddresses(basePort: 7400)
        case .eventIngestor: PeerAddresses(basePort: 7410)
        case .insightService: PeerAddresses(basePort: 7420)
        case .scheduler: PeerAddresses(basePort: 7430)
        case .deviceSimulator: PeerAddresses(basePort: 7440)
        case .energyDashboard: PeerAddresses(basePort: 7450)
        }
    }
}

/// Where a process is found unless somebody says otherwise: three ports in a row on loopback.
struct PeerAddresses: Sendable {
    let requests: String
    let publications: String
    let http: String

    init(basePort: Int) {
        requests = "tcp://127.0.0.1:\(basePort)"
        publications = "tcp://127.0.0.1:\(basePort + 1)"
        http = "tcp://127.0.0.1:\(basePort + 2)"
    }
}
