internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire

// What a service's answer means in EnergyKit's terms, by what was asked. The first column is what travels; EnergyWire
// reads the codes of one line alike.
//
// | status code                                       | venues             | guidance            | submission         | insights           |
// | ------------------------------------------------- | ------------------ | ------------------- | ------------------ | ------------------ |
// | INVALID_ARGUMENT FAILED_PRECONDITION              | venueUnavailable   | guidanceUnavailable | invalidLoadEvent   | venueUnavailable   |
// | UNIMPLEMENTED                                     |                    |                     |                    |                    |
// | NOT_FOUND                                         | venueUnavailable   | venueUnavailable    | invalidLoadEvent   | venueUnavailable   |
// | ABORTED ALREADY_EXISTS                            | serviceUnavailable | guidanceUnavailable | invalidLoadEvent   | inProgress         |
// | PERMISSION_DENIED UNAUTHENTICATED                 | permissionDenied   | permissionDenied    | permissionDenied   | permissionDenied   |
// | RESOURCE_EXHAUSTED                                | rateLimitExceeded  | rateLimitExceeded   | rateLimitExceeded  | rateLimitExceeded  |
// | OUT_OF_RANGE                                      | venueUnavailable   | unsupportedRegion   | invalidLoadEvent   | serviceUnavailable |
// | UNAVAILABLE DEADLINE_EXCEEDED CANCELLED UNKNOWN   | serviceUnavailable | guidanceUnavailable | serviceUnavailable | serviceUnavailable |
// | INTERNAL DATA_LOSS                                |                    |                     |                    |                    |
//
// A guidance-publisher that does not answer at all is serviceUnavailable, also to who asks for guidance: see
// ``GuidanceUpdates``. inProgress is mostly said before anything is sent. locationServicesDenied has no status code.

/// What was asked.
enum EnergyOperation: CaseIterable {
    case venues, guidance, submission, insights
}

extension EnergyKitError {
    init(_ failure: CallFailure, during operation: EnergyOperation) {
        self.init(EnergyError(failure), during: operation)
    }

    init(_ error: EnergyError, during operation: EnergyOperation) {
        switch error.code {
        case .denied: self = .permissionDenied
        case .rateLimited: self = .rateLimitExceeded
        case .notFound: self = operation == .submission ? .invalidLoadEvent : .venueUnavailable
        case .invalidInput: self = operation.refusal
        case .conflict:
            self =
                switch operation {
                case .venues: .serviceUnavailable
                case .guidance: .guidanceUnavailable
                case .submission: .invalidLoadEvent
                case .insights: .inProgress
                }
        case .outOfRange:
            self =
                switch operation {
                case .venues: .venueUnavailable
                case .guidance: .unsupportedRegion
                case .submission: .invalidLoadEvent
                case .insights: .serviceUnavailable
                }
        default: self = operation == .guidance ? .guidanceUnavailable : .serviceUnavailable
        }
    }

    /// The other way: what a service answers that stands for this error, `nil` when none does.
    func status(during operation: EnergyOperation) -> StatusCode? {
        let codes: [StatusCode] = [
            .notFound, .unavailable, .invalidArgument, .permissionDenied, .resourceExhausted, .outOfRange, .aborted,
        ]
        return codes.first { EnergyKitError(CallFailure($0, ""), during: operation) == self }
    }
}

extension EnergyOperation {
    fileprivate var refusal: EnergyKitError {
        switch self {
        case .venues, .insights: .venueUnavailable
        case .guidance: .guidanceUnavailable
        case .submission: .invalidLoadEvent
        }
    }
}
