internal import ArgumentParser

/// The shells' completion scripts. The parser's know the options of a default verb only after the verb itself: these say it
/// where it was left out, so that `insights --la` is completed as `insights show --la`.
enum CompletionScript {
    /// - Parameter script: of any shell, as the parser writes it.
    static func knowingDefaults(_ script: String) -> String {
        [bash, zsh, fish].first { script.contains($0.place) }.map { shell in
            shell.header(of: script) + shell.function(defaults())
                + shell.body(of: script).replacing(shell.place, with: shell.call)
        } ?? script
    }

    private struct Default: Sendable {
        /// Without the program's name.
        let path: [String]
        let verb: String
    }

    /// The longest paths first: the first that fits is the one.
    private static func defaults() -> [Default] { defaults(of: RootCommand.self, []).reversed() }

    private static func defaults(of command: any ParsableCommand.Type, _ path: [String]) -> [Default] {
        let own = command.configuration.defaultSubcommand.map { Default(path: path, verb: $0._commandName) }
        return [own].compactMap(\.self)
            + command.configuration.subcommands.flatMap { defaults(of: $0, path + [$0._commandName]) }
    }

    private struct Shell: Sendable {
        /// Where the words of the command line are known, and not looked at yet.
        let place: String
        let call: String
        /// Of a default: its path, and how many words that has.
        let branch: @Sendable (Default) -> String
        let start: String
        let end: String

        func function(_ defaults: [Default]) -> String { start + defaults.map(branch).joined() + end }

        /// zsh's must be the script's first line.
        func header(of script: String) -> String { script.hasPrefix("#") ? firstLine(of: script) : "" }

        func body(of script: String) -> String { String(script.dropFirst(header(of: script).count)) }

        private func firstLine(of script: String) -> String { String(script.prefix { $0 != "\n" }) + "\n" }
    }

    private static let bash = Shell(
        place: #"local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#,
        call: #"local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}"); __energyctl_say_default_verb"#,
        branch: { "    '\($0.path.joined(separator: " ")) -'*) count=\($0.path.count) verb=\($0.verb) ;;\n" },
        start: #"""

            __energyctl_say_default_verb() {
                local IFS=' ' verb
                local -i count
                case "${unparsed_words[*]}" in

            """#,
        end: #"""
                *) return ;;
                esac
                unparsed_words=("${unparsed_words[@]::count}" "${verb}" "${unparsed_words[@]:count}")
            }

            """#)

    private static let zsh = Shell(
        place: #"local -ir current_word_index="$((CURRENT - 1))""#,
        // At the end of a function zsh takes back what it did to these words: here they stay.
        call: #"""
            local -ir current_word_index="$((CURRENT - 1))"
                local verb=''
                local -i count=0
                __energyctl_find_default_verb
                if [[ -n "${verb}" ]] && (( CURRENT > count )); then
                    words=("${(@)words[1,count]}" "${verb}" "${(@)words[count+1,-1]}")
                    (( CURRENT += 1 ))
                fi
            """#,
        branch: { "    '\($0.path.joined(separator: " ")) -'*) count=\($0.path.count + 1) verb=\($0.verb) ;;\n" },
        start: #"""

            __energyctl_find_default_verb() {
                case "${(j: :)words[2,-1]}" in

            """#,
        end: #"""
                esac
            }

            """#)

    private static let fish = Shell(
        place: "set -l unparsed_tokens (__energyctl_tokens -pc)",
        call: "set -l unparsed_tokens (__energyctl_say_default_verb (__energyctl_tokens -pc))",
        branch: { known in
            let count = known.path.count + 1
            return "    case '\(known.path.joined(separator: " ")) -*'\n"
                + "        printf '%s\\n' $argv[1..\(count)] \(known.verb) $argv[\(count + 1)..]\n"
        },
        start: #"""

            function __energyctl_say_default_verb
                switch (string join ' ' -- $argv[2..] (commandline -ct))

            """#,
        end: #"""
                case '*'
                    printf '%s\n' $argv
                end
            end

            """#)
}
