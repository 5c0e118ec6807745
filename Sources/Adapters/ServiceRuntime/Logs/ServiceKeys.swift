/// Names of log metadata, so that one thing has one name in every service.
public enum ServiceKeys {
    public static let service = "service"
    public static let version = "version"
    public static let reason = "reason"
    public static let error = "error"
    public static let signal = "signal"
    public static let address = "address"
    public static let file = "file"
    /// A public one.
    public static let key = "key"
    /// Whom the transport has authenticated.
    public static let principal = "principal"
    public static let loop = "loop"
    public static let milliseconds = "ms"
    public static let venue = "venue"
    public static let device = "device"
    public static let method = "method"
    public static let status = "status"
    public static let count = "count"
    /// Times that something was lost, beside ``count`` of what was lost.
    public static let losses = "losses"
    public static let trace = "trace"
    /// Of the audit log: the number of its newest line and its hash.
    public static let head = "head"
}
