import ArgumentParser
import Foundation
import Testing

@testable import EnergyCommands

struct HelpTextTests {
    /// Every command, with the way to it.
    private static let commands = below(RootCommand.self, "energyctl")

    private static func below(
        _ command: any ParsableCommand.Type, _ path: String
    ) -> [(path: String, type: any ParsableCommand.Type)] {
        [(path, command)]
            + command.configuration.subcommands.flatMap { below($0, "\(path) \($0._commandName)") }
    }

    private func help(_ command: any ParsableCommand.Type, columns: Int) -> [String] {
        let text = RootCommand.helpMessage(for: command, columns: 1_000_000)
        return HelpText(text: text, columns: columns).lines()
    }

    @Test(arguments: [40, 80, 120]) func `help fits the terminal, how a command is called too`(columns: Int) {
        for command in Self.commands {
            for line in help(command.type, columns: columns) where TerminalText.width(line) > columns {
                // Words that are typed, and what is quoted, are not broken.
                let breakable = line.replacing(#/'[^']*'|"[^"]*"| \\$/#, with: "").trimmingCharacters(in: .whitespaces)
                #expect(!breakable.contains(" "), "\(command.path): \(line)")
            }
        }
    }

    @Test func `every command has an example of itself`() {
        for command in Self.commands {
            let help = help(command.type, columns: 1_000)
            #expect(help.contains { $0.hasPrefix("EXAMPLE") }, "\(command.path)")
            #expect(help.contains { $0.hasPrefix("  energyctl") }, "\(command.path)")
        }
    }

    @Test func `lines that were broken already are filled, and not broken again`() {
        let text = """
            OVERVIEW: What it is.

            Up to 0.3 it is Good, up to 0.6 Fair, above Avoid, as
            it is shown: with two decimals.

            RULES
              One
              two.

            USAGE: energyctl x [--action <action>] [--json]
            """
        #expect(
            HelpText(text: text, columns: 60).lines() == [
                "OVERVIEW: What it is.", "", "Up to 0.3 it is Good, up to 0.6 Fair, above Avoid, as it is",
                "shown: with two decimals.", "", "RULES", "  One two.", "",
                "USAGE: energyctl x [--action <action>] [--json]",
            ])
    }

    @Test func `an example that is too long goes on as a shell takes it`() {
        let text = "EXAMPLES\n  energyctl venues add --name 'My own home' --zone Europe/Berlin --region DE"
        #expect(
            HelpText(text: text, columns: 40).lines() == [
                "EXAMPLES", "  energyctl venues add \\", "    --name 'My own home' \\",
                "    --zone Europe/Berlin --region DE",
            ])
    }

    @Test func `how to call it is not parted between an option and its value`() {
        let usage = "USAGE: energyctl x [--action <action>] [--venue <name|uuid>] --device <id>"
        #expect(
            HelpText(text: usage, columns: 40).lines() == [
                "USAGE: energyctl x", "    [--action <action>]", "    [--venue <name|uuid>] --device <id>",
            ])
    }

    @Test func `what an option does stands beside it, and below where there is no room`() {
        let option = "  --by <by>               Split each period: how clean the grid was, how dear the contract."
        #expect(
            HelpText(text: option, columns: 60).lines() == [
                "  --by <by>               Split each period: how clean the",
                "                          grid was, how dear the contract.",
            ])
        #expect(
            HelpText(text: option, columns: 40).lines() == [
                "  --by <by>", "      Split each period: how clean the", "      grid was, how dear the contract.",
            ])
    }
}
