internal import ArgumentParser
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints
internal import Tariffs

struct RatePlansCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate-plans",
        abstract: "What electricity costs, and when: list, show, import, check and remove contracts.",
        discussion: """
            EXAMPLES
              energyctl rate-plans
              energyctl rate-plans show home-tou
              energyctl rate-plans check tariff.json
              energyctl rate-plans import tariff.json --id EV9 --time-zone America/Los_Angeles
              energyctl rate-plans remove EV9
            """,
        subcommands: [List.self, Show.self, Import.self, Check.self, Export.self, Remove.self],
        defaultSubcommand: List.self)

    struct List: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the rate plans that a venue can have.",
            discussion: "EXAMPLE\n  energyctl rate-plans list")
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let plans = try await context.ratePlans()
            if list.csv {
                context.output.csv(plans.map(RatePlanDocument.init))
            } else if options.json {
                context.output.line(JSONText.document(RatePlansDocument(ratePlans: plans.map(RatePlanDocument.init))))
            } else if plans.isEmpty {
                context.output.line("There is no rate plan.")
            } else {
                ListTables.lines(plans, context.style).forEach(context.output.line)
            }
        }
    }

    struct Show: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a rate plan: what each hour of each month costs.",
            discussion:
                "EXAMPLES\n  energyctl rate-plans show home-tou\n  energyctl rate-plans show home-tou --csv > zones.csv"
        )
        @Argument(help: "The id of the rate plan.", completion: .ratePlans) var id: String
        @OptionGroup var list: ListOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let plan = try await context.ratePlan(id)
            guard !list.csv else { return context.output.csv(RatePlanDocument(plan).zones) }
            context.show(plan, json: options.json)
        }
    }

    struct Import: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read a contract from a file, and store it.",
            discussion: """
                With the id of a plan that is there, it replaces that from now on; what was paid before stays. A plan that \
                is in the settings of the guidance-publisher is set back at its next start.

                EXAMPLE
                  energyctl rate-plans import tariff.json --id EV9 --time-zone America/Los_Angeles --holiday '4 thu nov'
                """)
        @OptionGroup var document: TariffOptions
        @Option(name: .long, help: "The id to store it under: letters, digits, hyphens.") var id: String
        @Flag(name: .long, help: "Store it although some hours have no price.") var force = false
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let tariff = try document.read(id: id)
            context.note(tariff)
            if !force, tariff.findings.contains(where: { $0.severity == .error }) {
                throw CommandFailure(.refused, "Nothing was stored. To store it all the same, say --force.")
            }
            let plan = try await context.call(.guidance, Methods.putRatePlan, tariff.plan)
            if options.json {
                context.output.line(JSONText.document(RatePlanDocument(plan)))
            } else {
                ListTables.lines([plan], context.style).forEach(context.output.line)
            }
        }
    }

    struct Check: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read a contract from a file, say what is odd about it, and show it. Nothing is stored.",
            discussion: "EXAMPLE\n  energyctl rate-plans check evcc.yaml --format evcc --time-zone Europe/Berlin")
        @OptionGroup var document: TariffOptions
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let tariff = try document.read(id: "check")
            context.note(tariff)
            context.show(tariff.plan, json: options.json)
            if tariff.findings.contains(where: { $0.severity == .error }) {
                throw CommandFailure(.refused, "The contract has errors.")
            }
        }
    }

    struct Export: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a rate plan in another program's format.",
            discussion: "EXAMPLE\n  energyctl rate-plans export home-tou --format urdb > home-tou.json")
        @Argument(help: "The id of the rate plan.", completion: .ratePlans) var id: String
        @Option(name: .long, help: "The format.") var format: TariffFormat
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let plan = try await context.ratePlan(id)
            do throws(EnergyError) {
                let text = String(decoding: try format.write(plan), as: UTF8.self)
                context.output.line(String(text.trimmingPrefix("\n").dropLast(text.hasSuffix("\n") ? 1 : 0)))
            } catch {
                throw CommandFailure(.refused, "\(format.rawValue) cannot hold this plan: \(error.message)")
            }
        }
    }
}

/// A contract in a file, and what the file does not say.
struct TariffOptions: ParsableArguments {
    @Argument(help: "The file: JSON, for evcc YAML too.", completion: .file()) var file: String
    @Option(name: .long, help: "Its format; guessed unless said.") var format: TariffFormat?
    @Option(
        name: .zone,
        help: ArgumentHelp("The clock that its hours are read on, an IANA name.", valueName: "zone"),
        transform: ianaTimeZone)
    var timeZone: TimeZone
    @Option(name: .long, help: "What to call it, in place of the file's name for it.") var name: String?
    @Option(name: .long, help: "ISO 4217 code, where the file names none.") var currency: String?
    @Option(name: .long, help: "Of one of several URDB rates.") var label: String?
    @Option(
        name: .customLong("holiday"),
        help: ArgumentHelp("A day with Sunday's prices: \(Holiday.Rule.forms). May be said often.", valueName: "day"),
        transform: { text in
            guard let rule = Holiday.Rule(text: text) else {
                throw ValidationError("'\(text)' is no holiday. Say one like \(Holiday.Rule.forms).")
            }
            return Holiday(rule)
        })
    var holidays: [Holiday] = []

    func read(id: String) throws(CommandFailure) -> ImportedTariff {
        let bytes = try InputFile.bytes(of: file)
        let terms = TariffTerms(
            id: id, name: name, currency: currency, timeZone: timeZone, holidays: holidays, label: label)
        do throws(EnergyError) { return try TariffFormat.read(Array(bytes), format: format, terms) } catch {
            throw CommandFailure(.refused, "\(TerminalText.safe(file)): \(TerminalText.safe(error.message))")
        }
    }
}

extension CommandContext {
    fileprivate func ratePlans() async throws(CommandFailure) -> [RatePlan] {
        try await call(.guidance, Methods.listRatePlans, Empty()).ratePlans
    }

    func ratePlan(_ id: String) async throws(CommandFailure) -> RatePlan {
        let plans = try await ratePlans()
        if let plan = plans.first(where: { $0.id == id }) { return plan }
        let known = plans.isEmpty ? "There is none yet." : "There are: \(plans.map(\.id).joined(separator: ", "))"
        throw CommandFailure(.refused, "There is no rate plan '\(id)'. \(TerminalText.safe(known))")
    }

    fileprivate func note(_ tariff: ImportedTariff) {
        output.note("Read as \(tariff.format.rawValue).")
        for finding in tariff.findings { output.note(TerminalText.safe("\(finding)")) }
    }

    fileprivate func show(_ plan: RatePlan, json: Bool) {
        if json {
            output.line(JSONText.document(RatePlanDocument(plan)))
        } else {
            RatePlanView(plan: plan, style: style).lines().forEach(output.line)
        }
    }
}
