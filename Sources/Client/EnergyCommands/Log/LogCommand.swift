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
        abstract: "Read the whole log: no gap, no damage, no event twice, every session in order.")

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
        } else {
            for line in report.lines { context.output.line(TerminalText.safe(line)) }
        }
        if let failure { throw failure }
        if report.faultCount > 0 { throw CommandFailure(.failure, "") }
    }
}

struct LogExport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write every record of the log to a file, partition by partition.")

    @Option(
        name: .long, help: "ndjson: a line of JSON per record; protobuf: LogRecord messages, each after its length.")
    var format: LogFormat = .ndjson
    @Option(name: .shortAndLong, help: ArgumentHelp("The file; none is standard output.", valueName: "file"))
    var output: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if format == .protobuf && output == nil { throw ValidationError("protobuf needs --output.") }
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
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
                    guard let file else { return context.output.line(JSONText.line(LogRecordDocument(record))) }
                    try file.write(format.encode(record))
                })
        }
        try file?.close()
        context.output.note("\(count) records" + (left > 0 ? ", \(left) left out" : ""))
        if left > 0 { throw CommandFailure(.failure, "") }
    }
}

struct LogImport: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Submit the events of an exported log; those that are known already are left.",
        discussion: """
            Events are judged as if a device had sent them: their tokens must be known to this system, so restore the \
            guidance publisher's state first. A record that is refused is reported, and the rest goes on.
            """)

    @Argument(help: "A file of log export.") var file: String
    @Option(name: .long, help: "As for export; found out from the file when it is not given.") var format: LogFormat?
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let reader = try LogFileReader(path: file, format: format)
        var (accepted, duplicates, refused) = (0, 0, 0)
        while let record = try reader.next() {
            do throws(CommandFailure) {
                let result = try await context.untilAvailable { () async throws(CommandFailure) in
                    try await context.call(.events, Methods.submitEvents, EventBatch(events: record.events))
                }
                guard let result else { break }
                accepted += result.accepted
                duplicates += result.duplicates
            } catch {
                guard error.exit != .unavailable else { throw error }
                refused += 1
                context.output.note("record \(record.sequence) of partition \(record.partition): \(error.message)")
            }
        }
        context.output.line("\(accepted) events stored, \(duplicates) were known, \(refused) records refused.")
        if refused > 0 { throw CommandFailure(.refused, "") }
    }
}

struct LogBackUp: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Have the event-ingestor copy its database as it is now, while it goes on.")

    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let backup = try await context.call(.events, Methods.backUpLog, Empty())
        struct Document: Encodable {
            let file: String
            let bytes: Int
        }
        context.output.line(
            options.json
                ? JSONText.document(Document(file: backup.file, bytes: backup.bytes))
                : "\(TerminalText.safe(backup.file)), \(backup.bytes) bytes")
    }
}
