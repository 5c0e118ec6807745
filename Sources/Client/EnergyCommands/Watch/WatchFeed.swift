internal import EnergyTransport
internal import ServiceEndpoints

/// What one service publishes, as news: each item once, whether a snapshot or a publication brings it.
protocol WatchFeed: Sendable {
    var service: ServiceKind { get }
    var topicPrefix: String { get async }

    init(context: CommandContext, venues: WatchedVenues)

    /// How things stand, as far as it was not told yet.
    mutating func snapshot() async throws(CommandFailure) -> [WatchNews]

    mutating func news(in publication: Publication) async throws(CommandFailure) -> [WatchNews]
}
