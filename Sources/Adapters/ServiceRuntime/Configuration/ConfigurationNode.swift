internal import Yams

/// A piece of a YAML file, and where it stands: an error about it can name file, line and column.
struct ConfigurationNode: Sendable {
    enum Content: Sendable {
        case scalar(String)
        case list([ConfigurationNode])
        case map([Member])
    }
    struct Member: Sendable {
        let key: String
        let keyOrigin: String
        let value: ConfigurationNode
    }

    let content: Content
    /// `FILE:LINE:COLUMN`
    let origin: String

    /// Reads one YAML document. An empty one is an empty map.
    ///
    /// Anchors and aliases are refused: nothing here needs them, and they let a small file grow without limit.
    init(yaml: String, file: String) throws(ConfigurationError) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch {
            throw ConfigurationError(Self.problem(with: error, file: file))
        }
        guard let root, !Self.isNull(root) else {
            self.init(content: .map([]), origin: "\(file):1:1")
            return
        }
        try self.init(root, file: file, depth: 0)
    }

    private init(content: Content, origin: String) {
        self.content = content
        self.origin = origin
    }

    private static let depthMax = 16

    private init(_ node: Node, file: String, depth: Int) throws(ConfigurationError) {
        origin = Self.origin(of: node, file)
        guard depth < Self.depthMax else {
            throw ConfigurationError(.init(origin: origin, key: file, reason: "is nested too deeply"))
        }
        switch node {
        case .scalar(let scalar):
            content = .scalar(scalar.string)
        case .sequence(let sequence):
            var elements: [ConfigurationNode] = []
            for element in sequence { elements.append(try Self(element, file: file, depth: depth + 1)) }
            content = .list(elements)
        case .mapping(let mapping):
            var members: [Member] = []
            for (key, value) in mapping {
                guard let name = key.scalar?.string else {
                    throw ConfigurationError(
                        .init(origin: Self.origin(of: key, file), key: file, reason: "has a key that is not a word"))
                }
                members.append(
                    Member(
                        key: name, keyOrigin: Self.origin(of: key, file),
                        value: try Self(value, file: file, depth: depth + 1)))
            }
            content = .map(members)
        case .alias:
            throw ConfigurationError(.init(origin: origin, key: file, reason: "uses an alias; write the value out"))
        }
    }

    private static func origin(of node: Node, _ file: String) -> String {
        node.mark.map { "\(file):\($0.line):\($0.column)" } ?? file
    }

    private static func isNull(_ node: Node) -> Bool {
        guard case .scalar(let scalar) = node else { return false }
        return scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
    }

    private static func problem(with error: any Error, file: String) -> ConfigurationProblem {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            .init(origin: "\(file):\(mark.line):\(mark.column)", key: "YAML", reason: problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            .init(
                origin: "\(file):\(context.mark.line):\(context.mark.column)", key: "YAML",
                reason: "has a key twice: "
                    + duplicates.sorted().joined(separator: ", "))
        default: .init(origin: file, key: "YAML", reason: "cannot be read")
        }
    }
}
