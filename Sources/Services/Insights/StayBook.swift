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
    private let known: [SessionKey: Timestamp]?

    /// - Parameter stays: of all vehicles that the page has events of, as the store has them.
    init(_ stays: [VehicleKey: VehicleStay]) { (self.stays, known) = (stays, nil) }

    /// - Parameter sessions: those that are counted anew, all of them.
    init(keeping sessions: [CountedSession]) {
        stays = [:]
        known = sessions.reduce(into: [:]) { $0[$1.key] = $1.pluggedIn }
    }

    /// - Parameter beginning: the session whose first event it is.
    /// - Returns: when the vehicle was plugged in for it.
    mutating func follow(_ event: Event, beginning key: SessionKey?) -> Timestamp? {
        if let known { return key.flatMap { known[$0] } }
        guard let vehicle = VehicleKey(event) else { return nil }
        if vehicle != keyAtHand { take(vehicle) }
        defer { stayAtHand.follow(event) }
        return key == nil ? nil : stayAtHand.pluggedIn(for: event)
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
