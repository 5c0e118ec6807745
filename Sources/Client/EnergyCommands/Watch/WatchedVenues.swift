internal import EnergyModel
internal import Foundation
internal import ServiceEndpoints

/// The venues that `watch` is about.
actor WatchedVenues {
    /// Snapshots ask once per venue: of a large installation the first so many are shown.
    static let venuesMax = 100

    private let context: CommandContext
    /// The one that was asked for, `nil` for all.
    let only: Venue?
    let notes: NotesOnce
    private var known: [UUID: Venue] = [:] {
        didSet {
            if mainVenue.map({ known[$0.id] == nil }) ?? true {
                mainVenue = known.values.min { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
            }
        }
    }
    private var mainVenue: Venue?
    private var hasStandIn = false
    private var isStandInTold = false

    /// - Throws: when a venue was asked for and cannot be found.
    init(_ context: CommandContext, wanted: String?) async throws(CommandFailure) {
        self.context = context
        notes = NotesOnce(context.output)
        only = if let wanted { try await context.venue(wanted, for: .events) } else { nil }
    }

    /// One of those that others are.
    init(_ context: CommandContext, only: Venue, notes: NotesOnce) {
        self.context = context
        self.only = only
        self.notes = notes
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

    /// For news of no venue: the clock of the first venue by name, this machine's while none is known. It stays what it
    /// is while others come and go.
    var mainZone: TimeZone { only?.timeZone ?? mainVenue?.timeZone ?? .current }

    /// The venues' clocks differ, or this machine's stands in for one: a time alone does not say which it is.
    var showsOffset: Bool {
        if let only { return only.isStandIn }
        return known.isEmpty || hasStandIn || Set(known.values.map(\.timeZone)).count > 1
    }

    /// - Returns: `nil` for a venue that is not watched; a stand-in on this machine's clock for one that nobody can
    ///   describe now.
    func venue(_ id: UUID) async -> Venue? {
        if let only { return only.id == id ? only : nil }
        if known[id] == nil { _ = try? await all() }
        hasStandIn = known[id] == nil
        if hasStandIn, !isStandInTold {
            isStandInTold = true
            context.output.note(Venue.standInNote)
        }
        return known[id] ?? .standIn(id)
    }
}
