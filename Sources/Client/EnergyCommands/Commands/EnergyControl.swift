internal import ArgumentParser
internal import CProcess
internal import EnergyModel
internal import Foundation

/// `energyctl`: the whole of Gridtide at the command line.
public enum EnergyControl {
    /// Commands are made by the argument parser, which hands nothing on.
    @TaskLocal static var tools = CommandTools()

    /// Runs what the command line of this process says; ends the process unless all went well.
    public static func run(_ tools: CommandTools) async {
        // A client's file holds its secret key.
        _ = cprocess_close_memory()
        _ = cprocess_forbid_core_files()
        await $tools.withValue(tools) { await perform(Array(CommandLine.arguments.dropFirst())) }
    }

    /// So that the parser breaks no line.
    private static let wide = 1_000_000

    private static func refusal(ofFormats arguments: [String]) -> String? {
        ["--json", "--csv"].allSatisfy(arguments.contains) ? "Error: Say --json or --csv, not both." : nil
    }

    private static func perform(_ arguments: [String]) async {
        let output = ProcessOutput()
        if let refusal = CommandSuggestion.refusal(ofHelp: arguments) ?? Self.refusal(ofFormats: arguments) {
            output.note(refusal)
            RootCommand.exit(withError: ExitCode.validationFailure)
        }
        do {
            var command = try await RootCommand.asyncParseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            let message = RootCommand.fullMessage(for: error, columns: wide)
            if message.hasPrefix("OVERVIEW: ") {
                let columns = output.style(ProcessInfo.processInfo.environment).width ?? 80
                output.line(HelpText(text: message, columns: columns).lines().joined(separator: "\n"))
                RootCommand.exit(withError: ExitCode.success)
            }
            // After the help: asked for it, the parser makes it once more, as wide as the terminal, which may be too narrow.
            let code = RootCommand.exitCode(for: error)
            if arguments.contains("--generate-completion-script"), code == .success {
                output.line(CompletionScript.knowingDefaults(message))
                RootCommand.exit(withError: code)
            }
            guard code == .validationFailure else { RootCommand.exit(withError: error) }
            output.note(CommandSuggestion.added(to: message, arguments))
            RootCommand.exit(withError: code)
        }
    }
}

struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "energyctl",
        abstract: "Ask Gridtide when power is clean and cheap, what your devices did, and what they will do.",
        discussion: """
            EXAMPLES
              energyctl guidance                  when to use power in the next 24 hours
              energyctl insights --last 7d        what was used, day by day
              energyctl schedule set --device car-1 --ready-by 07:00 --soc 80
              energyctl watch                     everything that happens, as it happens
              energyctl health                    whether all services are up
              energyctl doctor                    what is wrong, and how to mend it

            JSON
              Keys are the contract's field names (proto/). Energy is in mWh, power in
              mW, prices in millionths; times are ISO 8601 on the venue's clock, and in
              UTC in what log export writes.

            EXIT STATUS
              \(CommandFailure.Exit.help)

            ENVIRONMENT
              GRIDTIDE_ENDPOINTS  where the services are, as --endpoints
              GRIDTIDE_CLIENT     a file with endpoints and keys, as --client
              GRIDTIDE_CLOCK_OFFSET
                                  added to the clock, as the services' clock.offset
              NO_COLOR            no colours, also on a terminal
            """,
        version: "energyctl \(SoftwareVersion.current)",
        subcommands: [
            VenuesCommand.self, RatePlansCommand.self, DemandResponseCommand.self, GuidanceCommand.self,
            EventsCommand.self, InsightsCommand.self, SessionsCommand.self,
            ActivityCommand.self, ScheduleCommand.self,
            SignalsCommand.self, HealthCommand.self, DoctorCommand.self, WatchCommand.self, LogCommand.self,
            StoreCommand.self, KeysCommand.self, AuditCommand.self, PrivacyCommand.self,
        ])
}
