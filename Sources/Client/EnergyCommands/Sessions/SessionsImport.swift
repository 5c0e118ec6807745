internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import InsightFiles
internal import ServiceEndpoints

struct SessionsImport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Submit past sessions that another program has recorded.",
        discussion: """
            csv is what 'sessions export' writes, evcc what evcc exports, in any of its languages. Each row becomes a \
            session of the device that did not follow guidance. Its run time is what the file says (run time, evcc's \
            duration), or all of its time; no such file says when it paused, so that runs and their energy are spread \
            evenly from start to end. All energy counts as taken from the grid, at the prices and the carbon that the \
            guidance-publisher knows of that time (the first contract stands for all time before it): the price, the \
            carbon and the share of solar power that evcc writes are not read. A row that was imported before counts \
            once, in whichever file it comes. What the vehicle saved is not known: no such file says at which power it \
            could have charged.

            A row whose time overlaps another session of the device, in the file or counted before, is refused with its \
            line: say --only where the file is of several vehicles, and --skip-overlapping to leave such rows out. A row \
            that is no session is told by line and column, and the rest goes on; the exit status is then 65.

            Times without an offset are on the venue's clock: evcc in a container often runs on UTC, say --zone UTC. \
            Needs the permissions guidance, events and insights.

            EXAMPLES
              energyctl sessions import evcc.csv --format evcc --device car-1 --only "Blue e-Golf" --dry-run
              energyctl sessions import sessions.csv --device car-1
            """)

    @Argument(help: "The table; - is standard input.", completion: .file()) var file: String
    @Option(
        name: .long, help: ArgumentHelp("The device whose sessions they are.", valueName: "id"), completion: .devices)
    var device: String
    @Option(name: .long, help: "Which program wrote it.") var format: SessionFileFormat = .csv
    @Option(
        name: .long,
        help: ArgumentHelp("Only rows of this device, vehicle or charging point of the file.", valueName: "name"))
    var only: String?
    @Option(name: .zone, help: ArgumentHelp("The zone of times without an offset.", valueName: "zone"))
    var zone: String?
    @Flag(name: .long, help: "Pass over rows that overlap another session of the device, in place of refusing them.")
    var skipOverlapping = false
    @Flag(name: .long, help: "Show what would be imported, and what would be refused, and submit nothing.") var dryRun =
        false
    @OptionGroup var place: VenueOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let zone, TimeZone(identifier: zone) == nil {
            throw ValidationError("'\(zone)' is no time zone. Say one such as Europe/Berlin or UTC.")
        }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let rows = try SessionRows(path: file)
        let venue = try await context.venue(place.venue, for: .events)
        guard let header = try rows.next() else { throw CommandFailure(.refused, "\(file) is empty.") }
        let reader: SessionReader
        do throws(EnergyError) {
            let zone = zone.flatMap { TimeZone(identifier: $0) } ?? venue.timeZone
            reader = try SessionReader(format, header: header, zone: zone, now: context.wallClock.now)
        } catch { throw CommandFailure(.refused, "\(file): \(TerminalText.safe(error.message))".asSentence) }
        let vehicle = try await context.vehicle(device, at: venue)
        let submission = SessionSubmission(
            context: context, venue: venue, device: vehicle, isDryRun: dryRun, skipsOverlapping: skipOverlapping)
        let report = SessionImportReport(context: context, venue: venue, only: only, isJSON: options.json)
        do throws(CommandFailure) {
            while let row = try rows.next() {
                defer { report.progress(rows.fraction) }
                guard report.takes(reader.names(row)) else { continue }
                switch reader.reading(row) {
                case .failure(let fault): report.refused(fault)
                case .success(let session): try await submission.add(session, report)
                }
            }
            try await submission.finish(report)
        } catch {
            // What was stored before is stored.
            report.finish(isDryRun: dryRun)
            throw error
        }
        if !dryRun { report.waiting() }
        let isCounted = await submission.isCounted()
        report.finish(isDryRun: dryRun)
        if !isCounted {
            let text =
                "The insight-service has not counted all of them yet. Import no more of this device before 'energyctl "
                + "sessions' lists them: until then a row that overlaps one of them is not noticed."
            TerminalText.fitted(text, to: context.style.width).forEach(context.output.note)
        }
        if let failure = report.unknownName { throw failure }
        if report.refusedCount > 0 { throw CommandFailure(.refused, "") }
    }
}

extension SessionReader {
    fileprivate func reading(_ row: CSVRows.Row) -> Result<PastSession, PastSessionFault> {
        do throws(PastSessionFault) { return .success(try session(row)) } catch { return .failure(error) }
    }
}

extension CommandContext {
    /// The vehicle as the scheduler knows it, or one of that id.
    fileprivate func vehicle(_ id: String, at venue: Venue) async throws(CommandFailure) -> Device {
        let devices = try? await call(.schedule, Methods.listDevices, VenueFilter(venueID: venue.id)).devices
        let known = devices?.first { $0.device.id == id }?.device
        let kind = if let known { known.kind } else { (try? await countedDevices(at: venue.id))?[id] }
        guard kind != .hvac else {
            throw .usage("'\(id)' is heating or cooling: it has no energy that could be imported.")
        }
        let device = known ?? Device(id: id, name: id, kind: .electricVehicle)
        if let violation = device.violations.first { throw .usage("--device: \(violation.description).") }
        return device
    }
}
