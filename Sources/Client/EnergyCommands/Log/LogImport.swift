internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct LogImport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Submit the events of an exported log; those that are known already are left.",
        discussion: """
            Events are judged as if a device had sent them: their tokens must be known to this system, so restore the \
            guidance publisher's state first. What is no record, and a record that is refused, is told by its line, and \
            the rest goes on; the exit status is then 65.

            Imported records are received now and from you: when the first log received them, and from whom, is not kept. \
            To move a whole log, use backup and restore.

            EXAMPLES
              energyctl log import events.ndjson
              zstdcat events.binpb.zst | energyctl log import -
            """)

    @Argument(help: "A file of log export; - is standard input.", completion: .file()) var file: String
    @Option(name: .long, help: "As for export; found out from the file when it is not given.") var format: LogFormat?
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let reader = try LogFileReader(path: file, format: format)
        var report = LogImportReport()
        do throws(CommandFailure) { try await submit(all: reader, in: context, &report) } catch {
            // What was stored before is stored.
            show(report, in: context)
            throw error
        }
        show(report, in: context)
        if report.faultCount > 0 { throw CommandFailure(.refused, "") }
    }

    private func submit(
        all reader: LogFileReader, in context: CommandContext, _ report: inout LogImportReport
    ) async throws(CommandFailure) {
        while let entry = try reader.next() {
            switch entry {
            case .fault(let fault):
                note(report.unreadable(fault, at: reader.place), in: context)
            // What was erased of the log has left its place there.
            case .record(let record) where record.events.isEmpty: break
            case .record(let record):
                do throws(CommandFailure) {
                    let result = try await context.untilAvailable { () async throws(CommandFailure) in
                        try await context.call(.events, Methods.submitEvents, EventBatch(events: record.events))
                    }
                    guard let result else { return }
                    report.submitted(result)
                } catch {
                    guard error.exit != .unavailable else { throw error }
                    note(report.refused(record, error, at: reader.place), in: context)
                }
            }
        }
    }

    private func note(_ text: String?, in context: CommandContext) {
        if let text, !options.json { context.output.note(text) }
    }

    private func show(_ report: LogImportReport, in context: CommandContext) {
        context.output.line(options.json ? JSONText.document(report) : report.summary)
    }
}
