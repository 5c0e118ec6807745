internal import ArgumentParser
internal import AuditFiles
internal import EnergyModel
internal import Foundation

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Who changed what: check and read the services' audit logs.",
        discussion: """
            To be run on the services' machine, by a user who may read their state directories: what is in the files is \
            read, and no service is asked.

            EXAMPLES
              energyctl audit verify
              energyctl audit verify --state /var/lib/gridtide
              energyctl audit verify --state /var/lib/gridtide/scheduler --head 42:9f86d081884c7d659a2feaa0c55ad015...
              energyctl audit list --state /var/lib/gridtide/scheduler --principal charger
            """,
        subcommands: [AuditVerify.self, AuditList.self])
}

/// Whose logs.
struct AuditStateOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A service's state directory, or the folder that those are in. Default: where services keep their state "
                + "unless told otherwise, $XDG_STATE_HOME/gridtide or ~/.local/state/gridtide.",
            valueName: "dir"))
    var state: String?

    func states(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) -> [String] {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let usual = base ?? environment["HOME"].map { "\($0)/.local/state" }
        guard let folder = state ?? usual.map({ "\($0)/gridtide" }) else {
            throw .usage("There is no home folder: say --state DIR.")
        }
        do throws(AuditError) { return try AuditVerifier.states(in: folder) } catch {
            throw .usage(TerminalText.safe("\(error)").asSentence + " Name another with --state.")
        }
    }
}

struct AuditVerify: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Look for lines that were altered, removed, inserted or moved; name them.",
        discussion: """
            Each line holds the hash of the one before, and the head, a file of its own, that of the last. Who can write \
            the state directory can make both anew: a head that was kept elsewhere finds that out. Services tell theirs to \
            their own logs, at each start and end and each hour ("audit log", head=NUMBER:HASH).

            EXAMPLE
              energyctl audit verify --state /var/lib/gridtide/scheduler
            """)

    @OptionGroup var place: AuditStateOption
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A head that was kept elsewhere: that line must be there as it was.", valueName: "number:hash"),
        transform: { text in
            guard let head = AuditHead(text) else {
                throw ValidationError("'\(text)' is no head. Say NUMBER:HASH, as a service's log does.")
            }
            return head
        })
    var head: AuditHead?
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let states = try place.states()
        guard head == nil || states.count == 1 else {
            throw .usage("A head is of one service's log: name its state directory with --state.")
        }
        var reports: [AuditReport] = []
        for state in states {
            var verifier = AuditVerifier(state: state, remembered: head)
            do throws(AuditError) { try verifier.run() } catch {
                throw CommandFailure(.failure, TerminalText.safe("\(error)").asSentence)
            }
            reports.append(AuditReport(state, verifier))
        }
        if options.json {
            struct Document: Encodable { let logs: [AuditReport] }
            context.output.line(JSONText.document(Document(logs: reports)))
        } else {
            for line in reports.flatMap(\.texts) { context.say(TerminalText.safe(line)) }
        }
        if reports.contains(where: { $0.faultCount > 0 }) { throw CommandFailure(.failure, "") }
    }
}

/// What `audit verify` says of one log.
struct AuditReport: Encodable {
    let service: String
    let state: String
    let lines: Int
    /// Before the oldest that is kept.
    let removedLines: UInt64
    let head: String
    let faultCount: Int
    let faults: [String]

    init(_ state: String, _ verifier: AuditVerifier) {
        service = URL(filePath: state).lastPathComponent
        self.state = state
        lines = verifier.lines
        removedLines = verifier.removed
        head = "\(verifier.head)"
        faultCount = verifier.faultCount
        faults = verifier.faults
    }

    var texts: [String] {
        let removed = removedLines > 0 ? ", \(removedLines) older ones were removed to keep within the limit" : ""
        let verdict = faultCount == 0 ? "no fault" : Quantities.count(faultCount, "fault")
        return faults.map { "\(service): \($0)" }
            + ["\(service): \(Quantities.count(lines, "line"))\(removed): \(verdict). Head \(head)"]
    }
}
