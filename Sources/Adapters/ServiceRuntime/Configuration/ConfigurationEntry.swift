/// One map of a section, for example one venue: hands out its members by name and remembers which were asked for, so
/// that a mistyped one is found.
public struct ConfigurationEntry: Sendable {
    /// For example `venues[0]`.
    public let path: String
    /// `FILE:LINE:COLUMN`
    public let origin: String
    private let members: [ConfigurationNode.Member]
    /// Asked for so far.
    private var known: [String] = []
    /// What else a reader may ask for: one that stops at the first mistake has not asked for all.
    private let allowed: [String]

    init(_ node: ConfigurationNode, path: String, allowed: [String] = []) throws(ConfigurationError) {
        guard case .map(let members) = node.content else {
            throw ConfigurationError(
                .init(origin: node.origin, key: path, reason: "is not a map; allowed: lines of 'name: value'"))
        }
        self.path = path
        self.origin = node.origin
        self.members = members
        self.allowed = allowed
    }

    /// - Parameters:
    ///   - allowed: completes "allowed: ".
    ///   - parse: `nil` refuses the text.
    /// - Returns: `nil` when the member is absent.
    public mutating func optional<Value>(
        _ name: String, allowed: String, parse: (String) -> Value?
    ) throws(ConfigurationError) -> Value? {
        guard let node = member(name) else { return nil }
        guard case .scalar(let text) = node.content, let value = parse(text) else {
            let shown = if case .scalar(let text) = node.content { text } else { "a list or map" }
            throw ConfigurationError(
                .wrongValue(origin: node.origin, key: "\(path).\(name)", value: shown, allowed: allowed))
        }
        return value
    }

    /// The member must be there.
    public mutating func required<Value>(
        _ name: String, allowed: String, parse: (String) -> Value?
    ) throws(ConfigurationError) -> Value {
        guard let value = try optional(name, allowed: allowed, parse: parse) else {
            throw ConfigurationError(
                .init(origin: origin, key: "\(path).\(name)", reason: "is missing; allowed: \(allowed)"))
        }
        return value
    }

    public mutating func string(_ name: String, default value: String? = nil) throws(ConfigurationError) -> String {
        if let text = try optional(name, allowed: "a text", parse: { $0.isEmpty ? nil : $0 }) { return text }
        if let value { return value }
        return try required(name, allowed: "a text") { $0.isEmpty ? nil : $0 }
    }

    /// Texts as a YAML list, or as one text with commas. Absent is empty.
    public mutating func strings(_ name: String) throws(ConfigurationError) -> [String] {
        guard let node = member(name) else { return [] }
        guard let text = node.flattened else {
            throw ConfigurationError(
                .wrongValue(origin: node.origin, key: "\(path).\(name)", value: "a map", allowed: "a list of texts"))
        }
        return text.split(separator: ",").map { String($0.trimmingPrefix(" ")) }
    }

    /// The maps of a nested list, for example a rate plan's zones. Absent is empty.
    ///
    /// - Parameter allowed: as in ``ServiceConfiguration/entries(_:allowed:_:)``.
    public mutating func entries<Value>(
        _ name: String, allowed: [String] = [],
        _ read: (inout ConfigurationEntry) throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> [Value] {
        guard let node = member(name) else { return [] }
        return try Self.readAll(node, path: "\(path).\(name)", allowed: allowed, read)
    }

    /// Where a member's value stands, the entry's own place if it is absent: `FILE:LINE:COLUMN`.
    public func origin(of name: String) -> String { members.first { $0.key == name }?.value.origin ?? origin }

    /// Whether it is built in: nobody wrote it, so nobody can be told to correct it.
    public var isDefault: Bool { origin.hasPrefix("default of ") }

    /// A refusal that names this entry's member, for rules that `parse` cannot know.
    public func refusal(_ name: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(.init(origin: origin(of: name), key: "\(path).\(name)", reason: reason))
    }

    static func readAll<Value>(
        _ node: ConfigurationNode, path: String, allowed: [String],
        _ read: (inout ConfigurationEntry) throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> [Value] {
        guard case .list(let nodes) = node.content else {
            throw ConfigurationError(
                .init(origin: node.origin, key: path, reason: "is not a list; allowed: lines that begin with '- '"))
        }
        var values: [Value] = []
        for (index, node) in nodes.enumerated() {
            var entry = try ConfigurationEntry(node, path: "\(path)[\(index)]", allowed: allowed)
            do throws(ConfigurationError) { values.append(try read(&entry)) } catch {
                // A mistyped name is why another is missing: it is told first.
                throw ConfigurationError(entry.unknownMembers(whenInterrupted: true) + error.problems)
            }
            let unknown = entry.unknownMembers(whenInterrupted: false)
            if !unknown.isEmpty { throw ConfigurationError(unknown) }
        }
        return values
    }

    private mutating func member(_ name: String) -> ConfigurationNode? {
        known.append(name)
        return members.first { $0.key == name }?.value
    }

    /// - Parameter whenInterrupted: the reader stopped before it had asked for all; without a list of what it would
    ///   have asked for, nothing is known to be unknown.
    private func unknownMembers(whenInterrupted: Bool) -> [ConfigurationProblem] {
        if whenInterrupted && allowed.isEmpty { return [] }
        let names = whenInterrupted ? allowed + known.filter { !allowed.contains($0) } : known
        return members.filter { !names.contains($0.key) }.map { member in
            ConfigurationProblem.unknownKey(
                origin: member.keyOrigin, key: "\(path).\(member.key)", name: member.key, known: names)
        }
    }
}

extension ConfigurationNode {
    /// A scalar's text, or a list of scalars joined by commas; `nil` for anything else.
    var flattened: String? {
        switch content {
        case .scalar(let text): return text
        case .list(let nodes):
            let texts = nodes.compactMap { if case .scalar(let text) = $0.content { text } else { nil } }
            return texts.count == nodes.count ? texts.joined(separator: ",") : nil
        case .map: return nil
        }
    }
}
