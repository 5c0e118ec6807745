internal import ArgumentParser
internal import AuditFiles
internal import EnergyModel
internal import Foundation

struct AuditList: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List who did what, oldest first. Does not check it: see verify.",
        discussion: """
            EXAMPLES
              energyctl audit list --last 2d
              energyctl audit list --principal charger --json
              energyctl audit list --last 30d --csv > audit.csv
            """)

    @OptionGroup var place: AuditStateOption
    @Option(name: .long, help: ArgumentHelp("Only what this key did.", valueName: "name")) var principal: String?
    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Only this long back: 2d.", valueName: "span"),
        transform: timeSpan)
    var last: TimeSpan?
    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        // The log has the machine's own time, whatever time the services are in.
        let begin = last.map { $0.moving(SystemWallClock().now, in: .gmt, -1).unixMilliseconds } ?? .min
        var rows: [AuditRow] = []
        defer { if list.csv { context.output.csv(rows) } }
        for state in try place.states() {
            let service = URL(filePath: state).lastPathComponent
            var verifier = AuditVerifier(state: state)
            do throws(AuditError) {
                try verifier.run { line in
                    guard line.timeUnixMs >= begin, principal == nil || line.principal == principal else { return }
                    guard !list.csv else { return rows.append(AuditRow(service: service, line)) }
                    guard !options.json else {
                        return context.output.line(JSONText.line(AuditLineDocument(service: service, line)))
                    }
                    context.say(TerminalText.safe(Self.text(service, line)))
                }
            } catch { throw CommandFailure(.failure, TerminalText.safe("\(error)").asSentence) }
            guard verifier.faultCount == 0 else {
                context.output.note(
                    "\(TerminalText.safe(service)): this log has faults; energyctl audit verify names them.")
                continue
            }
        }
    }

    private static func text(_ service: String, _ line: AuditLine) -> String {
        var parts = [
            "\(Timestamp(unixMilliseconds: line.timeUnixMs))", service, "\(line.sequence)", line.principal,
            line.event.rawValue.replacing("_", with: " "),
        ]
        if let method = line.method { parts.append(method) }
        if let venues = line.venues { parts.append("venue " + venues.joined(separator: " ")) }
        if let status = line.status { parts.append(status) }
        if let began = line.began { parts.append("began in \(began)") }
        if let repeats = line.repeats { parts.append("\(repeats) more times") }
        for (name, value) in (line.details ?? [:]).sorted(by: { $0.key < $1.key }) { parts.append("\(name)=\(value)") }
        return parts.joined(separator: "  ")
    }
}

/// A line for scripts: as it stands in the log, with its service and the time in words.
struct AuditLineDocument: Encodable {
    let service: String
    let time: String
    let sequence: UInt64
    let event: String
    let principal: String
    let method: String?
    let venues: [String]?
    let moreVenues: Int?
    let status: String?
    let began: UInt64?
    let repeats: Int?
    let details: [String: String]?

    init(service: String, _ line: AuditLine) {
        self.service = service
        time = "\(Timestamp(unixMilliseconds: line.timeUnixMs))"
        sequence = line.sequence
        event = line.event.rawValue
        principal = line.principal
        method = line.method
        venues = line.venues
        moreVenues = line.moreVenues
        status = line.status
        began = line.began
        repeats = line.repeats
        details = line.details
    }
}

/// A line in a table for spreadsheets.
struct AuditRow: Codable {
    let service: String
    let time: String
    let sequence: UInt64
    let event: String
    let principal: String
    let method: String?
    let venues: [String]?
    let moreVenues: Int?
    let status: String?
    let began: UInt64?
    let repeats: Int?
    /// As `name=value`.
    let details: [String]?

    init(service: String, _ line: AuditLine) {
        let document = AuditLineDocument(service: service, line)
        (self.service, time, sequence) = (service, document.time, document.sequence)
        (event, principal, method) = (document.event, document.principal, document.method)
        (venues, moreVenues, status) = (document.venues, document.moreVenues, document.status)
        (began, repeats) = (document.began, document.repeats)
        details = document.details?.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}
