internal import ArgumentParser
internal import EnergyModel
internal import Foundation
internal import InsightFiles
internal import ServiceEndpoints

struct SessionsList: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "What each session used, cost, emitted and saved.",
        discussion: """
            Saved is what the same energy would have cost, taken from plug-in on at full power, less what it cost. \
            Plug-in is what the vehicle's statuses say; without them, when the session began. \
            - is not known, as of sessions that were imported, whose full power nobody knows. \
            'energyctl insights --explain' says of which sessions that cannot be said, and why.

            EXAMPLES
              energyctl sessions --last 7d --device car-1
              energyctl sessions --last 1y --csv > sessions.csv
            """)

    @OptionGroup var question: SessionOptions
    @OptionGroup var place: VenueOption
    @OptionGroup var file: FileRowsOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let query = try question.query(of: venue, now: context.wallClock.now)
        try await context.checkCounted(query.deviceID, venue, asked: query.range)
        let end = await context.logEnd(of: venue)
        let answer = try await context.sessionAnswer(query)
        let sessions = answer.sessions
        let uncounted = await context.uncounted(at: venue, in: answer.applied, to: end)
        await context.noteIfBehind()
        guard !file.csv else {
            let table = SessionCSV(venue)
            context.output.bytes(Array((table.start() + sessions.map(table.row).joined()).utf8))
            return context.tell(uncounted, at: venue, isNote: true)
        }
        guard !options.json else {
            struct Document: Encodable {
                let sessions: [SessionInsightDocument]
                let saved: SavingsDocument
                /// Ids of sessions that overlap another of their device.
                let overlapping: [String]
                let applied: [InsightsDocument.Head]
                let behind: UncountedDocument?
            }
            let documents = sessions.map { SessionInsightDocument($0, in: venue.timeZone) }
            let saved = SavingsDocument(Savings(sessions))
            context.output.line(
                JSONText.document(
                    Document(
                        sessions: documents, saved: saved,
                        overlapping: OverlappingSessions(sessions).ids.map(\.text).sorted(),
                        applied: answer.applied.map(InsightsDocument.Head.init),
                        behind: uncounted.map { UncountedDocument($0, in: venue.timeZone) })))
            return
        }
        defer { context.tell(uncounted, at: venue) }
        guard !sessions.isEmpty else { return context.output.line("No session began in this time.") }
        SessionTable(sessions: sessions, venue: venue, now: context.wallClock.now).lines(context.style).forEach(
            context.output.line)
    }
}

/// One line for each session.
private struct SessionTable {
    let sessions: [SessionInsight]
    let venue: Venue
    let now: Timestamp

    func lines(_ style: Style) -> [String] {
        let worth = WorthColumns(sessions.map(\.knownWorth))
        let isWeighted = sessions.contains {
            $0.amount.weightedRuntimeMilliseconds != $0.amount.runtimeMilliseconds
        }
        // What is paid for energy that was given back must not look like its cost.
        let hasExports = sessions.contains { $0.direction == .exported }
        var table = Table(
            [.init("began"), .init("device", shrinks: true), .init("kWh", .right)]
                + [.init("run time", .right, dropOrder: 39), .init("by stage", .right, dropOrder: 40), .init("flow")]
                + worth.titles.enumerated().map { .init($1, .right, dropOrder: $0 + 20) }
                + [
                    .init("in good times", .right, dropOrder: 32), .init("guided", dropOrder: 31),
                    .init("saved", .right, dropOrder: 10), .init("kg CO2 saved", .right, dropOrder: 11),
                    .init("state", dropOrder: 33), .init("id", dropOrder: 50),
                ])
        let dates = sessions.map { VenueTime(rounding: $0.began, in: venue.timeZone).date }
        let thisYear = VenueTime(now, in: venue.timeZone).date.year
        let isOfThisYear = dates.allSatisfy { $0.year == thisYear }
        for (session, date) in zip(sessions, dates) {
            let began = VenueTime(rounding: session.began, in: venue.timeZone)
            var cells: [Table.Cell] = [
                .init("\(isOfThisYear ? date.short : date.long) \(began.clock)"), .init(session.deviceID),
                .init(session.measuresEnergy ? Quantities.kilowattHours(session.amount.energy) : "-"),
                .init(Quantities.runtime(milliseconds: session.amount.runtimeMilliseconds)),
                .init(
                    isWeighted ? Quantities.runtime(milliseconds: session.amount.weightedRuntimeMilliseconds) : ""),
                .init(!hasExports ? "" : session.direction == .exported ? "given back" : "used"),
            ]
            cells += worth.cells(session.knownWorth).map { .init($0) }
            cells += [
                .init(goodShare(session)),
                .init(session.wasFollowingGuidance ? "yes" : session.measuresEnergy ? "no" : "-"),
                .init(session.savedMoney.map { "\(Quantities.money($0)) \($0.currency)" } ?? "-"),
                .init(session.savedCarbon.map { Quantities.kilograms($0.milligrams) } ?? "-"),
                .init((session.isOver ? "over" : "goes on") + (session.isRepaired ? ", repaired" : "")),
                .init(session.id.text),
            ]
            table.add(cells)
        }
        let sentences = [Savings(sessions).sentence("Saved"), OverlappingSessions(sessions).sentence]
        return table.lines(style) + table.notes(style)
            + sentences.compactMap(\.self).flatMap { TerminalText.fitted($0, to: style.width) }
    }

    private func goodShare(_ session: SessionInsight) -> String {
        // Of what reports no energy, run time stands for it.
        func part(_ amount: InsightAmount) -> Int64 {
            session.measuresEnergy ? amount.energy.milliwattHours : amount.runtimeMilliseconds
        }
        let rated = part(session.byBand.filter { $0.key != .unknown }.values.reduce(.zero, +))
        guard rated > 0 else { return "-" }
        return Quantities.percent(Double(part(session.byBand[.good] ?? .zero)) / Double(rated))
    }
}
