public import Logging

extension Logger {
    /// Says that the store of the service is away, or is back: once each time.
    ///
    /// - Parameter reason: why it is away; `nil` when it is back.
    public func noteStore(away reason: String?) {
        guard let reason else { return notice("store back") }
        warning("store away", metadata: [ServiceKeys.reason: "\(reason)"])
    }
}
