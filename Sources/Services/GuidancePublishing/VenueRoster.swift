internal import EnergyModel
internal import Foundation

/// What decides a venue's ratings: venues that share all of it share their guidance, but for the token.
struct VenueGroup: Hashable {
    let place: Place
    let ratePlanID: String?
    let priceWeight: Double?

    init(_ venue: Venue) {
        place = Place(region: venue.region, timeZone: venue.timeZone)
        ratePlanID = venue.ratePlanID
        priceWeight = venue.priceWeight
    }
}

/// Venues that share an outlook.
struct Place: Hashable, Comparable {
    let region: String
    let timeZone: TimeZone

    static func < (lhs: Place, rhs: Place) -> Bool {
        (lhs.region, lhs.timeZone.identifier) < (rhs.region, rhs.timeZone.identifier)
    }
}

/// The venues, in groups that share their guidance, and what was issued last for each.
///
/// Everything that a refresh does per venue is here: a look-up by id and a reference to what the group shares.
struct VenueRoster {
    private struct Counts {
        var shift: UInt32 = 0
        var reduce: UInt32 = 0
    }
    private struct Entry {
        var venue: Venue
        let number: VenueNumber
        var shift: IssuedWindow?
        var reduce: IssuedWindow?
    }
    private var entries: [UUID: Entry] = [:]
    /// How much was published in this epoch, also for venues that are no more: who comes back goes on from there.
    private var counts: [UUID: Counts] = [:]
    private(set) var groups: [VenueGroup: [UUID]] = [:]
    /// Not listed and without guidance, but still answered for.
    private(set) var removed: [UUID: Venue] = [:]
    private var ids: [VenueNumber: UUID] = [:]

    var count: Int { entries.count }
    var venues: some Sequence<Venue> { entries.values.lazy.map(\.venue) }
    var regions: Set<String> { Set(groups.keys.map(\.place.region)) }

    subscript(id: UUID) -> Venue? { entries[id]?.venue }

    /// Also those of venues that were removed.
    var allIDs: Set<UUID> { Set(entries.keys).union(removed.keys) }

    /// Also of a venue that was removed.
    func anyVenue(_ id: UUID) -> Venue? { entries[id]?.venue ?? removed[id] }
    func number(of id: UUID) -> VenueNumber? { entries[id]?.number }
    /// Also of a venue that was removed.
    func id(of number: VenueNumber) -> UUID? { ids[number] }

    /// Takes in a venue as it is now, also one that was removed.
    mutating func put(_ venue: Venue, number: VenueNumber) {
        if let entry = entries[venue.id], entry.venue == venue { return }
        ids[number] = venue.id
        leaveGroup(venue.id)
        guard venue.removed == nil else {
            entries[venue.id] = nil
            removed[venue.id] = venue
            return
        }
        removed[venue.id] = nil
        // What is known of the old place says nothing of the new one, should that have no signal.
        entries[venue.id] = Entry(venue: venue, number: number)
        groups[VenueGroup(venue), default: []].append(venue.id)
    }

    /// As if it had never been.
    mutating func forget(_ id: UUID) {
        leaveGroup(id)
        (entries[id], removed[id]) = (nil, nil)
        ids = ids.filter { $0.value != id }
    }

    func issued(_ id: UUID, _ action: SuggestedAction) -> IssuedWindow? {
        action == .shift ? entries[id]?.shift : entries[id]?.reduce
    }

    mutating func issue(_ window: IssuedWindow, to id: UUID) {
        switch window.action {
        case .shift: entries[id]?.shift = window
        case .reduce: entries[id]?.reduce = window
        }
    }

    /// Publications are numbered anew.
    mutating func beginEpoch() { counts = [:] }

    /// The number of the next publication for a venue.
    mutating func nextSequence(_ id: UUID, _ action: SuggestedAction) -> UInt32 {
        switch action {
        case .shift:
            counts[id, default: Counts()].shift += 1
            return counts[id]?.shift ?? 0
        case .reduce:
            counts[id, default: Counts()].reduce += 1
            return counts[id]?.reduce ?? 0
        }
    }

    private mutating func leaveGroup(_ id: UUID) {
        guard let old = entries[id]?.venue else { return }
        let group = VenueGroup(old)
        groups[group]?.removeAll { $0 == id }
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }
}
