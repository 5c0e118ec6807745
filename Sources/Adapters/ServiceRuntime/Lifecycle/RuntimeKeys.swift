internal import Logging

/// The settings that every process has.
struct RuntimeKeys: Sendable {
    let requestsAddress: ConfigurationKey<String>
    let publicationsAddress: ConfigurationKey<String>
    let httpAddress: ConfigurationKey<String>
    let stateDirectory = ConfigurationKey<String>.text(
        "state.directory", allowed: "a path; none is $XDG_STATE_HOME/gridtide/<service>",
        help: "Folder for everything that outlives the process.")
    let keysDirectory = ConfigurationKey<String>.text(
        "keys.directory", allowed: "a folder made by `energyctl keys init`; none is no keys",
        help: "Folder with this process's key and access.yaml. Without it only this machine can connect.")
    let keysFile = ConfigurationKey<String>.text(
        "keys.file", allowed: "a path; none is <name>.key in keys.directory",
        help: "This process's own key, where it is not in the folder: a systemd credential, for example.")
    let httpLogins = ConfigurationKey<String>.text(
        "http.logins", allowed: "a file made by `energyctl keys password`; none asks for no login",
        help: "Who may read /metrics and /readyz. Needed where other machines can reach http.address.")
    let httpTLS = ConfigurationKey<HTTPTLS>.choice(
        "http.tls", default: .none,
        help: "proxy: a proxy with TLS stands before http.address. Needed where other machines can reach it.")
    let drainTimeout = ConfigurationKey<Duration>.duration(
        "drain.timeout", default: "10s", from: "0s", to: "10m",
        help: "How long requests in flight may take to finish when the service stops.")
    let logLevel = ConfigurationKey<LogLevel>.choice(
        "log.level", default: .info, help: "The least important events that are logged, to standard error.")
    let logFormat = ConfigurationKey<LogFormat>.choice(
        "log.format", default: .text, help: "Text for people, or one JSON object a line.")
    let clockOffset = ConfigurationKey<Duration>.duration(
        "clock.offset", default: "0s", from: "-36500d", to: "36500d",
        help: "Added to the machine's clock, to replay recorded data as if they were of today.")

    init(_ definition: ServiceDefinition) {
        let defaults = definition.defaults
        requestsAddress = .address(
            "requests.address", default: defaults.requests, help: "Where requests are answered (ZeroMQ ROUTER).")
        publicationsAddress = .address(
            "publications.address", default: defaults.publications,
            help: "Where changes are published (ZeroMQ PUB).")
        httpAddress = .address(
            "http.address", default: defaults.http, help: "Where /metrics, /healthz and /readyz are answered.")
    }

    func declarations(bindsRequests: Bool) -> [KeyDeclaration] {
        (bindsRequests ? [requestsAddress.declaration, publicationsAddress.declaration] : [])
            + [
                httpAddress.declaration, httpLogins.declaration, httpTLS.declaration, stateDirectory.declaration,
                keysDirectory.declaration, keysFile.declaration,
                drainTimeout.declaration, logLevel.declaration, logFormat.declaration, clockOffset.declaration,
            ]
    }
}

/// Where a peer is found; several replicas are separated by commas.
struct PeerKeys: Sendable {
    let peer: Peer
    let requests: ConfigurationKey<[String]>
    let publications: ConfigurationKey<[String]>

    init(_ peer: Peer) {
        self.peer = peer
        requests = .addresses(
            "peers.\(peer.rawValue).requests", default: peer.defaults.requests,
            help: "Where \(peer.rawValue) answers requests.")
        publications = .addresses(
            "peers.\(peer.rawValue).publications", default: peer.defaults.publications,
            help: "Where \(peer.rawValue) publishes.")
    }

    var declarations: [KeyDeclaration] { [requests.declaration, publications.declaration] }
}

/// Who encrypts what HTTP answers.
enum HTTPTLS: String, CaseIterable, Sendable { case none, proxy }

/// swift-log's levels, in the words that the configuration uses.
enum LogLevel: String, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error, critical

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
