internal import ArgumentParser
internal import EnergyModel
internal import Foundation
internal import ServiceEndpoints

struct InsightsTrend: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "trend", abstract: "How each month, or other period, differs from the one before.",
        discussion: """
            The present period has only begun: it is not compared. The change is that of the energy; of heating and \
            cooling, which report none, that of the run time.

            EXAMPLE
              energyctl insights trend --last 12mo --per device
              energyctl insights trend --granularity weekly --csv > weeks.csv
            """)

    @Option(name: .long, help: "The length of a period.") var granularity: Granularity = .monthly
    @OptionGroup var past: PastOptions
    @OptionGroup var devices: DeviceOptions
    @Option(name: .long, help: "The venue as a whole, or each type or device by itself.")
    var per: InsightOptions.Part = .venue
    @OptionGroup var place: VenueOption
    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        let now = context.wallClock.now
        let range = try past.range(
            or: InsightPeriods.defaultSpan(granularity), now: now, in: venue.timeZone, granularity)
        let query = InsightQuery(
            venueID: venue.id, deviceID: devices.device, deviceKind: devices.type?.model, grouping: per.grouping,
            range: range, granularity: granularity, exactRange: true)
        try await context.checkCounted(query.deviceID, venue, asked: query.range)
        let end = await context.logEnd(of: venue)
        let answer = try await context.insights(query)
        let records = answer.records.filter { $0.interval.end <= now }
        let uncounted = await context.uncounted(at: venue, in: answer.applied, to: end)
        await context.noteIfBehind()
        let trends = InsightTrend.trends(of: records)
        guard !list.csv else { return context.output.csv(trends.map { TrendRow($0, in: venue.timeZone) }) }
        guard !options.json else {
            struct Document: Encodable {
                let trends: [TrendDocument]
                let behind: UncountedDocument?
            }
            let documents = trends.map { TrendDocument($0, in: venue.timeZone) }
            let behind = uncounted.map { UncountedDocument($0, in: venue.timeZone) }
            return context.output.line(JSONText.document(Document(trends: documents, behind: behind)))
        }
        defer { context.tell(uncounted, at: venue) }
        guard !trends.isEmpty else {
            let first = CalendarPeriods(granularity, timeZone: venue.timeZone).period(containing: range.start)
            return context.say(
                first.end <= now
                    ? "Nothing was used in the periods of this time that are complete."
                    : "No period of this time is complete.")
        }
        let labels = InsightTable(
            records: records, granularity: granularity, venue: venue, style: context.style)
        let worth = WorthColumns(records)
        let hasParts = records.contains { !$0.part.isEmpty }
        var table = Table(
            [.init("period"), .init("of", shrinks: true), .init("kWh", .right)]
                + [.init("run time", .right, dropOrder: hasParts ? 0 : nil), .init("change", .right)]
                + worth.titles.enumerated().map { .init($1, .right, dropOrder: $0 + 1) }
                + [
                    .init("cost change", .right, dropOrder: 21), .init("price change", .right, dropOrder: 20),
                    .init("g/kWh change", .right, dropOrder: 22),
                ])
        // A column without any text is left out.
        func text(_ trend: InsightTrend, _ change: KeyPath<InsightTrend, Double?>) -> Table.Cell {
            trends.contains { $0[keyPath: change] != nil } ? Self.change(trend[keyPath: change]) : ""
        }
        for trend in trends {
            var cells: [Table.Cell] = [
                .init(labels.label(trend.record.interval, isAlone: true)), .init(trend.record.part),
                .init(trend.record.measuresEnergy ? Quantities.kilowattHours(trend.record.total.energy) : "-"),
                .init(Quantities.runtime(milliseconds: trend.record.total.runtimeMilliseconds)),
                text(trend, \.useChange),
            ]
            cells += worth.cells(trend.record.knownWorth).map { .init($0) }
            cells += [\.costChange, \.priceChange, \.carbonIntensityChange].map { text(trend, $0) }
            table.add(cells)
        }
        UseSparklines(
            records: records, query: query.until(records.map(\.interval.end).max() ?? now), venue: venue,
            style: context.style
        ).lines().forEach(context.output.line)
        let missing = worth.notes(on: InsightTotals.sum(records)).flatMap {
            TerminalText.fitted($0, to: context.style.width)
        }
        (table.lines(context.style) + table.notes(context.style) + missing).forEach(context.output.line)
        if records.count < answer.records.count { context.say("The period that is not over yet is left out.") }
    }

    private static func change(_ fraction: Double?) -> Table.Cell { .init(fraction.map(Quantities.change) ?? "-") }
}

extension InsightQuery {
    /// The period that is not over yet would look like a fall.
    fileprivate func until(_ end: Timestamp) -> InsightQuery {
        var query = self
        query.range = Interval(start: range.start, end: end) ?? range
        return query
    }
}

extension InsightTrend {
    /// Of the energy, or where none is reported of the run time.
    fileprivate var useChange: Double? { record.measuresEnergy ? energyChange : runtimeChange }
}

private struct TrendDocument: Encodable {
    let record: InsightsDocument.Record
    let energyChange: Double?
    let runtimeChange: Double?
    let costChange: Double?
    let priceChange: Double?
    let carbonIntensityChange: Double?

    init(_ trend: InsightTrend, in zone: TimeZone) {
        record = InsightsDocument.Record(trend.record, in: zone)
        energyChange = trend.energyChange
        runtimeChange = trend.runtimeChange
        costChange = trend.costChange
        priceChange = trend.priceChange
        carbonIntensityChange = trend.carbonIntensityChange
    }
}

/// A period in a table for spreadsheets. Changes are fractions of what was before.
private struct TrendRow: Codable {
    let start: String
    let end: String
    let deviceId: String?
    let deviceType: String?
    let energyMwh: Int64?
    let runtimeMs: Int64
    let energyChange: Double?
    let runtimeChange: Double?
    let costChange: Double?
    let priceChange: Double?
    let carbonIntensityChange: Double?

    init(_ trend: InsightTrend, in zone: TimeZone) {
        let document = TrendDocument(trend, in: zone)
        let record = document.record
        (start, end, deviceId, deviceType) = (record.start, record.end, record.deviceId, record.deviceType)
        let total = trend.record.total
        energyMwh = trend.record.measuresEnergy ? total.energy.milliwattHours : nil
        runtimeMs = total.runtimeMilliseconds
        energyChange = document.energyChange
        runtimeChange = document.runtimeChange
        costChange = document.costChange
        priceChange = document.priceChange
        carbonIntensityChange = document.carbonIntensityChange
    }
}
