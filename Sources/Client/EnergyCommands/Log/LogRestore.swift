internal import ArgumentParser
internal import AuditFiles
internal import EnergyModel
internal import EnergyStore
internal import EnergyTransport
internal import EnergyWire

struct LogRestore: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of the log of an event-ingestor that is stopped.",
        discussion: """
            To be run on the ingestor's machine, by a user who may write its state directory. The backup is checked \
            first; the database that was there is kept beside it under another name. What was acknowledged after the \
            backup is gone from the log: insights are counted anew by themselves when the ingestor is back. It is written \
            into the ingestor's audit log, before it is done and after.

            EXAMPLES
              systemctl stop gridtide-event-ingestor
              energyctl log restore events-1772366400000.sqlite --state /var/lib/gridtide/event-ingestor
              systemctl start gridtide-event-ingestor && energyctl log verify
            """)

    @Argument(help: "A file of log backup.", completion: .file()) var file: String
    @Option(name: .long, help: ArgumentHelp("The state directory of the event-ingestor.", valueName: "dir"))
    var state: String
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        guard let restorer = context.tools.logRestorer else {
            throw CommandFailure(.failure, "This energyctl cannot restore logs.")
        }
        let restored: RestoredLog
        do throws(EnergyError) {
            let (file, state) = (file, state)
            restored = try await restorer.restore(file, into: state, now: context.wallClock.now) {
                (act) throws(EnergyError) in try Self.writingDown(file, state, act)
            }
        } catch {
            // The file or the folder was named wrongly: nothing was refused.
            let exit = error.code == .notFound ? .usage : CommandFailure.Exit(error.code)
            throw CommandFailure(exit, TerminalText.safe(error.message))
        }
        struct Document: Encodable {
            let file: String
            let records: Int
            let replaced: String?
        }
        guard !options.json else {
            context.output.line(
                JSONText.document(
                    Document(file: restored.file, records: restored.records, replaced: restored.replaced)))
            return
        }
        context.output.line("\(TerminalText.safe(restored.file)) now is the backup: \(restored.records) records.")
        if let replaced = restored.replaced {
            context.output.line("What was there is kept as \(TerminalText.safe(replaced)); remove it when all is well.")
        }
        context.output.line("Start the event-ingestor, then check with: energyctl log verify")
    }

    /// In the ingestor's audit log, by the machine's own clock.
    private static func writingDown(
        _ file: String, _ state: String, _ act: () throws(EnergyError) -> RestoredLog
    ) throws(EnergyError) -> RestoredLog {
        let clock = SystemWallClock()
        let audit: StoppedServiceAudit
        do throws(AuditError) {
            audit = try StoppedServiceAudit(
                "energyctl log restore", state: state, details: ["backup": file], at: clock.now)
        } catch {
            throw EnergyError(.unavailable, "\(error), and what cannot be written down there is not done")
        }
        let result: Result<RestoredLog, EnergyError>
        do throws(EnergyError) { result = .success(try act()) } catch { result = .failure(error) }
        do throws(AuditError) {
            switch result {
            case .success(let restored):
                try audit.end(status: AuditStatus.text(nil), details: restored.auditDetails, at: clock.now)
            case .failure(let error):
                try audit.end(status: AuditStatus.text(CallFailure(error)), at: clock.now)
            }
        } catch {
            // It is done, and that it began is written down: the next start goes on from there.
        }
        return try result.get()
    }
}

extension RestoredLog {
    fileprivate var auditDetails: [String: String] {
        var details = ["file": file, "records": "\(records)"]
        details["replaced"] = replaced
        return details
    }
}
