internal import ArgumentParser
internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct ActivityCommand: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "What happened, in plain words: sessions, and why vehicles charge or wait.",
        discussion: """
            Without a time: the last 7 days, the newest last. A session is listed when it is over, with what it cost \
            and saved; one that goes on, with how far it has come. What vehicles report is kept for 400 days.

            EXAMPLES
              energyctl activity
              energyctl activity --device car-1 --last 30d --kind session
              energyctl activity --watch
              energyctl activity --csv --last 1y > activity.csv
              energyctl activity --json --watch | jq -r .text
            """)

    @OptionGroup var past: PastOptions
    @Option(name: .long, help: ArgumentHelp("Only of this device.", valueName: "id"), completion: .devices)
    var device: String?
    @Option(
        name: .long,
        help: """
            Only sessions, what is plugged in and unplugged, why vehicles charge, or why they wait. May be repeated.
            """)
    var kind: [Activity.Kind] = []
    @Flag(name: .long, help: "Go on with what happens, until interrupted.") var watch = false
    @OptionGroup var place: VenueOption
    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if watch, past.to != nil { throw ValidationError("--watch goes on from now: it needs no --to.") }
        try WatchOption.check(watch, isFile: list.csv)
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let range = try past.range(or: TimeSpan(7, .d), now: context.wallClock.now, in: venue.timeZone)
        var query = ActivityQuery(venueID: venue.id, deviceID: device, kinds: Set(kind), range: range)
        // Before the first look, so that nothing falls between the two.
        let news = watch ? try subscription(to: venue, context) : nil
        var shown = ShownActivities()
        if options.json || list.csv, !watch {
            var entries: [ActivityDocument] = []
            try await context.activities(query) { entries += $0.map { ActivityDocument($0, in: venue.timeZone) } }
            if entries.isEmpty { try await context.checkCounted(device, venue) }
            guard !list.csv else { return context.output.csv(entries.map(ActivityRow.init)) }
            context.output.line(JSONText.document(ActivitiesDocument(entries: entries)))
            return
        }
        var count = 0
        try await context.activities(query) { entries in
            count += entries.count
            show(shown.new(among: entries), venue, context)
        }
        if count == 0 {
            if watch {
                await context.noteIfUnknown(device, venue)
            } else {
                try await context.checkCounted(device, venue)
            }
            if !watch { context.output.line("Nothing happened in this time.") }
        }
        await context.noteIfBehind()
        guard let news else { return }
        for await _ in news {
            guard let range = shown.range(since: range.start, now: context.wallClock.now) else { continue }
            query.range = range
            try await follow(query, &shown, venue, context)
        }
    }

    private func follow(
        _ query: ActivityQuery, _ shown: inout ShownActivities, _ venue: Venue, _ context: CommandContext
    ) async throws(CommandFailure) {
        let noteLoss = { (failure: CommandFailure) in
            context.output.note("\(failure.message)\nWaiting for it to return.")
        }
        let entries = try await context.untilAvailable(onLoss: noteLoss) { () async throws(CommandFailure) in
            var entries: [ToldActivity] = []
            try await context.activities(query) { entries += $0 }
            return entries
        }
        show(shown.new(among: entries ?? []), venue, context)
    }

    private func subscription(to venue: Venue, _ context: CommandContext) throws(CommandFailure) -> Subscription {
        let connection = try context.connection(.insights)
        return connection.subscribe(
            device.map { Topics.insights(venueID: venue.id, deviceID: $0) }
                ?? Topics.allInsights + "\(venue.id.text)/")
    }

    private func show(_ entries: [ToldActivity], _ venue: Venue, _ context: CommandContext) {
        for entry in entries {
            if options.json {
                context.output.line(JSONText.line(ActivityDocument(entry, in: venue.timeZone)))
            } else {
                // The minute that the clocks show, of all alike: what is of one instant is told as of one minute.
                let time = VenueTime(entry.activity.time, in: venue.timeZone)
                let text = TerminalText.safe("\(entry.activity.device.id): \(entry.text)")
                let isOfThisYear = time.date.year == VenueTime(context.wallClock.now, in: venue.timeZone).date.year
                let date = isOfThisYear ? time.date.short : time.date.long
                TerminalText.fitted("\(date) \(time.clock)  \(text)", to: context.style.width)
                    .forEach(context.output.line)
            }
        }
    }
}

/// Which activities a person has seen. A session is news when it begins, and again when it is over.
struct ShownActivities {
    /// What comes late is looked for so far back.
    private static let overlapMilliseconds = 2 * Int64.millisecondsPerDay

    private struct Key: Hashable {
        let id: UUID
        let isOver: Bool
    }
    private var shown: [Key: Timestamp] = [:]
    private var newest: Timestamp?

    mutating func new(among entries: [ToldActivity]) -> [ToldActivity] {
        let new = entries.filter { entry in
            var isOver = true
            if case .session(let session) = entry.activity.content { isOver = session.isOver }
            let key = Key(id: entry.activity.id, isOver: isOver)
            return shown.updateValue(entry.activity.time, forKey: key) == nil
        }
        newest = max(
            newest ?? .init(unixMilliseconds: 0), entries.map(\.activity.time).max() ?? .init(unixMilliseconds: 0))
        if let newest {
            // Beyond that nothing is asked for again.
            let oldest = newest.advanced(byMilliseconds: -2 * Self.overlapMilliseconds)
            shown = shown.filter { $0.value >= oldest }
        }
        return new
    }

    /// What to ask for at news.
    func range(since start: Timestamp, now: Timestamp) -> Interval? {
        let last = newest.map { $0.advanced(byMilliseconds: -Self.overlapMilliseconds) } ?? start
        // A device's clock may be ahead.
        return Interval(
            start: max(start, last), end: max(now, newest ?? now).advanced(byMilliseconds: .millisecondsPerHour))
    }
}

extension CommandContext {
    /// Page by page.
    func activities(
        _ query: ActivityQuery, _ body: ([ToldActivity]) -> Void
    ) async throws(CommandFailure) {
        var pages = try await read(.insights, Methods.queryActivity, query)
        while let page = try await pages.next() { body(page.entries) }
    }
}
