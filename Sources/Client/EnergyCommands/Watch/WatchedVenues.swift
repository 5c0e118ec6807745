internal import EnergyModel
internal import Foundation

/// The venues that `watch` is about.
actor WatchedVenues {
    /// Snapshots ask once per venue: of a large installation the first so many are shown.
    static let venuesMax = 100

    private let context: CommandContext
    /// The one that was asked for, `nil` for all.
    let only: Venue?
    private var known: [UUID: Venue] = [:]

    /// - Throws: when a venue was asked for and cannot be found.
    init(_ context: CommandContext, wanted: String?) async throws(CommandFailure) {
        self.context = context
        only = if let wanted { try await context.venue(wanted) } else { nil }
    }

    func all() async throws(CommandFailure) -> [Venue] {
        if let only { return [only] }
        let venues = try await context.venues()
        known = Dictionary(venues.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return Array(venues.prefix(Self.venuesMax))
    }

    /// As many as are known without asking again; asks when none is.
    func some() async -> [Venue] {
        if known.isEmpty, only == nil { _ = try? await all() }
        return only.map { [$0] } ?? Array(known.values.sorted { $0.name < $1.name }.prefix(Self.venuesMax))
    }

    /// The clock of all venues, this machine's if they have several.
    var commonZone: TimeZone {
        if let only { return only.timeZone }
        let zones = Set(known.values.map(\.timeZone))
        return zones.count == 1 ? zones.first ?? .current : .current
    }

    /// - Returns: `nil` for a venue that is not watched; a stand-in on this machine's clock for one that nobody can
    ///   describe now.
    func venue(_ id: UUID) async -> Venue? {
        if let only { return only.id == id ? only : nil }
        if known[id] == nil { _ = try? await all() }
        return known[id]
            ?? Venue(id: id, name: id.text, timeZone: .current, region: "", changed: Timestamp(unixMilliseconds: 0))
    }
}
