internal import Configuration
internal import Foundation

/// Puts a service's settings together: flags before environment before file before defaults.
public struct ConfigurationLoader: Sendable {
    public let service: String
    public let declarations: [KeyDeclaration]

    /// - Precondition: no key is declared twice.
    public init(service: String, declarations: [KeyDeclaration]) {
        precondition(Set(declarations.map(\.name)).count == declarations.count, "a key is declared twice")
        self.service = service
        self.declarations = declarations
    }

    /// At most this much of a file is read.
    private static let fileBytesMax = 1_048_576

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: variables that do not begin with `GRIDTIDE_` are ignored, except for where the file is.
    /// - Throws: every wrong key and value that was found.
    public func load(
        arguments: [String], environment: [String: String]
    ) throws(ConfigurationError) -> ServiceConfiguration {
        try load(CommandLineFlags(arguments, declarations: declarations), environment: environment)
    }

    func load(
        _ flags: CommandLineFlags, environment: [String: String]
    ) throws(ConfigurationError) -> ServiceConfiguration {
        var problems = flags.problems
        let variables = readVariables(environment, &problems)
        let (file, root) = try readFile(flags.file, environment)
        var fileValues: [String: ConfigurationNode] = [:]
        if let root { flatten(root, prefix: "", into: &fileValues, &problems) }

        var layers = Layers()
        for declaration in declarations {
            if declaration.isSection {
                layers.sections[declaration.name] = try section(declaration, in: fileValues)
            } else {
                layers.add(declaration, flags.values, variables, fileValues, &problems)
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        return ServiceConfiguration(
            providers: layers.providers, origins: layers.origins, sections: layers.sections, file: file)
    }

    // MARK: The sources

    private func readVariables(
        _ environment: [String: String], _ problems: inout [ConfigurationProblem]
    ) -> [String: String] {
        // What energyctl reads is often exported in the shell that also starts services.
        let others = ["GRIDTIDE_CONFIG", "GRIDTIDE_ENDPOINTS", "GRIDTIDE_CLIENT", "GRIDTIDE_KEYS"]
        let known = declarations.filter { !$0.isSection }.map(\.environmentVariable) + others
        let ours = environment.filter { $0.key.hasPrefix(KeyDeclaration.environmentPrefix) }
        for name in ours.keys.sorted() where !known.contains(name) {
            problems.append(.unknownKey(origin: name, key: name, known: known))
        }
        return ours
    }

    /// A file that was asked for must be there; the one at the usual place may be missing.
    private func readFile(
        _ asked: String?, _ environment: [String: String]
    ) throws(ConfigurationError) -> (String?, ConfigurationNode?) {
        let explicit = asked ?? environment["GRIDTIDE_CONFIG"]
        let path = explicit ?? BaseDirectories(environment).configuration + "/\(service).yaml"
        guard FileManager.default.fileExists(atPath: path) else {
            guard explicit != nil else { return (nil, nil) }
            throw ConfigurationError(.init(origin: path, key: "--config", reason: "names a file that does not exist"))
        }
        guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
        else {
            throw ConfigurationError(.init(origin: path, key: "--config", reason: "cannot be read as UTF-8"))
        }
        guard data.count <= Self.fileBytesMax else {
            throw ConfigurationError(
                .init(origin: path, key: "--config", reason: "is larger than \(Self.fileBytesMax) bytes"))
        }
        return (path, try ConfigurationNode(yaml: text, file: path))
    }

    /// Turns nested maps into dotted keys, as far down as declared keys go.
    private func flatten(
        _ node: ConfigurationNode, prefix: String, into values: inout [String: ConfigurationNode],
        _ problems: inout [ConfigurationProblem]
    ) {
        guard case .map(let members) = node.content else {
            problems.append(
                .init(
                    origin: node.origin, key: prefix.isEmpty ? "the file" : String(prefix.dropLast()),
                    reason: "is not a map; allowed: lines of 'name: value'"))
            return
        }
        for member in members {
            let name = prefix + member.key
            if declarations.contains(where: { $0.name == name }) {
                values[name] = member.value
            } else if declarations.contains(where: { $0.name.hasPrefix(name + ".") }) {
                flatten(member.value, prefix: name + ".", into: &values, &problems)
            } else {
                problems.append(.unknownKey(origin: member.keyOrigin, key: name, known: declarations.map(\.name)))
            }
        }
    }

    private func section(
        _ declaration: KeyDeclaration, in values: [String: ConfigurationNode]
    ) throws(ConfigurationError) -> ConfigurationNode {
        if let node = values[declaration.name] { return node }
        return try ConfigurationNode(yaml: declaration.defaultText, file: "default of \(declaration.name)")
    }
}

/// The values by source, as swift-configuration wants them.
private struct Layers {
    private var flags: [AbsoluteConfigKey: ConfigValue] = [:]
    private var variables: [AbsoluteConfigKey: ConfigValue] = [:]
    private var file: [AbsoluteConfigKey: ConfigValue] = [:]
    private var defaults: [AbsoluteConfigKey: ConfigValue] = [:]
    var origins: [String: String] = [:]
    var sections: [String: ConfigurationNode] = [:]

    var providers: [any ConfigProvider] {
        [
            InMemoryProvider(name: "flags", values: flags), InMemoryProvider(name: "environment", values: variables),
            InMemoryProvider(name: "file", values: file), InMemoryProvider(name: "defaults", values: defaults),
        ]
    }

    /// Checks a key in every source, so that a wrong value is found even where another source overrules it.
    mutating func add(
        _ declaration: KeyDeclaration, _ flagTexts: [String: String], _ variableTexts: [String: String],
        _ nodes: [String: ConfigurationNode], _ problems: inout [ConfigurationProblem]
    ) {
        let key = AbsoluteConfigKey(declaration.name.split(separator: ".").map(String.init))
        defaults[key] = ConfigValue(.string(declaration.defaultText), isSecret: declaration.isSecret)
        if let node = nodes[declaration.name] {
            let text = node.flattened
            file[key] = check(
                declaration, text ?? "a map", node.origin, declaration.name, isText: text != nil, &problems)
        }
        if let text = variableTexts[declaration.environmentVariable] {
            let name = declaration.environmentVariable
            variables[key] = check(declaration, text, name, name, &problems)
        }
        if let text = flagTexts[declaration.flag] {
            flags[key] = check(declaration, text, declaration.flag, declaration.flag, &problems)
        }
    }

    private mutating func check(
        _ declaration: KeyDeclaration, _ text: String, _ origin: String, _ key: String, isText: Bool = true,
        _ problems: inout [ConfigurationProblem]
    ) -> ConfigValue? {
        guard isText, declaration.accepts(text) else {
            problems.append(
                .wrongValue(
                    origin: origin, key: key, value: text, allowed: declaration.allowed,
                    isSecret: declaration.isSecret))
            return nil
        }
        origins[declaration.name] = origin
        return ConfigValue(.string(text), isSecret: declaration.isSecret)
    }
}
