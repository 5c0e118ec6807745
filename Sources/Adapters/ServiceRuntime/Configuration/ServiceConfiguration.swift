internal import Configuration

/// A service's settings, all of them checked.
public struct ServiceConfiguration: Sendable {
    private let reader: ConfigReader
    private let origins: [String: String]
    private let sections: [String: ConfigurationNode]
    /// The file that was read, if there was one.
    public let file: String?

    /// - Parameters:
    ///   - providers: the first that has a key wins.
    ///   - origins: where each key's value stands.
    init(
        providers: [any ConfigProvider], origins: [String: String], sections: [String: ConfigurationNode], file: String?
    ) {
        reader = ConfigReader(providers: providers)
        self.origins = origins
        self.sections = sections
        self.file = file
    }

    /// - Precondition: the key was declared when the configuration was loaded.
    public subscript<Value>(key: ConfigurationKey<Value>) -> Value {
        let name = key.declaration.name
        let text = reader.string(forKey: ConfigKey(name), isSecret: key.declaration.isSecret)
        guard let text, let value = key.parse(text) else {
            preconditionFailure("\(name) was not declared")
        }
        return value
    }

    /// The entries of a section, read one by one; a member that `read` does not ask for is refused.
    ///
    /// - Parameter allowed: the names of all members, so that a mistyped one is told also when `read` stops early.
    /// - Precondition: the section was declared when the configuration was loaded.
    public func entries<Value>(
        _ section: ConfigurationSection, allowed: [String] = [],
        _ read: (inout ConfigurationEntry) throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> [Value] {
        let name = section.declaration.name
        guard let node = sections[name] else { preconditionFailure("\(name) was not declared") }
        return try ConfigurationEntry.readAll(node, path: name, allowed: allowed, read)
    }

    /// Where the value was set: a flag, a variable, a file's line, or `default`.
    public func origin<Value>(of key: ConfigurationKey<Value>) -> String {
        origins[key.declaration.name] ?? "default"
    }
}
