internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

extension SignalsCommand {
    struct Test: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have sources looked at now: their newest value, how far ahead they know, or what to do.",
            discussion: """
                A service on the web is asked no sooner than its limits allow. The command fails if a source does.

                EXAMPLES
                  energyctl signals test --region DE
                  energyctl signals test --region DE --source energy-charts-co2:de
                """)
        @Option(name: .long, help: "The region whose sources are tested.", completion: .regions) var region: String
        @Option(name: .long, help: "One of them, as energyctl signals names it. Default: all.") var source: String?
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            var tests: [SourceTest] = []
            for name in try await names(in: context) {
                tests.append(
                    try await context.call(
                        .guidance, Methods.testSource, SourceReference(region: region, source: name)))
            }
            if options.json {
                context.output.line(JSONText.document(SourceTestsDocument(tests: tests.map(SourceTestDocument.init))))
            } else {
                let view = SourceTestView(now: context.wallClock.now, width: context.style.width)
                tests.flatMap(view.lines).forEach(context.output.line)
            }
            // The output has said it already.
            if tests.contains(where: { $0.failure != nil }) { throw CommandFailure(.failure, "") }
        }

        private func names(in context: CommandContext) async throws(CommandFailure) -> [String] {
            if let source { return [source] }
            let sources = try await context.call(.guidance, Methods.listSources, Empty()).sources
            let names = sources.filter { $0.region == region }.map(\.status.name)
            guard names.isEmpty else { return names }
            let regions = Set(sources.map(\.region)).sorted().joined(separator: ", ")
            throw CommandFailure(
                .refused,
                TerminalText.safe("There is no source of the region '\(region)'. There are: \(regions)."))
        }
    }
}
