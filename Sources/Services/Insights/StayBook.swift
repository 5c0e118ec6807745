internal import EnergyModel
internal import EnergyStore

/// When the vehicles of a page of the log were plugged in, as far as it is read.
struct StayBook {
    private var stays: [VehicleKey: VehicleStay]
    private var changed: Set<VehicleKey> = []
    /// Not in `stays` meanwhile: events of one vehicle mostly come together.
    private var stayAtHand = VehicleStay()
    private var keyAtHand: VehicleKey?
    /// Of sessions that are counted anew: they keep what was decided.
    private let known: [SessionKey: VehicleStay.Begin]?

    /// - Parameter stays: of all vehicles that the page has events of, as the store has them.
    init(_ stays: [VehicleKey: VehicleStay]) { (self.stays, known) = (stays, nil) }

    /// - Parameter sessions: those that are counted anew, all of them.
    init(keeping sessions: [CountedSession]) {
        stays = [:]
        known = sessions.reduce(into: [:]) { known, session in
            known[session.key] = VehicleStay.Begin(pluggedIn: session.pluggedIn, follows: session.follows)
        }
    }

    /// - Parameter beginning: the session whose first event it is.
    /// - Returns: how its stay began.
    mutating func follow(_ event: Event, beginning key: SessionKey?) -> VehicleStay.Begin? {
        if let known { return key.flatMap { known[$0] } }
        guard let vehicle = VehicleKey(event) else { return nil }
        if vehicle != keyAtHand { take(vehicle) }
        defer { stayAtHand.follow(event) }
        return key.map { stayAtHand.begin($0.sessionID, with: event) }
    }

    /// - Parameter event: it was followed just now.
    /// - Returns: the session that began last, and how its stay began, if the event is of the time before; `nil` of others.
    func lateWord(_ event: Event) -> (session: SessionKey, begin: VehicleStay.Begin)? {
        guard known == nil, keyAtHand != nil, keyAtHand == VehicleKey(event), stayAtHand.isLate(event),
            let last = stayAtHand.lastBegin
        else { return nil }
        return (SessionKey(venueID: event.venueID, sessionID: last.sessionID), last.begin)
    }

    /// The stay at hand moves with a session whose own stay began otherwise.
    mutating func move(behind session: CountedSession) { stayAtHand.move(behind: session) }

    /// - Parameter event: the one that ended the session; it was followed just now.
    mutating func end(_ session: CountedSession, by event: Event) {
        guard known == nil, let keyAtHand, keyAtHand == VehicleKey(event) else { return }
        stayAtHand.end(session, by: event)
    }

    /// As it was kept here; `nil` where it was not.
    func stay(of vehicle: VehicleKey) -> VehicleStay? { stays[vehicle] }

    /// Keeps the stay of a vehicle one of whose sessions was counted anew.
    mutating func keep(_ stay: VehicleStay, of vehicle: VehicleKey) {
        stays[vehicle] = stay
        changed.insert(vehicle)
    }

    /// Forgets vehicles that were erased.
    mutating func forget(where isErased: (VehicleKey) -> Bool) {
        take(nil)
        stays = stays.filter { !isErased($0.key) }
    }

    /// Takes out what changed so far; all of it stays known.
    mutating func takeChanged() -> [VehicleKey: VehicleStay] {
        take(nil)
        defer { changed = [] }
        return changed.reduce(into: [:]) { $0[$1] = stays[$1] }
    }

    private mutating func take(_ key: VehicleKey?) {
        if let keyAtHand { stays[keyAtHand] = stayAtHand }
        keyAtHand = key
        guard let key else { return }
        stayAtHand = stays[key] ?? VehicleStay()
        changed.insert(key)
    }
}
