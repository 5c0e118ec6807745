internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct InsightsCommand: EnergyCommand {
    enum Split: String, ExpressibleByArgument, CaseIterable { case cleanliness, tariff }

    static let configuration = CommandConfiguration(
        commandName: "insights", abstract: "Energy and run time of the past, per period of the venue's calendar.",
        discussion: """
            Without a time: the last 24 hours, 14 days, 12 weeks, 12 months or 5 years, as the granularity suggests. \
            The present period counts as far as it has come.

            EXAMPLES
              energyctl insights
              energyctl insights --granularity hourly --from yesterday --to today --by cleanliness
              energyctl insights --granularity monthly --last 12mo --by tariff --device car-1
              energyctl insights --json --last 7d | jq .total.total.energy_mwh
            """)

    @Option(name: .long, help: "The length of a period.") var granularity: Granularity = .daily
    // A value that begins with '-' is a mistake to be told, not a missing value.
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("From then on: \(TimeExpression.help).", valueName: "time"),
        transform: timeExpression)
    var from: TimeExpression?
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Until then; now unless said.", valueName: "time"),
        transform: timeExpression)
    var to: TimeExpression?
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The last so many periods, this one included: \(TimeSpan.help).", valueName: "span"),
        transform: timeSpan)
    var last: TimeSpan?
    @Option(name: .long, help: ArgumentHelp("Only of this device.", valueName: "id")) var device: String?
    @Option(name: .long, help: "Split each period: how clean the grid was, or how dear the contract. May be repeated.")
    var by: [Split] = []
    @Option(name: .long, help: "Energy from the grid, or to it.") var direction: FlowDirection = .imported
    @Flag(name: .long, help: "Show periods without any use too.") var all = false
    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if last != nil, from != nil || to != nil { throw ValidationError("Say --last, or --from and --to, not both.") }
        if to != nil, from == nil { throw ValidationError("--to needs --from.") }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let query = InsightQuery(
            venueID: venue.id, deviceID: device, range: try range(now: context.wallClock.now, in: venue.timeZone),
            granularity: granularity, direction: direction, byCleanliness: by.contains(.cleanliness),
            byTariff: by.contains(.tariff), exactRange: true)
        var answer = try await context.insights(query)
        if answer.records.isEmpty { await context.noteIfUnknown(device, venue) }
        if all { answer.records = InsightPeriods.filled(answer.records, for: query, in: venue.timeZone) }
        await context.noteIfBehind()
        guard !options.json else {
            context.output.line(JSONText.document(InsightsDocument(answer, to: query, in: venue.timeZone)))
            return
        }
        let table = InsightTable(
            records: answer.records, granularity: granularity, venue: venue, style: context.style)
        table.lines().forEach(context.output.line)
    }

    private func range(now: Timestamp, in zone: TimeZone) throws(CommandFailure) -> Interval {
        guard let from else {
            return InsightPeriods.range(last: last ?? InsightPeriods.defaultSpan(granularity), now: now, in: zone)
        }
        let start = from.timestamp(now: now, in: zone, toward: .past)
        let end = to?.timestamp(now: now, in: zone, toward: .past) ?? now
        guard let range = Interval(start: start, end: end) else {
            throw .usage(
                "--from (\(start.iso8601(in: zone))) must be before \(to == nil ? "now" : "--to") "
                    + "(\(end.iso8601(in: zone))).")
        }
        return range
    }
}

extension CommandContext {
    /// Totals that stop somewhere look like totals.
    fileprivate func noteIfBehind() async {
        guard let connection = try? connection(.insights),
            let health = try? await connection.call(Methods.checkHealth, HealthCheckRequest(), timeout: timeout),
            !health.reason.isEmpty
        else { return }
        let reason = TerminalText.safe(health.reason.replacing("energy.v1.Insights ", with: ""))
        output.note("These totals may not hold everything: the insight-service \(reason)")
    }

    /// All pages of an answer as one.
    func insights(_ query: InsightQuery) async throws(CommandFailure) -> InsightPage {
        var answer = InsightPage(records: [], applied: [])
        var pages = try await read(.insights, Methods.queryInsights, query)
        while let page = try await pages.next() {
            answer.records += page.records
            answer.applied = page.applied
        }
        // The service answers with the periods that have something in them; who leaves that to chance shows zeros.
        answer.records.removeAll { $0.total == .zero }
        return answer
    }
}
