public import EnergyModel
public import EnergyTransport

// How a service's refusal travels, and what it means on arrival:
//
// | EnergyError   | status code         | read back from                                                            |
// | ------------- | ------------------- | ------------------------------------------------------------------------- |
// | invalidInput  | INVALID_ARGUMENT    | INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED                      |
// | notFound      | NOT_FOUND           | NOT_FOUND                                                                 |
// | conflict      | ABORTED             | ABORTED, ALREADY_EXISTS                                                   |
// | denied        | PERMISSION_DENIED   | PERMISSION_DENIED, UNAUTHENTICATED                                        |
// | rateLimited   | RESOURCE_EXHAUSTED  | RESOURCE_EXHAUSTED                                                        |
// | outOfRange    | OUT_OF_RANGE        | OUT_OF_RANGE                                                              |
// | unavailable   | UNAVAILABLE         | UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, UNKNOWN, INTERNAL              |
// | dataLoss      | DATA_LOSS           | DATA_LOSS                                                                 |
//
// The message, the violations (as an encoded `energy.v1.StatusDetails`) and the time to wait go along.

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
            case .ok, .cancelled, .unknown, .deadlineExceeded, .internalError, .unavailable: .unavailable
            case .dataLoss: .dataLoss
            }
        // Details that do not parse are no reason to lose the failure itself.
        let details = try? StatusDetails(decoding: failure.details)
        self.init(
            code, failure.message, violations: details?.violations ?? [],
            retryAfterMilliseconds: failure.retryAfter.map(\.wholeMilliseconds))
    }
}

extension CallFailure {
    /// How a service's refusal travels. Of many violations the first go along, as many as a header has room for.
    public init(_ error: EnergyError) {
        let code: StatusCode =
            switch error.code {
            case .invalidInput: .invalidArgument
            case .notFound: .notFound
            case .conflict: .aborted
            case .denied: .permissionDenied
            case .rateLimited: .resourceExhausted
            case .outOfRange: .outOfRange
            case .dataLoss: .dataLoss
            default: .unavailable
            }
        self.init(
            code, error.message, retryAfter: error.retryAfterMilliseconds.map { .milliseconds($0) },
            details: StatusDetails(fitting: error.violations).encoded())
        isForAnother = error.isForAnother
    }
}

extension Duration {
    /// Rounded down; at most a day, which is longer than anybody waits.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(86_400)).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
