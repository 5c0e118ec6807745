public import EnergyModel
public import EnergyTransport

extension EnergyError {
    /// What a failed call means to the caller.
    public init(_ failure: CallFailure) {
        let code: Code =
            switch failure.code {
            case .invalidArgument, .failedPrecondition, .unimplemented: .invalidInput
            case .notFound: .notFound
            case .alreadyExists, .aborted: .conflict
            case .permissionDenied, .unauthenticated: .denied
            case .resourceExhausted: .rateLimited
            case .outOfRange: .outOfRange
            case .ok, .cancelled, .unknown, .deadlineExceeded, .internalError, .unavailable, .dataLoss: .unavailable
            }
        self.init(
            code, failure.message, violations: [],
            retryAfterMilliseconds: failure.retryAfter.map {
                $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000
            })
    }
}

extension CallFailure {
    /// How a service's refusal travels.
    public init(_ error: EnergyError) {
        let code: StatusCode =
            switch error.code {
            case .invalidInput: .invalidArgument
            case .notFound: .notFound
            case .conflict: .aborted
            case .denied: .permissionDenied
            case .rateLimited: .resourceExhausted
            case .outOfRange: .outOfRange
            default: .unavailable
            }
        self.init(code, error.message, retryAfter: error.retryAfterMilliseconds.map { .milliseconds($0) })
    }
}
