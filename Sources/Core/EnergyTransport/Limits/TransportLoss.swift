/// Something that a server had to give up. It is counted in ``TransportStatistics``, too; this is for the log.
public struct TransportLoss: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A peer sends requests and does not read its replies: told once a minute.
        case unread
        /// A peer was gone when its reply was ready. Common: callers give up, or end.
        case gone
        /// A subscriber does not keep up. Its gap tells it what to fetch.
        case publication
    }

    public let kind: Kind
    /// Frames given up in this moment; further ones are only counted.
    public let frameCount: Int
    /// The principal that does not read, where it is known.
    public let name: String?

    public init(_ kind: Kind, frameCount: Int, name: String? = nil) {
        self.kind = kind
        self.frameCount = frameCount
        self.name = name
    }
}
