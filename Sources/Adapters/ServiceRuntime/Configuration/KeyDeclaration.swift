/// One setting as people see it: in `--help`, in the commented file, in errors.
public struct KeyDeclaration: Sendable {
    /// Dotted, lower case, for example `log.level`: the path in the YAML file. The flag is `--log-level`, the
    /// environment variable `GRIDTIDE_LOG_LEVEL`.
    public let name: String
    /// What is allowed, with unit and range, for example `a duration from 0s to 10m`.
    public let allowed: String
    public let defaultText: String
    /// A secret's value never reaches a log, an error or `--help`.
    public let isSecret: Bool
    /// A list of maps: only the file can hold it, and ``defaultText`` is YAML.
    public let isSection: Bool
    /// One line: what it decides.
    public let help: String
    /// Says of a value as text whether it is allowed.
    let accepts: @Sendable (String) -> Bool

    public var flag: String { "--" + name.replacing(".", with: "-") }

    public var environmentVariable: String {
        Self.environmentPrefix + name.uppercased().replacing(".", with: "_").replacing("-", with: "_")
    }

    static let environmentPrefix = "GRIDTIDE_"
}

/// A declared setting together with the type that its text stands for.
public struct ConfigurationKey<Value: Sendable>: Sendable {
    public let declaration: KeyDeclaration
    let parse: @Sendable (String) -> Value?

    /// - Parameters:
    ///   - allowed: completes "allowed: ".
    ///   - parse: `nil` refuses the text.
    /// - Precondition: `parse` accepts `defaultText`.
    public init(
        _ name: String, default defaultText: String, allowed: String, isSecret: Bool = false, help: String,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        precondition(parse(defaultText) != nil, "the default of \(name) is not allowed")
        self.parse = parse
        declaration = KeyDeclaration(
            name: name, allowed: allowed, defaultText: defaultText, isSecret: isSecret, isSection: false, help: help,
            accepts: { parse($0) != nil })
    }
}

/// A declared list of maps, such as venues: it has no flag and no variable.
public struct ConfigurationSection: Sendable {
    public let declaration: KeyDeclaration

    /// - Parameters:
    ///   - defaultYAML: the list that holds when the file has none, as it stands in the file.
    ///   - allowed: completes "allowed: ", for example `a list of venues`.
    public init(_ name: String, default defaultYAML: String = "[]", allowed: String, help: String) {
        declaration = KeyDeclaration(
            name: name, allowed: allowed, defaultText: defaultYAML, isSecret: false, isSection: true, help: help,
            accepts: { _ in false })
    }
}
