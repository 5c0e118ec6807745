internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct InsightsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insights", abstract: "Energy, run time, cost and carbon of the past.",
        discussion: """
            'insights show --help' lists the options of a plain 'insights'.

            EXAMPLES
              energyctl insights --last 7d --by cleanliness
              energyctl insights --granularity monthly --last 12mo --per device --explain
              energyctl insights sessions --last 7d
              energyctl insights trend
            """,
        subcommands: [
            InsightsShow.self, InsightsTrend.self, InsightsExport.self, InsightsRepair.self, InsightsRepairs.self,
            InsightsRebuild.self,
        ],
        defaultSubcommand: InsightsShow.self)
}

/// A time of the past, as most questions about it name it.
struct PastOptions: ParsableArguments {
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

    func validate() throws {
        if last != nil, from != nil || to != nil { throw ValidationError("Say --last, or --from and --to, not both.") }
        if to != nil, from == nil { throw ValidationError("--to needs --from.") }
    }

    /// - Parameter span: when nothing is said.
    func range(or span: TimeSpan, now: Timestamp, in zone: TimeZone) throws(CommandFailure) -> Interval {
        guard let from else { return InsightPeriods.range(last: last ?? span, now: now, in: zone) }
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

/// Which devices.
struct DeviceOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case vehicle, hvac

        var model: Device.Kind { self == .vehicle ? .electricVehicle : .hvac }
    }

    @Option(name: .long, help: ArgumentHelp("Only of this device.", valueName: "id")) var device: String?
    @Option(name: .long, help: "Only of devices of this type.") var type: Kind?
}

struct InsightsShow: EnergyCommand {
    enum Split: String, ExpressibleByArgument, CaseIterable { case cleanliness, tariff, rating }
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case venue, type, device

        var grouping: InsightGrouping {
            switch self {
            case .venue: .venue
            case .type: .kind
            case .device: .device
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "What was used, per period of the venue's calendar.",
        discussion: """
            Without a time: the last 6 hours, 24 hours, 14 days, 12 weeks, 12 months or 5 years, as the granularity \
            suggests. The present period counts as far as it has come. Prices and carbon are those known when the \
            energy was used; what was not known is left out, and said.

            EXAMPLES
              energyctl insights
              energyctl insights --granularity hourly --from yesterday --to today --by cleanliness
              energyctl insights --granularity monthly --last 12mo --by tariff --per device --explain
              energyctl insights --json --last 7d | jq .total.total.energy_mwh
            """)

    @Option(name: .long, help: "The length of a period.") var granularity: Granularity = .daily
    @OptionGroup var past: PastOptions
    @OptionGroup var devices: DeviceOptions
    @Option(
        name: .long,
        help:
            "Split each period: how clean the grid was, how dear the contract, how the time was rated. May be repeated."
    )
    var by: [Split] = []
    @Option(name: .long, help: "The venue as a whole, or each type or device by itself.") var per: Part = .venue
    @Option(name: .long, help: "Energy from the grid, or to it.") var direction: FlowDirection = .imported
    @Flag(name: .long, help: "Show periods without any use too.") var all = false
    @Flag(name: .long, help: "Say how the sums come about, and what each session saved.") var explain = false
    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let range = try past.range(
            or: InsightPeriods.defaultSpan(granularity), now: context.wallClock.now, in: venue.timeZone)
        let query = InsightQuery(
            venueID: venue.id, deviceID: devices.device, deviceKind: devices.type?.model, grouping: per.grouping,
            range: range, granularity: granularity, direction: direction, byCleanliness: by.contains(.cleanliness),
            byTariff: by.contains(.tariff), byBand: by.contains(.rating) || explain, exactRange: true)
        var answer = try await context.insights(query)
        if answer.records.isEmpty { await context.noteIfUnknown(devices.device, venue) }
        if all, per == .venue { answer.records = InsightPeriods.filled(answer.records, for: query, in: venue.timeZone) }
        await context.noteIfBehind()
        let sessions = explain ? try await context.sessions(SessionQuery(query)) : []
        guard !options.json else {
            let document = InsightsDocument(
                answer, to: query, sessions: explain ? sessions : nil, in: venue.timeZone)
            context.output.line(JSONText.document(document))
            return
        }
        var shown = answer.records
        if !by.contains(.rating) { shown = shown.map { $0.without(\.byBand) } }
        let table = InsightTable(records: shown, granularity: granularity, venue: venue, style: context.style)
        table.lines().forEach(context.output.line)
        guard explain, !answer.records.isEmpty else { return }
        InsightExplanation(
            total: InsightTotals.sum(answer.records), sessions: sessions, venue: venue, style: context.style
        ).lines().forEach(context.output.line)
    }
}

extension SessionQuery {
    /// The sessions that begin in the time of a question.
    fileprivate init(_ query: InsightQuery) {
        self.init(
            venueID: query.venueID, deviceID: query.deviceID, deviceKind: query.deviceKind, range: query.range)
    }
}

extension InsightRecord {
    fileprivate func without<Part>(_ part: WritableKeyPath<InsightRecord, Part?>) -> InsightRecord {
        var record = self
        record[keyPath: part] = nil
        return record
    }
}

extension CommandContext {
    /// Totals that stop somewhere look like totals.
    func noteIfBehind() async {
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

    func sessions(_ query: SessionQuery) async throws(CommandFailure) -> [SessionInsight] {
        var sessions: [SessionInsight] = []
        var pages = try await read(.insights, Methods.querySessions, query)
        while let page = try await pages.next() { sessions += page.sessions }
        return sessions
    }
}
