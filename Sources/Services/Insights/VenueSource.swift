public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Foundation

/// Where venues are known.
public protocol VenueSource: Sendable {
    /// - Throws: `.notFound` for a venue that does not exist; `.unavailable` when nobody can say now.
    func venue(id: UUID) async throws(EnergyError) -> Venue
}

/// The venues of a guidance-publisher, over the wire.
public struct RemoteVenueSource: VenueSource {
    private let client: any RequestClient

    public init(client: any RequestClient) { self.client = client }

    public func venue(id: UUID) async throws(EnergyError) -> Venue {
        try await client.call(Methods.getVenue, .id(id), timeout: .seconds(3))
    }
}

/// Remembers venues for a minute, and for longer while their source is away: a time zone hardly ever changes.
public actor CachedVenueSource: VenueSource {
    private let source: any VenueSource
    private let clock: any WallClock
    private let venuesMax: Int
    private var known: [UUID: (venue: Venue, fetched: Timestamp)] = [:]

    public init(_ source: any VenueSource, clock: any WallClock, venuesMax: Int = 4_096) {
        self.source = source
        self.clock = clock
        self.venuesMax = max(1, venuesMax)
    }

    public func venue(id: UUID) async throws(EnergyError) -> Venue {
        let before = known[id]
        if let before, clock.now < before.fetched.advanced(byMilliseconds: .millisecondsPerMinute) {
            return before.venue
        }
        do throws(EnergyError) {
            let venue = try await source.venue(id: id)
            if known.count >= venuesMax, known[id] == nil, let any = known.keys.first { known[any] = nil }
            known[id] = (venue, clock.now)
            return venue
        } catch {
            if error.code == .unavailable, let before { return before.venue }
            if error.code == .notFound { known[id] = nil }
            throw error
        }
    }
}
