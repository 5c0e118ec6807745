internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import InsightFiles
internal import ServiceEndpoints

struct InsightsExport: EnergyCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, json, ndjson, espi, influx, openmetrics

        func file(_ subject: InsightFileSubject) -> any InsightFile {
            switch self {
            case .csv: InsightCSV(subject)
            case .json: InsightJSON(subject, isLines: false)
            case .ndjson: InsightJSON(subject, isLines: true)
            case .espi: InsightESPI(subject)
            case .influx: InsightInfluxLines(subject)
            case .openmetrics: InsightOpenMetrics(subject)
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write what was used, per period, to a file for another program.",
        discussion: """
            FORMATS
              csv          a table for spreadsheets: units in the headers, times with the offset of the venue's zone; \
            empty is unknown, never 0 (as the energy of heating and cooling)
              json         one document, as 'insights --json'
              ndjson       a line of JSON for each period
              espi         Green Button (NAESB ESPI): energy and cost of each device
              influx       InfluxDB line protocol, a point at each period's start
              openmetrics  for 'promtool tsdb create-blocks-from openmetrics', samples at each period's end

            Periods without any use are left out. The file is there when it is complete; one that is there already is \
            not replaced. Energy sent to the grid: --direction exported.

            EXAMPLES
              energyctl insights export --last 1y --per device --output insights.csv
              energyctl insights export --format espi --granularity quarterHourly --from 2026-01-01 -o meter.xml
              energyctl insights export --format influx --granularity hourly --last 30d | influx write --bucket home
              energyctl insights export --format openmetrics --granularity hourly --last 1y -o insights.om
            """)

    @Option(name: .long, help: "How the file is written.") var format: Format = .csv
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file; none is standard output.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var question: InsightOptions
    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard output != nil || !options.json else {
            throw ValidationError("--json tells what became of the file: say --output, or --format for another format.")
        }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let now = context.wallClock.now
        let query = try question.query(of: venue, now: now)
        try await context.checkCounted(query.deviceID, venue, asked: query.range)
        var file = format.file(InsightFileSubject(venue: venue, query: query, written: now))
        let sink = try ExportSink(path: output, output: context.output)
        try sink.write(file.start())
        let end = await context.logEnd(of: venue)
        var (count, leftOut, applied) = (0, 0, [LogHead]())
        var measured = MeasuredRecords(context: context, query: query)
        var pages = try await context.read(.insights, Methods.queryInsights, query, timeout: ExportSink.streamTimeout)
        while let page = try await pages.next() {
            var records = page.records.filter { $0.total != .zero }
            try await measured.mark(&records)
            for record in records {
                guard file.takes(record) else {
                    leftOut += 1
                    continue
                }
                try sink.write(file.add(record))
                count += 1
            }
            applied = page.applied
        }
        try sink.write(file.finish(applied: applied))
        try sink.finish()
        await context.noteIfBehind()
        context.tell(await context.uncounted(at: venue, in: applied, to: end), at: venue, isNote: true)
        context.noteExport(count, "period", file: output, format: format.rawValue, isJSON: options.json)
        if leftOut > 0 {
            context.output.note(
                "\(Quantities.count(leftOut, "period")) of heating and cooling left out: \(format.rawValue) has a place "
                    + "only for what measures energy.")
        }
    }
}

extension CommandContext {
    /// What became of an export, beside the file: with `--json` as a document where the file is not on standard output.
    func noteExport(_ count: Int, _ noun: String, file: String?, format: String, isJSON: Bool) {
        struct Document: Encodable {
            let file: String
            let format: String
            let count: Int
        }
        if isJSON, let file {
            output.line(JSONText.document(Document(file: file, format: format, count: count)))
        } else {
            output.note(Quantities.count(count, noun))
        }
    }
}
