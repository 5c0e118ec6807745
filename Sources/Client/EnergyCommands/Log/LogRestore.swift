internal import ArgumentParser
internal import EnergyModel
internal import EnergyStore

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

    func validate() throws { try StateOption.check(state) }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        guard let restorer = context.tools.storeRestorer else {
            throw CommandFailure(.failure, "This energyctl cannot restore logs.")
        }
        let restore = AuditedRestore(act: "energyctl log restore", restorer: restorer, state: state)
        let backup = AuditedRestore.Backup(file: file, service: .eventIngestor)
        let outcome = await restore.run([backup], now: context.wallClock.now)
        if let failure = outcome.failure { throw failure }
        for restored in outcome.restored { say(restored, in: context) }
    }

    private func say(_ restored: RestoredStore, in context: CommandContext) {
        struct Document: Encodable {
            let file: String
            let records: Int?
            let replaced: String?
        }
        guard !options.json else {
            context.output.line(
                JSONText.document(
                    Document(file: restored.file, records: restored.records, replaced: restored.replaced)))
            return
        }
        context.output.line("\(TerminalText.safe(restored.file)) now is the backup: \(restored.records ?? 0) records.")
        if let replaced = restored.replaced {
            context.output.line("What was there is kept as \(TerminalText.safe(replaced)); remove it when all is well.")
        }
        context.output.line("Start the event-ingestor, then check with: energyctl log verify")
    }
}
