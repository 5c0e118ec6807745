internal import ArgumentParser
internal import EnergyModel

/// What somebody who mistyped a command had in mind. The argument parser itself says so of options only.
enum CommandSuggestion {
    /// - Returns: for example `energyctl schedule set`; `nil` where every command is one, or none is near.
    static func nearest(to arguments: [String], below root: any ParsableCommand.Type = RootCommand.self) -> String? {
        let (command, path, unknown) = walk(arguments.prefix { !$0.hasPrefix("-") }, below: root)
        guard let unknown else { return nil }
        // What a command lists it lists by itself.
        if unknown == "list", command.configuration.defaultSubcommand != nil { return path.joined(separator: " ") }
        return NearMiss.nearest(to: unknown, in: command.configuration.subcommands.map(name)).map {
            (path + [$0]).joined(separator: " ")
        } ?? place(of: unknown, below: root)
    }

    /// - Returns: the last command that the words name, the names on the way to it, and the word after it that names none of
    ///   its commands, if it has any.
    private static func walk(
        _ words: some Sequence<String>, below root: any ParsableCommand.Type = RootCommand.self
    ) -> (command: any ParsableCommand.Type, path: [String], unknown: String?) {
        var (command, path) = (root, [name(of: root)])
        for word in words where !command.configuration.subcommands.isEmpty {
            guard let next = command.configuration.subcommands.first(where: { name(of: $0) == word }) else {
                return (command, path, word)
            }
            (command, path) = (next, path + [word])
        }
        return (command, path, nil)
    }

    /// - Returns: the one command of that name, wherever it is: `energyctl schedule devices` for `devices`.
    private static func place(of word: String, below root: any ParsableCommand.Type) -> String? {
        let places = places(of: word, below: root)
        return places.count == 1 ? "\(name(of: root)) \(places[0])" : nil
    }

    private static func places(of word: String, below command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.flatMap { next in
            (name(of: next) == word ? [word] : []) + places(of: word, below: next).map { "\(name(of: next)) \($0)" }
        }
    }

    /// Why there is no help: the parser itself shows that of the last command that there is, or of its default.
    ///
    /// - Returns: `nil` where help is not asked for, or there is a command of which.
    static func refusal(ofHelp arguments: [String]) -> String? {
        guard arguments.first == "help" || arguments.contains(where: ["-h", "--help"].contains) else { return nil }
        let (_, path, unknown) = walk(arguments.drop { $0 == "help" }.prefix { !$0.hasPrefix("-") })
        guard let unknown else { return nil }
        let near = nearest(to: path.dropFirst() + [unknown]).map { " Did you mean '\($0)'?" } ?? ""
        let known = path.joined(separator: " ")
        return "Error: There is no command '\(TerminalText.safe(unknown))' of '\(known)'.\(near)\n"
            + "  See '\(known) --help' for those that there are."
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

    /// What a value lacks is of no interest beside an option that there is not: the parser looks at values first.
    private static func withUnknownOptionFirst(_ message: String, _ arguments: [String]) -> String {
        guard !message.hasPrefix("Error: Unknown option"), let command = command(of: arguments) else { return message }
        let help = command.helpMessage(includeHidden: true, columns: 1_000)
        let known = Set(help.matches(of: #/--[a-z0-9-]+/#).map { String($0.output) } + ["--help", "--version"])
        let said = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        guard let unknown = said.first(where: { !known.contains($0) }) else { return message }
        let near = NearMiss.nearest(to: unknown, in: known.sorted()).map { ". Did you mean '\($0)'?" } ?? ""
        let rest = message.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("Help:") }
        return (["Error: Unknown option '\(TerminalText.safe(unknown))'\(near)"] + rest).joined(separator: "\n")
    }

    /// - Returns: the command that the first words name, or stand for; `nil` where they name none.
    private static func command(of arguments: [String]) -> (any ParsableCommand.Type)? {
        var (command, _, unknown) = walk(arguments.prefix { !$0.hasPrefix("-") })
        guard unknown == nil else { return nil }
        while let usual = command.configuration.defaultSubcommand { command = usual }
        return command
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
        let message = withUnknownOptionFirst(withoutFarHint(message), arguments)
        if let hint = hintOfOrder(message, arguments) { return hint }
        // Of an unknown command the parser calls the command itself unexpected, or an option that only the right one has unknown.
        guard message.hasPrefix("Error: Un") || message.contains(" unexpected arguments: "),
            let near = nearest(to: arguments)
        else { return message }
        return replacingFirstLine(of: message) { $0.hasSuffix("?") ? $0 : "\($0). Did you mean '\(near)'?" }
    }
}
