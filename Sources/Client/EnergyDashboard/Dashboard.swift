public import EnergyModel
internal import HTTPTypes
internal import Hummingbird
public import KeyFiles
public import Logging
internal import NIOCore

/// The pages and the HTTP API, and the live connection to the services behind them.
public struct Dashboard: Sendable {
    let reader: HomeReader
    let desk: NewsDesk
    private let settings: DashboardSettings
    private let keys: KeyFolder?
    private let follower: NewsFollower
    private let logger: Logger

    /// - Parameters:
    ///   - keys: of the installation; `nil` where none are demanded.
    ///   - clock: for waiting.
    public init(
        settings: DashboardSettings, connections: DashboardConnections, keys: KeyFolder? = nil,
        wallClock: any WallClock, clock: any Clock<Duration>, logger: Logger
    ) {
        let (presence, desk) = (ServicePresence(), NewsDesk())
        self.settings = settings
        self.keys = keys
        self.desk = desk
        self.logger = logger
        reader = HomeReader(connections: connections, presence: presence, clock: wallClock)
        follower = NewsFollower(
            connections: connections, presence: presence, desk: desk, wallClock: wallClock, clock: clock)
    }

    /// Keeps pages up to date until the task is cancelled.
    public func follow() async { await follower.run() }

    /// Answers browsers until the task is cancelled.
    ///
    /// - Parameter whenRunning: told the port that is listened to.
    /// - Throws: what keeps the address from being bound.
    public func serve(whenRunning: @escaping @Sendable (_ port: Int?) -> Void = { _ in }) async throws {
        let stop = ServerStop()
        let application = Application(
            router: Routes(
                pages: Pages(reader: reader, keys: keys), desk: desk, rules: RequestRules(hosts: settings.hosts)
            ).router,
            server: .http1(
                configuration: .init(
                    idleTimeout: .seconds(120),
                    httpDecoderConfiguration: .init(maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: nil),
            onServerRunning: { channel in whenRunning(channel.localAddress?.port) },
            logger: Logger(label: logger.label) { _ in ServerLogHandler(logger, until: stop) })
        try await withTaskCancellationHandler {
            do { try await application.run() } catch is CancellationError {}
        } onCancel: {
            stop.begin()
        }
    }
}

/// Where the dashboard listens.
public struct DashboardSettings: Sendable {
    let host: String
    let port: Int
    let hosts: Set<String>

    /// - Parameters:
    ///   - host: an address of this machine.
    ///   - port: 0 is any that is free.
    ///   - hosts: names beside `localhost` under which browsers may ask for it.
    public init(host: String = "127.0.0.1", port: Int = 7450, hosts: Set<String> = []) {
        self.host = host
        self.port = port
        self.hosts = Set(hosts.map { $0.lowercased() })
    }

    /// What to type into a browser on this machine.
    ///
    /// - Parameter port: the one that was bound.
    public func url(port: Int?) -> String {
        let name = host == "0.0.0.0" ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
        return "http://\(name):\(port ?? self.port)/"
    }
}
