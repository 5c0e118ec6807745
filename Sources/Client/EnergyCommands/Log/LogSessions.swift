internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct LogSessions: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "What the log knows of a venue's newest sessions, and how they were closed.",
        discussion: """
            A session is open until its end is reported. One without an event for 14 days is abandoned: it was closed \
            by policy, and counts with what it had reported.

            EXAMPLE
              energyctl log sessions --open
            """)

    @Flag(name: .long, help: "Only those that go on, or were abandoned.") var open = false
    @OptionGroup var place: VenueOption
    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .events)
        let reply = try await context.call(.events, Methods.listSessions, SessionFilter(venueID: venue.id))
        let sessions = open ? reply.sessions.filter { !$0.isEnded } : reply.sessions
        let documents = sessions.map { SessionDocument($0, in: venue.timeZone) }
        guard !list.csv else { return context.output.csv(documents) }
        if options.json {
            context.output.line(JSONText.document(SessionsDocument(sessions: documents)))
            return
        }
        guard !sessions.isEmpty else { return context.output.line("No sessions.") }
        var table = Table([
            .init("device", shrinks: true), .init("began"), .init("newest event", dropOrder: 1),
            .init("kWh", .right), .init("state"), .init("id", dropOrder: 2),
        ])
        let thisYear = VenueTime(context.wallClock.now, in: venue.timeZone).date.year
        let isOfThisYear = sessions.allSatisfy { VenueTime($0.began, in: venue.timeZone).date.year == thisYear }
        func time(_ time: Timestamp) -> Table.Cell {
            let time = VenueTime(time, in: venue.timeZone)
            return .init("\(isOfThisYear ? time.date.short : time.date.long) \(time.clock)")
        }
        for session in sessions {
            table.add([
                .init(session.deviceID), time(session.began), time(session.last),
                .init(Quantities.kilowattHours(Energy(milliwattHours: session.energyMilliwattHours))),
                .init(session.standing), .init(session.id.text),
            ])
        }
        (table.lines(context.style) + table.notes(context.style)).forEach(context.output.line)
    }
}

struct SessionsDocument: Encodable {
    let sessions: [SessionDocument]
}

struct SessionDocument: Codable {
    let id: String
    let venueId: String
    let deviceId: String
    let deviceType: String
    let direction: String?
    let began: String
    let last: String
    let energyMwh: Int64
    let isEnded: Bool
    let isAbandoned: Bool

    init(_ session: SessionProgress, in zone: TimeZone) {
        id = session.id.text
        venueId = session.venueID.text
        deviceId = session.deviceID
        deviceType = Words.snake(session.kind.rawValue)
        direction = session.direction?.rawValue
        began = session.began.iso8601(in: zone)
        last = session.last.iso8601(in: zone)
        energyMwh = session.energyMilliwattHours
        isEnded = session.isEnded
        isAbandoned = session.isAbandoned
    }
}

extension SessionProgress {
    fileprivate var standing: String { isEnded ? "ended" : isAbandoned ? "abandoned" : "open" }
}
