internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import ServiceEndpoints

struct LogReadersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers", abstract: "Who must see every record: retention keeps for them what they have not.",
        discussion: """
            EXAMPLES
              energyctl log readers
              energyctl log readers remove old-dashboard
            """,
        subcommands: [LogReadersList.self, LogReadersRemove.self], defaultSubcommand: LogReadersList.self)
}

struct LogReadersList: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Readers, how far they are behind, and when they last asked for more.",
        discussion: """
            A reader says what it has handled when it asks for more: one that is up to date may seem to be behind by \
            what it has read last. A log that is too large (retention.size) no longer waits for a reader that was not \
            heard for 30 days.

            EXAMPLE
              energyctl log readers list
            """)

    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let readers = try await context.call(.events, Methods.listReaders, Empty()).readers
        let heads = try await context.call(.events, Methods.logHeads, Empty()).heads
        let documents = readers.map { ReaderDocument($0, heads: heads, now: context.wallClock.now) }
        guard !list.csv else { return context.output.csv(documents) }
        guard !options.json else {
            context.output.line(JSONText.document(ReadersDocument(readers: documents)))
            return
        }
        guard !documents.isEmpty else { return context.output.line("No readers.") }
        var table = Table([.init("reader", shrinks: true), .init("behind", .right), .init("last heard"), .init("")])
        for reader in documents {
            table.add([
                .init(reader.name), .init(Quantities.count(Int(clamping: reader.recordsBehind), "record")),
                .init("\(Quantities.length(milliseconds: reader.silentMs)) ago"),
                .init(reader.isGivenUp ? "not waited for when the log is too large" : ""),
            ])
        }
        table.lines(context.style).forEach(context.output.line)
    }
}

struct LogReadersRemove: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a reader that is gone: nothing is kept for it any more.",
        discussion: """
            One that still runs registers again with its next question. Insights lose what the insight-service had not \
            counted when retention removes it.

            EXAMPLE
              energyctl log readers remove old-dashboard
            """)

    @Argument(help: "As log readers lists it.", completion: .logReaders) var name: String
    @OptionGroup var options: GlobalOptions

    func perform(in context: CommandContext) async throws(CommandFailure) {
        _ = try await context.call(.events, Methods.removeReader, LogReaderReference(name: name))
        context.output.line(
            options.json
                ? JSONText.document(["removed": name]) : "Nothing is kept for \(TerminalText.safe(name)) any more.")
    }
}

private struct ReadersDocument: Encodable {
    let readers: [ReaderDocument]
}

private struct ReaderDocument: Codable {
    let name: String
    let recordsBehind: UInt64
    let lastSeenUnixMs: Int64
    let silentMs: Int64
    let isGivenUp: Bool
    let handled: [Position]

    struct Position: Codable {
        let partition: Int
        let sequence: UInt64
        let headSequence: UInt64
    }

    init(_ reader: LogReaderState, heads: [LogHead], now: Timestamp) {
        name = reader.name
        lastSeenUnixMs = reader.lastSeen.unixMilliseconds
        silentMs = max(0, now.milliseconds(since: reader.lastSeen))
        isGivenUp = reader.isGivenUp
        handled = heads.filter { $0.sequence > 0 }.map { head in
            let position = reader.handled.first { $0.partition == head.partition }?.sequence ?? 0
            return Position(
                partition: head.partition, sequence: max(position, head.removedSequence), headSequence: head.sequence)
        }
        recordsBehind = handled.reduce(0) { sum, position in
            sum &+ (position.headSequence > position.sequence ? position.headSequence - position.sequence : 0)
        }
    }
}
