internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

struct SignalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signals",
        abstract: "Where carbon and prices come from: list the sources, test them, push values.",
        discussion: """
            EXAMPLES
              energyctl signals
              energyctl signals test --region DE
              energyctl signals push prices.json --region home --source meter
            """,
        subcommands: [Sources.self, Test.self, Push.self], defaultSubcommand: Sources.self)

    struct Sources: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the sources of each region, the preferred first: which is in use, how old, what failed.",
            discussion: "EXAMPLE\n  energyctl signals sources --csv > sources.csv")
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let sources = try await context.call(.guidance, Methods.listSources, Empty()).sources
            if list.csv {
                context.output.csv(sources.map(SourceDocument.init))
            } else if options.json {
                context.output.line(JSONText.document(SourcesDocument(sources: sources.map(SourceDocument.init))))
            } else if sources.isEmpty {
                context.say("There is no region yet. Try: energyctl venues add --help")
            } else {
                SourceView(sources: sources, now: context.wallClock.now, style: context.style).lines()
                    .forEach(context.output.line)
            }
        }
    }

    struct Push: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Push values of a file to a source that is configured with 'provider: push'.",
            discussion: """
                The file is an OpenADR 3 event, or
                  {"kind": "price", "currency": "EUR", "values": [
                    {"start": "2026-07-01T00:00:00Z", "end": "2026-07-01T01:00:00Z",
                     "price_micros_per_kwh": 250000}]}
                with kind averageDirect, averageLifecycle or marginal and carbon_g_per_kwh for carbon;
                "estimated": true marks a prediction. What is said of a time again replaces it.

                EXAMPLE
                  energyctl signals push prices.json --region home
                """)
        @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
        @Option(name: .long, help: "The region, as the guidance-publisher's settings say it.", completion: .regions)
        var region: String
        @Option(name: .long, help: "The source's name there. Needed when the region has several.") var source: String =
            ""
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let content = try PushedFile.content(of: try PushedFile.bytes(of: file), named: file)
            let result = try await context.call(
                .guidance, Methods.putSignals, SignalPush(region: region, source: source, content: content))
            if options.json {
                context.output.line(JSONText.document(PushDocument(source: result.source, values: result.count)))
            } else {
                context.say("\(TerminalText.safe(result.source)) took \(result.count) values.")
            }
        }
    }
}
