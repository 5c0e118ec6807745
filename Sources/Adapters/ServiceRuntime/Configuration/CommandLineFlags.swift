/// What stands on the command line: settings, and the flags that ask for something else than a start.
struct CommandLineFlags: Sendable {
    private(set) var values: [String: String] = [:]
    /// `--config`
    private(set) var file: String?
    private(set) var asksForHelp = false
    private(set) var asksForVersion = false
    private(set) var asksForTemplate = false
    private(set) var problems: [ConfigurationProblem] = []

    static let own = ["--config", "--help", "--version", "--print-config"]

    /// - Parameter arguments: without the program's name. Both `--log-level debug` and `--log-level=debug` are read.
    init(_ arguments: [String], declarations: [KeyDeclaration]) {
        let settable = declarations.filter { !$0.isSection }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let flag = parts[0]
            switch flag {
            case "--help", "-h": asksForHelp = true
            case "--version": asksForVersion = true
            case "--print-config": asksForTemplate = true
            default:
                guard flag == "--config" || settable.contains(where: { $0.flag == flag }) else {
                    problems.append(.unknownKey(origin: flag, key: flag, known: settable.map(\.flag) + Self.own))
                    // What follows an unknown flag is most likely its value.
                    if parts.count == 1, let next = rest.first, !next.hasPrefix("--") { rest.removeFirst() }
                    continue
                }
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    problems.append(.init(origin: flag, key: flag, reason: "needs a value"))
                    continue
                }
                if flag == "--config" { file = value } else { set(flag, value) }
            }
        }
    }

    private mutating func set(_ flag: String, _ value: String) {
        if values.updateValue(value, forKey: flag) != nil {
            problems.append(.init(origin: flag, key: flag, reason: "is given twice"))
        }
    }
}
