import EnergyModel
import Foundation
import Testing

extension EndToEnd {
    /// What the shells make of the scripts that are installed.
    struct CompletionScripts {
        @Test(.timeLimit(.minutes(3)))
        func `bash completes commands, options, their values and what the services know`() async throws {
            try await Installation.with(.ipc, services: [.guidance]) { installation in
                _ = try await Household.move(into: installation, name: "Harbour")
                #expect(try await completed(["energyctl", "gui"], installation) == ["guidance"])
                #expect(try await completed(["energyctl", "schedule", "set", "--rea"], installation) == ["--ready-by"])
                #expect(try await completed(["energyctl", "guidance", "--action", "sh"], installation) == ["shift"])
                #expect(try await completed(["energyctl", "guidance", "--venue", "Har"], installation) == ["Harbour"])
                #expect(try await completed(["energyctl", "guidance", "--venue", "x"], installation) == [])
                // The options of the verb that is meant where none is said.
                #expect(try await completed(["energyctl", "insights", "--la"], installation) == ["--last"])
                #expect(try await completed(["energyctl", "insights", "--by", "t"], installation) == ["tariff"])
                #expect(
                    try await completed(["energyctl", "insights", "repairs", "--ve"], installation).contains("--venue"))
                #expect(
                    try await completed(["energyctl", "insights", "--by", "tariff", "--la"], installation) == ["--last"]
                )
                #expect(try await completed(["energyctl", "insights", "tr"], installation) == ["trend"])
                // The scheduler does not run here: nothing, and no word of it.
                #expect(try await completed(["energyctl", "events", "--device", ""], installation) == [])
            }
        }

        /// As bash calls the function when somebody presses the tab key.
        private func completed(_ words: [String], _ installation: Installation) async throws -> [String] {
            let script = """
                source <(energyctl --generate-completion-script bash)
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
                _energyctl energyctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let shell = try await installation.shell("/bin/bash", ["--norc", "-c", script, "bash"] + words)
            #expect(shell.error.isEmpty, "\(words): \(shell.error)")
            return shell.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }

        /// zsh completes only where somebody types: in a terminal of its own.
        private static let zshScript = """
            zmodload zsh/zpty && zpty shell zsh -f -i
            zpty -w shell 'autoload -U compinit && compinit -D -u'
            zpty -w shell 'eval "$(energyctl --generate-completion-script zsh)"; print REA""DY'
            zpty -r shell seen '*READY*'
            zpty -w -n shell $'energyctl insights --la\\t'
            zpty -r shell seen '*--last*' && print -- --last
            zpty -d shell
            """

        @Test(.timeLimit(.minutes(1)), arguments: ["zsh", "fish"])
        func `other shells read their scripts without a word, and know the options of a default verb`(name: String)
            async throws
        {
            let path = "/usr/bin/\(name)"
            guard FileManager.default.isExecutableFile(atPath: path) else {
                #expect(!Machine.isCI, "\(name) is not installed: deploy/install-deps.sh installs it")
                print("\(name) is not installed: its completion script is not tried.")
                return
            }
            let script =
                name == "zsh"
                ? Self.zshScript
                : "energyctl --generate-completion-script fish | source; complete --do-complete 'energyctl guid'; "
                    + "complete --do-complete 'energyctl insights --la'"
            try await Installation.with(.ipc, services: []) { installation in
                let shell = try await installation.shell(path, ["-c", script])
                #expect(shell.status == .code(0) && shell.error.isEmpty, "\(shell.error)")
                #expect(name == "zsh" || shell.output.hasPrefix("guidance"), "\(shell.output)")
                #expect(shell.output.contains("--last"), "\(shell.output)")
            }
        }
    }
}
