internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import InsightFiles
internal import ServiceEndpoints

struct SessionsExport: EnergyCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, json, ndjson }

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write sessions to a file, with what each cost, emitted and saved.",
        discussion: """
            Without a time: those that began in the last 14 days. What is not known is empty, never 0. What 'sessions \
            import' reads is this table.

            EXAMPLES
              energyctl sessions export --last 1y --output sessions.csv
              energyctl sessions export --format ndjson --device car-1 | jq .saved_money
            """)

    @Option(
        name: .long,
        help: "csv: a table for spreadsheets; json: one document; ndjson: a line of JSON for each session.")
    var format: Format = .csv
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file; none is standard output.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var question: SessionOptions
    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard output != nil || !options.json else {
            throw ValidationError("--json tells what became of the file: say --output, or --format for another format.")
        }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let query = try question.query(of: venue, now: context.wallClock.now)
        try await context.checkCounted(query.deviceID, venue, asked: query.range)
        let sink = try ExportSink(path: output, output: context.output)
        let table = SessionCSV(venue)
        switch format {
        case .csv: try sink.write([FilePiece(table.start())])
        case .json: try sink.write([FilePiece("{\"sessions\":[")])
        case .ndjson: break
        }
        let end = await context.logEnd(of: venue)
        var (count, applied) = (0, [LogHead]())
        var pages = try await context.read(
            .insights, Methods.querySessions, query, timeout: ExportSink.streamTimeout)
        while let page = try await pages.next() {
            for session in page.sessions {
                let document = SessionInsightDocument(session, in: venue.timeZone)
                switch format {
                case .csv: try sink.write([FilePiece(table.row(session))])
                case .json: try sink.write([FilePiece((count == 0 ? "\n" : ",\n") + JSONText.line(document))])
                case .ndjson: try sink.write([FilePiece(JSONText.line(document) + "\n")])
                }
                count += 1
            }
            applied = page.applied
        }
        if format == .json { try sink.write([FilePiece("\n]}\n")]) }
        try sink.finish()
        await context.noteIfBehind()
        context.tell(await context.uncounted(at: venue, in: applied, to: end), at: venue, isNote: true)
        context.noteExport(count, "session", file: output, format: format.rawValue, isJSON: options.json)
    }
}
