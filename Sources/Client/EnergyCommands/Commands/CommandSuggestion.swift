internal import ArgumentParser
internal import EnergyModel

/// What somebody who mistyped a command had in mind. The argument parser itself says so of options only.
enum CommandSuggestion {
    /// - Returns: for example `energyctl schedule set`; `nil` where every command is one, or none is near.
    static func nearest(to arguments: [String], below root: any ParsableCommand.Type = RootCommand.self) -> String? {
        var (command, path): (any ParsableCommand.Type, [String]) = (root, [root.configuration.commandName ?? ""])
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { name(of: $0) == word }) else {
                return NearMiss.nearest(to: word, in: commands.map(name)).map {
                    "\((path + [$0]).joined(separator: " "))"
                }
            }
            (command, path) = (next, path + [word])
        }
        return nil
    }

    /// Why there is no help: the parser itself shows that of the last command that there is, or of its default.
    ///
    /// - Returns: `nil` where help is not asked for, or there is a command of which.
    static func refusal(ofHelp arguments: [String]) -> String? {
        guard arguments.first == "help" || arguments.contains(where: ["-h", "--help"].contains) else { return nil }
        var (command, path): (any ParsableCommand.Type, [String]) = (RootCommand.self, ["energyctl"])
        for word in arguments.drop(while: { $0 == "help" }).prefix(while: { !$0.hasPrefix("-") }) {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty else { return nil }
            guard let next = commands.first(where: { name(of: $0) == word }) else {
                let near = nearest(to: path.dropFirst() + [word]).map { " Did you mean '\($0)'?" } ?? ""
                let known = path.joined(separator: " ")
                return "Error: There is no command '\(TerminalText.safe(word))' of '\(known)'.\(near)\n"
                    + "  See '\(known) --help' for those that there are."
            }
            (command, path) = (next, path + [word])
        }
        return nil
    }

    /// As the parser makes it where none is said.
    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? command._commandName
    }

    /// The parser takes the nearest option for meant, however far it is: '--csv' is no '--to'.
    private static func withoutFarHint(_ message: String) -> String {
        guard let match = message.prefixMatch(of: #/(Error: Unknown option '([^']*)')\. Did you mean '([^']*)'\?/#),
            NearMiss.nearest(to: String(match.2), in: [String(match.3)]) == nil
        else { return message }
        return String(match.1 + message[match.range.upperBound...])
    }

    /// Options of all commands are none of the tool itself.
    private static func hintOfOrder(_ message: String, _ arguments: [String]) -> String? {
        guard let option = arguments.first?.split(separator: "=").first, option.hasPrefix("--"),
            message.hasPrefix("Error: Unknown option '\(option)'"), arguments.contains(where: { !$0.hasPrefix("-") })
        else { return nil }
        return replacingFirstLine(of: message) { _ in
            "Error: Options follow the command: energyctl COMMAND \(option) ..."
        }
    }

    private static func replacingFirstLine(of message: String, by line: (String) -> String) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[0] = line(lines[0])
        return lines.joined(separator: "\n")
    }

    /// The parser's message with the suggestion as its second line.
    static func added(to message: String, _ arguments: [String]) -> String {
        let message = withoutFarHint(message)
        if let hint = hintOfOrder(message, arguments) { return hint }
        // Of an unknown command the parser calls the command itself unexpected, or an option that only the right one has unknown.
        guard message.hasPrefix("Error: Un") || message.contains(" unexpected arguments: "),
            let near = nearest(to: arguments)
        else { return message }
        return replacingFirstLine(of: message) { $0.hasSuffix("?") ? $0 : "\($0). Did you mean '\(near)'?" }
    }
}
