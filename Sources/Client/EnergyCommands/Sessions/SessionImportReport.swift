internal import EnergyModel
internal import EnergyWire
internal import InsightFiles

/// What became of a table's rows, told as it goes.
final class SessionImportReport {
    /// Told one by one; more are counted.
    private static let faultsMax = 100

    private let context: CommandContext
    private let venue: Venue
    /// The name whose rows are asked for; `nil`: all.
    private let only: String?
    private let isJSON: Bool
    private var storedCount = 0
    private var knownCount = 0
    private var faults: [PastSessionFault] = []
    private(set) var refusedCount = 0
    /// Of other devices.
    private var passedOver = 0
    private var taken = 0
    /// Of the rows that were passed over: in the order in which they came, as many as are told.
    private var otherNames: [String] = []
    private static let namesMax = 10
    /// Left out, as was asked for.
    var overlapping = 0
    private var shownPercent = -1

    init(context: CommandContext, venue: Venue, only: String?, isJSON: Bool) {
        self.context = context
        self.venue = venue
        self.only = only
        self.isJSON = isJSON
    }

    /// Whether a row with these names is asked for.
    func takes(_ names: [String]) -> Bool {
        guard let only, !names.contains(where: { $0.lowercased() == only.lowercased() }) else {
            taken += 1
            return true
        }
        passedOver += 1
        for name in names where otherNames.count < Self.namesMax && !name.isEmpty && !otherNames.contains(name) {
            otherNames.append(name)
        }
        return false
    }

    /// That no row is of the name that was asked for, with those that there are.
    var unknownName: CommandFailure? {
        guard let only, taken == 0, passedOver > 0 else { return nil }
        let names = otherNames.map { "'\(TerminalText.safe($0))'" }.joined(separator: ", ")
        return CommandFailure(.refused, "No row is of '\(TerminalText.safe(only))'. Rows are of \(names).")
    }

    func known(_ session: PastSession) { knownCount += 1 }

    /// Of sessions in the log already, all events are duplicates.
    func stored(_ sessions: [PastSession], _ result: SubmitResult) {
        let isKnown = result.accepted == 0
        if isKnown { knownCount += sessions.count } else { storedCount += sessions.count }
    }

    func refused(_ fault: PastSessionFault) {
        refusedCount += 1
        if faults.count < Self.faultsMax {
            faults.append(fault)
            note(TerminalText.safe(fault.description))
        } else if refusedCount == Self.faultsMax + 1 {
            note("Further ones are only counted.")
        }
    }

    /// `Sat 21 Nov 2026 07:05 to 09:15  12.40 kWh in 1 h 50 min  6.76 kW  Garage, Blue e-Golf`
    func wouldStore(_ session: PastSession) {
        storedCount += 1
        context.output.progress(nil)
        guard !isJSON else {
            return context.output.line(JSONText.line(PastSessionDocument(session, in: venue.timeZone)))
        }
        let start = VenueTime(rounding: session.interval.start, in: venue.timeZone)
        let end = VenueTime(rounding: session.interval.end, in: venue.timeZone)
        let paused = session.runtimeMilliseconds < session.interval.milliseconds
        let runtime = paused ? " in \(Quantities.length(milliseconds: session.runtimeMilliseconds))" : ""
        let parts = [
            "\(start.date.long) \(start.clock) to \(end.clock(on: start.date))",
            "\(Quantities.kilowattHours(session.energy)) kWh\(runtime)",
            "\(Quantities.kilowatts(milliwatts: session.powerMilliwatts)) kW",
            TerminalText.safe(session.sources.joined(separator: ", ")),
        ]
        TerminalText.fitted(parts.filter { !$0.isEmpty }.joined(separator: "  "), to: context.style.width)
            .forEach(context.output.line)
    }

    /// - Parameter fraction: of the file that was read; `nil` where that is not known.
    func progress(_ fraction: Double?) {
        guard let fraction else { return }
        let percent = Int(min(max(fraction, 0), 1) * 100)
        guard percent != shownPercent else { return }
        shownPercent = percent
        let count = Quantities.count(storedCount + knownCount, "session")
        context.output.progress(context.style.progress(fraction, count))
    }

    /// For the insight-service.
    func waiting() { if storedCount > 0 { context.output.progress("waiting until they are counted") } }

    func finish(isDryRun: Bool) {
        context.output.progress(nil)
        if isJSON, !isDryRun {
            return context.output.line(
                JSONText.document(
                    SessionImportDocument(
                        sessionsStored: storedCount, sessionsKnown: knownCount, rowsPassedOver: passedOver,
                        rowsOverlapping: overlapping,
                        rowsRefused: refusedCount,
                        faults: faults.map { .init(line: $0.line, column: $0.column, reason: $0.reason) })))
        }
        let stored = Quantities.count(storedCount, "session") + (isDryRun ? " would be stored" : " stored")
        let others = passedOver > 0 ? ", \(Quantities.count(passedOver, "row")) of other devices passed over" : ""
        let left = overlapping > 0 ? ", \(Quantities.count(overlapping, "overlapping row")) left out" : ""
        let refused = refusedCount > 0 ? " Not stored: \(Quantities.count(refusedCount, "row"))." : ""
        let text = "\(stored), \(knownCount) known before\(others)\(left).\(refused)"
        let lines = TerminalText.fitted(text, to: context.style.width)
        lines.forEach(isDryRun ? context.output.note : context.output.line)
    }

    private func note(_ text: String) {
        guard !isJSON else { return }
        context.output.progress(nil)
        TerminalText.fitted(text, to: context.style.width).forEach(context.output.note)
        shownPercent = -1
    }
}

private struct SessionImportDocument: Encodable {
    struct Fault: Encodable {
        let line: Int
        let column: String
        let reason: String
    }
    let sessionsStored: Int
    /// Imported before.
    let sessionsKnown: Int
    /// Of other devices.
    let rowsPassedOver: Int
    /// Left out, as was asked for.
    let rowsOverlapping: Int
    let rowsRefused: Int
    let faults: [Fault]
}
