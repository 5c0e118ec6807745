/// Somebody whose requests a server does not carry out, for its log.
package struct RefusedCaller: Hashable, Sendable {
    package enum Reason: Sendable {
        /// What was asked for is not allowed.
        case denied
        /// A request that is too large, too many of them, or of somebody who does not read the replies.
        case excessive
        /// A body that is no message.
        case malformed

        /// - Returns: `nil` for refusals that are no sign of abuse.
        init?(_ failure: CallFailure) {
            if failure.isMalformed {
                self = .malformed
            } else if failure.code == .permissionDenied {
                self = .denied
            } else if failure.code == .resourceExhausted {
                self = .excessive
            } else {
                return nil
            }
        }
    }

    package let name: String
    package let reason: Reason
}
