/// What people read about a service's settings; all of it comes from the declarations.
extension ConfigurationLoader {
    /// The answer to `--help`.
    public func help(summary: String) -> String {
        var lines = [
            "\(service): \(summary)", "",
            "Usage: \(service) [--config FILE] [--KEY VALUE ...]", "",
            "A setting comes from a flag, else the environment, else the file, else its default.",
            "The file is YAML: --config FILE, GRIDTIDE_CONFIG, or $XDG_CONFIG_HOME/gridtide/\(service).yaml.", "",
            "  --help            this text",
            "  --version         the version of the software",
            "  --print-config    a commented file with every setting at its default", "",
            "Settings:",
        ]
        for declaration in declarations {
            lines.append("")
            if declaration.isSection {
                lines.append("  \(declaration.name) (file only)")
            } else {
                lines.append("  \(declaration.flag)   \(declaration.environmentVariable)")
            }
            lines.append("      \(declaration.help)")
            lines += Self.allowedLines(declaration).map { "      \($0)" }
            if !declaration.isSection, !declaration.isSecret {
                lines.append("      default: \(declaration.defaultText.isEmpty ? "none" : declaration.defaultText)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The answer to `--print-config`: a YAML file that changes nothing, with every key commented out.
    public func template(summary: String) -> String {
        var lines = [
            "# \(service): \(summary)",
            "# Every setting with its default. To change one, take away its '#' and those of the keys it is under.",
            "# Written by `\(service) --print-config`.",
        ]
        var open: [String] = []
        for declaration in declarations {
            let parts = declaration.name.split(separator: ".").map(String.init)
            let groups = Array(parts.dropLast())
            let shared = zip(open, groups).prefix { $0 == $1 }.count
            if shared < groups.count || groups.isEmpty { lines.append("") }
            for depth in shared..<groups.count { lines.append("#\(Self.indent(depth))\(groups[depth]):") }
            open = groups
            let indent = Self.indent(groups.count)
            lines += ([declaration.help] + Self.allowedLines(declaration)).map { "#\(indent)# \($0)" }
            lines += valueLines(declaration, name: parts[parts.count - 1], indent)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func valueLines(_ declaration: KeyDeclaration, name: String, _ indent: String) -> [String] {
        if declaration.isSection {
            guard declaration.defaultText != "[]" else { return ["#\(indent)\(name): []"] }
            let body = declaration.defaultText.split(separator: "\n", omittingEmptySubsequences: false)
            return ["#\(indent)\(name):"] + body.map { "#\(indent)  \($0)" }
        }
        let value = declaration.isSecret || declaration.defaultText.isEmpty ? "\"\"" : declaration.defaultText
        return ["#\(indent)\(name): \(value)"]
    }

    /// Where there is more to say than fits a line, the others stand indented under the first.
    private static func allowedLines(_ declaration: KeyDeclaration) -> [String] {
        let lines = declaration.allowed.split(separator: "\n").map(String.init)
        return lines.enumerated().map { $0.offset == 0 ? "allowed: \($0.element)" : "  \($0.element)" }
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}
