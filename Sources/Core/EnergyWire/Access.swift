internal import EnergyModel
public import EnergyTransport
internal import Foundation

/// Who may call a method: decided here for every method, before its handler is asked.
public struct Access<Request: Sendable, Reply: Sendable>: Sendable {
    /// `nil`: whoever is let in.
    public let permission: Permission?
    /// What needs `control` or `admin` is written down without saying so.
    public let audit: AuditRule
    private let division: Division
    private let reach: @Sendable (Request) -> VenueReach
    private let narrow: @Sendable (Reply, Principal) throws(EnergyError) -> Reply

    /// - Parameters:
    ///   - reach: the venues that the request is about.
    ///   - effect: what a call does; `nil` is ``Effect/changes`` with `control` and `admin`, and ``Effect/reads`` else.
    ///   - division: by what replicas share the calls.
    ///   - narrow: takes out of the reply what the principal may not see, or refuses it.
    init(
        _ permission: Permission?, _ effect: Effect? = nil, by division: Division = .venues,
        reach: @escaping @Sendable (Request) -> VenueReach,
        narrow: @escaping @Sendable (Reply, Principal) throws(EnergyError) -> Reply = { (reply, _) in reply }
    ) {
        self.permission = permission
        let isPower = permission == .control || permission == .admin
        audit =
            switch effect ?? (isPower ? .changes : .reads) {
            case .changes: .changing
            case .reads: isPower ? .reading : .none
            }
        self.division = division
        self.reach = reach
        self.narrow = narrow
    }

    /// What a method does to what the service keeps.
    enum Effect: Sendable { case reads, changes }

    /// What goes to the same replica as long as it is there.
    enum Division: Sendable {
        case venues
        /// A partition of a shared log is written by one after the other: who writes others need not wait.
        case partitions
    }

    /// About no venue, or the same for all of them.
    static func to(_ permission: Permission?) -> Access { Access(permission, reach: { _ in .none }) }

    /// About everything that the service has: only for who may see every venue.
    static func toEverything(_ permission: Permission, _ effect: Effect? = nil) -> Access {
        Access(permission, effect, reach: { _ in .every })
    }

    static func to(_ permission: Permission?, venue: @escaping @Sendable (Request) -> UUID) -> Access {
        Access(permission, reach: { .only([venue($0)]) })
    }

    /// - Throws: `denied`, naming what is missing.
    func check(_ principal: Principal) throws(EnergyError) {
        guard let permission, !principal.has(permission) else { return }
        throw EnergyError(.denied, "\(principal.name) has no permission for this; it needs '\(permission.rawValue)'")
    }

    /// - Throws: `denied`, naming the venue.
    func check(_ request: Request, of principal: Principal) throws(EnergyError) {
        guard principal.venues != nil else { return }
        switch reach(request) {
        case .none: break
        case .every: throw EnergyError(.denied, "\(principal.name) may act for its own venues only, not for all")
        case .only(let venues):
            guard let other = venues.first(where: { !principal.reaches($0) }) else { return }
            throw EnergyError(.denied, "\(principal.name) has no permission for venue \(other.uuidString.lowercased())")
        }
    }

    /// Of the request, as far as it names them.
    func venues(of request: Request) -> [UUID]? {
        guard case .only(let venues) = reach(request) else { return nil }
        return Set(venues).sorted { $0.uuidString < $1.uuidString }
    }

    /// What ``CallOptions/affinity`` is of a call: the request's first venue, or that venue's partition as one byte.
    func affinity(of request: Request) -> [UInt8] {
        guard case .only(let venues) = reach(request), let venue = venues.first else { return [] }
        return switch division {
        case .venues: withUnsafeBytes(of: venue.uuid) { Array($0) }
        case .partitions: [UInt8(LogPartition.of(venueID: venue))]
        }
    }

    func narrowed(_ reply: Reply, for principal: Principal) throws(EnergyError) -> Reply {
        principal.venues == nil ? reply : try narrow(reply, principal)
    }
}

/// The venues that a request is about.
enum VenueReach: Sendable {
    case none
    case only([UUID])
    case every
}

extension DemandResponseEvent.Scope {
    /// One for a region or for all changes the guidance of venues that are not the caller's.
    var reach: VenueReach {
        switch self {
        case .venue(let id): .only([id])
        case .region, .all: .every
        }
    }

    /// Whether a principal with some venues may know of the event.
    func concerns(_ principal: Principal) -> Bool {
        switch self {
        case .venue(let id): principal.reaches(id)
        case .region, .all: true
        }
    }
}

extension Topics {
    /// Whether a principal may read what is published of a topic. Denies what it does not know.
    public static func mayRead(_ principal: Principal, _ topic: String) -> Bool {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, let permission = permissions[String(parts[0])], principal.has(permission) else {
            return false
        }
        if principal.venues == nil { return true }
        // As topics write it, and whole: what is shorter, or written otherwise, could be the beginning of another's.
        guard let id = UUID(uuidString: String(parts[1])), parts[1] == id.uuidString.lowercased() else { return false }
        return principal.reaches(id)
    }

    private static let permissions: [String: Permission] = [
        "guidance": .guidance, "events": .events, "insights": .insights, "schedule": .schedules,
    ]
}
