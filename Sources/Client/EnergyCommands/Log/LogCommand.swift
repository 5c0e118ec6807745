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
              energyctl log sessions --open
            """,
        subcommands: [LogVerify.self, LogExport.self, LogImport.self, LogBackUp.self, LogSessions.self])
}

struct LogVerify: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read the whole log: no gap, no damage, no event twice, every session in order.")

    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        var verifier = LogVerifier()
        for head in try await context.call(.events, Methods.logHeads, Empty()).heads {
            verifier.begin(head)
            try await context.readLog(head) { (record) throws(CommandFailure) in verifier.check(record) }
            verifier.end(head)
        }
        let report = LogVerification(verifier)
        if options.json {
            context.output.line(JSONText.document(report))
        } else {
            for fault in report.faults { context.output.line(TerminalText.safe(fault)) }
            context.output.line(
                "\(report.records) records, \(report.events) events, \(report.sessions) sessions: "
                    + (report.faultCount == 0 ? "no fault." : "\(Quantities.count(report.faultCount, "fault"))."))
        }
        if report.faultCount > 0 { throw CommandFailure(.failure, "") }
    }
}

struct LogVerification: Encodable {
    let records: Int
    let events: Int
    let sessions: Int
    let faultCount: Int
    /// The first of them.
    let faults: [String]

    init(_ verifier: LogVerifier) {
        (records, events) = (verifier.records, verifier.events)
        (sessions, faultCount, faults) = (verifier.sessions, verifier.faultCount, verifier.faults)
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
    @Option(name: .shortAndLong, help: ArgumentHelp("The file; none is standard output.", valueName: "file"))
    var output: String?
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        if format == .protobuf, output == nil, context.output.isTerminal {
            throw .usage("protobuf is nothing to look at: name a file with --output, or pipe it on.")
        }
        let file = try output.map { (path) throws(CommandFailure) in try LogFileWriter(path: path) }
        var count = 0
        for head in try await context.call(.events, Methods.logHeads, Empty()).heads {
            try await context.readLog(head) { (record) throws(CommandFailure) in
                count += 1
                let bytes = format.encode(record)
                guard let file else { return context.output.bytes(bytes) }
                try file.write(bytes)
            }
        }
        try file?.close()
        if options.json, let output {
            context.output.line(
                JSONText.document(LogExportReport(file: output, format: format.rawValue, records: count)))
        } else {
            context.output.note(Quantities.count(count, "record"))
        }
    }
}

struct LogExportReport: Encodable {
    let file: String
    let format: String
    let records: Int
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

extension CommandContext {
    /// Every record of a partition up to its head, in order.
    func readLog(
        _ head: LogHead, _ body: (LogRecord) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        guard head.sequence > 0 else { return }
        let position = LogPosition(partition: head.partition, afterSequence: 0)
        var chunks = try await read(.events, Methods.readLog, position, timeout: .seconds(86_400))
        while let page = try await chunks.next() {
            for record in page.records where record.sequence <= head.sequence { try body(record) }
        }
    }
}
