internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Check, copy and restore the event log.",
        discussion: """
            EXAMPLES
              energyctl log verify
              energyctl log export --output events.ndjson
              energyctl log export --format protobuf --output events.binpb
              energyctl log import events.ndjson
              energyctl log backup
              energyctl log restore events-1772366400000.sqlite --state /var/lib/gridtide/event-ingestor
              energyctl log readers
              energyctl log sessions --open
            """,
        subcommands: [
            LogVerify.self, LogExport.self, LogImport.self, LogBackUp.self, LogRestore.self,
            LogReadersCommand.self, LogSessions.self,
        ])
}

struct LogVerify: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read the whole log: no gap, no damage, no event twice, every session in order.",
        discussion: "EXAMPLE\n  energyctl log verify")

    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        var verifier = LogVerifier()
        var failure: CommandFailure?
        do throws(CommandFailure) {
            for head in try await context.call(.events, Methods.logHeads, Empty()).heads {
                verifier.begin(head)
                try await context.readLog(
                    head, damage: { verifier.noteDamage($0) },
                    { (record) throws(CommandFailure) in verifier.check(record) })
                verifier.end(head)
            }
        } catch { failure = error }
        let report = LogVerification(verifier, error: failure?.message)
        if options.json {
            context.output.line(JSONText.document(report))
        } else if failure == nil || report.records + report.faultCount > 0 {
            for line in report.lines {
                TerminalText.fitted(TerminalText.safe(line), to: context.style.width).forEach(context.output.line)
            }
        }
        if let failure { throw failure }
        if report.faultCount > 0 { throw CommandFailure(.failure, "") }
    }
}

struct LogExport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write every record of the log to a file, partition by partition.",
        discussion: """
            A line of JSON has the contract's field names, whole mW and mWh, and times as ISO 8601 in UTC.

            EXAMPLES
              energyctl log export --output events.ndjson
              energyctl log export --format protobuf | zstd > events.binpb.zst
            """)

    @Option(
        name: .long, help: "ndjson: a line of JSON per record; protobuf: LogRecord messages, each after its length.")
    var format: LogFormat = .ndjson
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file; none is standard output.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        if format == .protobuf, output == nil, context.output.isTerminal {
            throw .usage("protobuf is nothing to look at: name a file with --output, or pipe it on.")
        }
        let file = try output.map { (path) throws(CommandFailure) in try LogFileWriter(path: path) }
        var (count, left) = (0, 0)
        for head in try await context.call(.events, Methods.logHeads, Empty()).heads {
            try await context.readLog(
                head,
                damage: { damage in
                    left += damage.count
                    context.output.note("Left out: \(TerminalText.safe(damage.message))")
                },
                { (record) throws(CommandFailure) in
                    count += 1
                    let bytes = format.encode(record)
                    guard let file else { return context.output.bytes(bytes) }
                    try file.write(bytes)
                })
        }
        try file?.close()
        if options.json, let output {
            context.output.line(
                JSONText.document(
                    LogExportReport(file: output, format: format.rawValue, records: count, recordsLeftOut: left)))
        } else {
            context.output.note(Quantities.count(count, "record") + (left > 0 ? ", \(left) left out" : ""))
        }
        if left > 0 { throw CommandFailure(.failure, "") }
    }
}

struct LogExportReport: Encodable {
    let file: String
    let format: String
    let records: Int
    /// Because they are damaged.
    let recordsLeftOut: Int
}

struct LogBackUp: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Have the event-ingestor copy its database as it is now, while it goes on.",
        discussion: "EXAMPLE\n  energyctl log backup")

    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let backup = try await context.call(.events, Methods.backUpLog, Empty())
        struct Document: Encodable {
            let file: String
            let bytes: Int
        }
        guard !options.json else {
            return context.output.line(JSONText.document(Document(file: backup.file, bytes: backup.bytes)))
        }
        context.say("\(TerminalText.safe(backup.file)), \(backup.bytes) bytes")
    }
}
