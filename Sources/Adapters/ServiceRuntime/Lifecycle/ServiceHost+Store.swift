internal import Logging

extension ServiceHost {
    /// Says that the store of the service is away, or is back: once each time.
    ///
    /// - Parameters:
    ///   - reason: why it is away, for the log; `nil` when it is back.
    ///   - serves: whether the service answers all the same, once it has started.
    public func noteStore(away reason: String?, serves: Bool = false) {
        ReplicaMetrics.storeIsAway(reason != nil)
        health.storeIsAwaited(reason != nil)
        if !serves { health.storeIsAway(reason != nil) }
        if let reason {
            logger.warning("store away", metadata: [ServiceKeys.reason: "\(reason)"])
        } else {
            logger.notice("store back")
        }
    }
}
