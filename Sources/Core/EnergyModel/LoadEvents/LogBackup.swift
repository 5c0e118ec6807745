/// A copy of the whole log as it was at one moment.
public struct LogBackup: Hashable, Sendable {
    /// Absolute path, on the machine of the log's owner.
    public let file: String
    public let bytes: Int

    public init(file: String, bytes: Int) {
        self.file = file
        self.bytes = bytes
    }
}
