internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Finds the venue that a command is about.
enum VenueLookup {
    /// - Parameter wanted: a name or an id; `nil` is the only venue.
    /// - Throws: `.usage` naming the venues to choose from, `.refused` when there is none such.
    static func choose(_ wanted: String?, among venues: [Venue]) throws(CommandFailure) -> Venue {
        guard let wanted else {
            switch venues.count {
            case 1: return venues[0]
            case 0:
                throw CommandFailure(
                    .refused,
                    "There is no venue yet. Try: energyctl venues add --name Home --zone Europe/Berlin --region DE")
            default:
                throw .usage("There are \(venues.count) venues: say --venue NAME or --venue UUID.\n\(list(venues))")
            }
        }
        if let id = UUID(uuidString: wanted), let venue = venues.first(where: { $0.id == id }) { return venue }
        let matches = venues.filter { $0.name.lowercased() == wanted.lowercased() }
        if matches.count > 1 { throw .usage("\(matches.count) venues have that name: say its id.\n\(list(matches))") }
        guard let venue = matches.first else {
            let known = venues.isEmpty ? "There is none yet." : "There are:\n\(list(venues))"
            let near = NearMiss.nearest(to: wanted.lowercased(), in: venues.map { $0.name.lowercased() })
            let meant = venues.first { $0.name.lowercased() == near }
            let guess = meant.map { " Did you mean '\(TerminalText.safe($0.name))'?" } ?? ""
            throw CommandFailure(.refused, "No venue is called or has the id '\(wanted)'.\(guess) \(known)")
        }
        return venue
    }

    private static let listedMax = 20

    private static func list(_ venues: [Venue]) -> String {
        let lines = venues.prefix(listedMax).map { "  \(TerminalText.safe($0.name))  \($0.id.text)" }
        let more = venues.count > listedMax ? ["  and \(venues.count - listedMax) more"] : []
        return (lines + more).joined(separator: "\n")
    }
}

extension CommandContext {
    func venues() async throws(CommandFailure) -> [Venue] {
        try await call(.guidance, Methods.listVenues, Empty()).venues
    }

    /// The venue that is asked for, or every one where none is.
    func venues(_ wanted: String?, for service: ServiceKind) async throws(CommandFailure) -> [Venue] {
        if wanted == nil, let all = try? await venues(), all.count > 1 { return all }
        return [try await venue(wanted, for: service)]
    }

    /// - Parameter service: who is asked about the venue then.
    func venue(_ wanted: String?, for service: ServiceKind) async throws(CommandFailure) -> Venue {
        let failure: CommandFailure
        do throws(CommandFailure) {
            return try VenueLookup.choose(wanted, among: try await venues())
        } catch let caught { failure = caught }
        // One that was removed is not listed, but its past is still to be had.
        if failure.exit == .refused, let id = wanted.flatMap(UUID.init(uuidString:)),
            let removed = try? await call(.guidance, Methods.getVenue, .id(id))
        {
            return removed
        }
        // Events, insights and schedules are to be had without the guidance-publisher: it only lends the time zone.
        guard failure.exit == .unavailable, service != .guidance else { throw failure }
        guard let id = wanted.flatMap(UUID.init(uuidString:)) else {
            let known = await venueIDsOfDevices().map { "\n  \($0.text)" }.joined()
            throw CommandFailure(
                .unavailable,
                "\(failure.message)\nIt knows the venues' names and zones. With an id, --venue UUID, this works without it."
                    + (known.isEmpty ? "" : " The scheduler has devices at:\(known)"))
        }
        output.note("\(failure.message)\n\(Venue.standInNote)")
        return .standIn(id)
    }

    /// Nothing when the scheduler does not answer either.
    private func venueIDsOfDevices() async -> [UUID] {
        let devices = try? await call(.schedule, Methods.listDevices, VenueFilter(venueID: nil)).devices
        return Array(Set((devices ?? []).map(\.venueID)).sorted { $0.text < $1.text }.prefix(20))
    }
}
