internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import InsightFiles
internal import ServiceEndpoints

struct InsightsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insights", abstract: "Energy, run time, cost and carbon of the past.",
        discussion: """
            'insights show --help' lists the options of a plain 'insights'.

            EXAMPLES
              energyctl insights --last 7d --by cleanliness
              energyctl insights --granularity monthly --last 12mo --per device --explain
              energyctl insights export --last 1y --output insights.csv
              energyctl insights trend
            """,
        subcommands: [
            InsightsShow.self, InsightsTrend.self, InsightsExport.self, InsightsRepair.self, InsightsRepairs.self,
            InsightsRebuild.self,
        ],
        defaultSubcommand: InsightsShow.self)
}

struct InsightsShow: StandingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "What was used, per period of the venue's calendar.",
        discussion: """
            Without a time: the last 6 hours, 24 hours, 14 days, 12 weeks, 12 months or 5 years, as the granularity \
            suggests. The present period counts as far as it has come. Prices and carbon are those known when the \
            energy was used; what was not known is left out, and said. Heating and cooling report run time, and how \
            hard they ran, but no energy: it is absent, and so is what it cost.

            EXAMPLES
              energyctl insights
              energyctl insights --granularity hourly --from yesterday --to today --by cleanliness
              energyctl insights --granularity monthly --last 12mo --by tariff --per device --explain
              energyctl insights --csv --last 1y > insights.csv
              energyctl insights --json --last 7d | jq .total.total.energy_mwh
              energyctl insights --granularity hourly --last 1d --watch
            """)

    @OptionGroup var question: InsightOptions
    @Flag(name: .long, help: "Show periods without any use too.") var all = false
    @Flag(name: .long, help: "Say how the sums come about, and what each session saved.") var explain = false
    @OptionGroup var place: VenueOption
    @OptionGroup var file: FileRowsOption
    @OptionGroup var following: WatchOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try following.validate(isFile: file.csv)
        guard !all || question.per == .venue else {
            throw ValidationError("--all shows the periods of the venue as a whole, or of one device: leave out --per.")
        }
    }

    func show(in context: CommandContext) async throws(CommandFailure) {
        let venue = try await context.venue(place.venue, for: .insights)
        var query = try question.query(of: venue, now: context.wallClock.now)
        try await context.checkCounted(query.deviceID, venue, asked: query.range)
        if explain { query.byBand = true }
        let end = await context.logEnd(of: venue)
        var answer = try await context.insights(query)
        if all {
            answer.records = InsightPeriods.filled(answer.records, for: query, in: venue.timeZone)
        }
        let uncounted = await context.uncounted(at: venue, in: answer.applied, to: end)
        await context.noteIfBehind()
        guard !file.csv else {
            var table = InsightCSV(InsightFileSubject(venue: venue, query: query, written: context.wallClock.now))
            context.output.bytes(Array(table.text(of: answer.records, applied: answer.applied).utf8))
            return context.tell(uncounted, at: venue, isNote: true)
        }
        // What was earned by sending energy to the grid is no part of what was paid for it.
        let sessions =
            explain ? try await context.sessions(SessionQuery(query)).filter { $0.direction == query.direction } : []
        let saved = try await context.savings(query, explain ? sessions : nil)
        guard !options.json else {
            let document = InsightsDocument(
                answer, to: query, sessions: explain ? sessions : nil, saved: saved, behind: uncounted,
                in: venue.timeZone)
            return context.answer(document)
        }
        var shown = answer.records
        if !question.by.contains(.rating) { shown = shown.map { $0.without(\.byBand) } }
        UseSparklines(records: answer.records, query: query, venue: venue, style: context.style).lines()
            .forEach(context.output.line)
        let table = InsightTable(records: shown, granularity: query.granularity, venue: venue, style: context.style)
        table.lines().forEach(context.output.line)
        if !explain, !answer.records.isEmpty, let sentence = saved?.sentence("Saved") {
            TerminalText.fitted(sentence, to: context.style.width).forEach(context.output.line)
        }
        context.tell(uncounted, at: venue)
        guard explain, !answer.records.isEmpty else { return }
        InsightExplanation(
            records: answer.records, sessions: sessions, direction: query.direction, venue: venue,
            style: context.style, ratePlan: await context.ratePlan(of: venue)
        ).lines().forEach(context.output.line)
    }

    func news(in context: CommandContext) async throws(CommandFailure) -> [NewsSource] {
        let venue = try await context.venue(place.venue, for: .insights)
        return [.topic(.insights, prefix: Topics.allInsights + "\(venue.id.text)/")]
    }
}

extension CommandContext {
    /// `nil` where the venue has none, or nobody can say now.
    fileprivate func ratePlan(of venue: Venue) async -> RatePlan? {
        guard let id = venue.ratePlanID else { return nil }
        return try? await call(.guidance, Methods.listRatePlans, Empty()).ratePlans.first { $0.id == id }
    }

    /// That an error names; more are counted.
    private static var devicesMax: Int { 20 }

    /// - Throws: refused where nothing was ever counted of the device, it never told its status, and the scheduler does not
    ///   know it either: a typing mistake must not look like a device that used nothing.
    ///
    /// - Parameter asked: sessions that began then are looked for too: some used nothing, some are older than the rest of
    ///   what is looked at.
    func checkCounted(
        _ device: String?, _ venue: Venue, asked: Interval? = nil
    ) async throws(CommandFailure) {
        guard let device else { return }
        var known = Set(((try? await deviceNames(venue)) ?? [:]).keys)
        if known.contains(device) { return }
        known.formUnion(try await countedDevices(at: venue.id).keys)
        if known.contains(device) { return }
        if let asked {
            let sessions = try await sessions(SessionQuery(venueID: venue.id, deviceID: device, range: asked))
            guard sessions.isEmpty else { return }
        }
        // All of many vehicles' statuses of 400 days would be more than a message is worth.
        guard try await reportingDevices(at: venue, among: device, days: 400).isEmpty else { return }
        known.formUnion(try await reportingDevices(at: venue, days: 31))
        let names = known.sorted().prefix(Self.devicesMax).map(TerminalText.safe).joined(separator: ", ")
        let rest = known.count > Self.devicesMax ? " and \(known.count - Self.devicesMax) more" : ""
        throw CommandFailure(
            .refused,
            "There is no device '\(TerminalText.safe(device))' at \(TerminalText.safe(venue.name)). "
                + DeviceSuggestion.text(device, among: known)
                + (names.isEmpty ? "No device is known." : "Known are: \(names)\(rest)."))
    }

    /// What told its status in the last days.
    private func reportingDevices(
        at venue: Venue, among device: String? = nil, days: Int64
    ) async throws(CommandFailure) -> Set<String> {
        let start = wallClock.now.advanced(byMilliseconds: -days * .millisecondsPerDay)
        let query = ActivityQuery(
            venueID: venue.id, deviceID: device, kinds: [.plug, .charging, .waiting],
            range: Interval(start: start, milliseconds: days * .millisecondsPerDay))
        var devices: Set<String> = []
        try await activities(query) { entries in devices.formUnion(entries.map(\.activity.device.id)) }
        return devices
    }

    /// What was counted of, as far back as one question may reach, and what kind of device it is.
    func countedDevices(at venueID: UUID) async throws(CommandFailure) -> [String: Device.Kind] {
        let milliseconds = 5 * 366 * Int64.millisecondsPerDay
        let range = Interval(
            start: wallClock.now.advanced(byMilliseconds: -milliseconds), milliseconds: milliseconds)
        var kinds: [String: Device.Kind] = [:]
        for direction in FlowDirection.allCases {
            let records = try await insights(
                InsightQuery(
                    venueID: venueID, deviceID: nil, grouping: .device, range: range, granularity: .yearly,
                    direction: direction, exactRange: true)
            ).records
            for record in records {
                if let id = record.deviceID, let kind = record.deviceKind { kinds[id] = kind }
            }
        }
        return kinds
    }
}

extension InsightRecord {
    fileprivate func without<Part>(_ part: WritableKeyPath<InsightRecord, Part?>) -> InsightRecord {
        var record = self
        record[keyPath: part] = nil
        return record
    }
}
