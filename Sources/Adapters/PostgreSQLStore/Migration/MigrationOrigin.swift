/// The file that a schema is filled from.
public struct MigrationOrigin: Hashable, Sendable {
    public let path: String
    /// Of this file on this host: those of two hosts have the same path, and a copy goes its own way.
    public let id: String
    /// For people.
    public let host: String

    public init(path: String, id: String, host: String) { (self.path, self.id, self.host) = (path, id, host) }
}
