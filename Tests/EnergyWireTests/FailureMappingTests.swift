import EnergyModel
import EnergyTransport
import Testing

@testable import EnergyWire

@Suite struct `A refusal means the same on both ends` {
    private static let pairs: [(EnergyError.Code, StatusCode)] = [
        (.invalidInput, .invalidArgument), (.notFound, .notFound), (.conflict, .aborted),
        (.denied, .permissionDenied), (.rateLimited, .resourceExhausted), (.outOfRange, .outOfRange),
        (.unavailable, .unavailable),
    ]

    @Test(arguments: pairs) func `an error travels as its code, and comes back whole`(
        code: EnergyError.Code, status: StatusCode
    ) {
        let error = EnergyError(
            code, "no such thing",
            violations: [
                RuleViolation(index: 0, field: "device.id", rule: "must be short", value: "é"),
                RuleViolation(field: "action", rule: "must be present", value: "absent"),
            ],
            retryAfterMilliseconds: 1_500)
        let failure = CallFailure(error)
        #expect(failure.code == status)
        #expect(failure.retryAfter == .milliseconds(1_500))
        #expect(EnergyError(failure) == error)
    }

    @Test(arguments: StatusCode.allCases) func `every status code has a meaning`(status: StatusCode) {
        let expected: EnergyError.Code =
            switch status {
            case .invalidArgument, .failedPrecondition, .unimplemented: .invalidInput
            case .notFound: .notFound
            case .aborted, .alreadyExists: .conflict
            case .permissionDenied, .unauthenticated: .denied
            case .resourceExhausted: .rateLimited
            case .outOfRange: .outOfRange
            case .ok, .cancelled, .unknown, .deadlineExceeded, .internalError, .unavailable: .unavailable
            case .dataLoss: .dataLoss
            }
        let error = EnergyError(CallFailure(status, "why"))
        #expect(error == EnergyError(expected, "why"))
    }

    @Test func `an error without violations has no details`() {
        #expect(CallFailure(EnergyError(.notFound, "no")).details.isEmpty)
    }

    @Test func `details that do not parse are left out`() {
        let error = EnergyError(CallFailure(.invalidArgument, "why", details: [0xff, 0xff]))
        #expect(error == EnergyError(.invalidInput, "why"))
    }

    @Test func `of many violations the first fit into a header`() throws {
        let long = RuleViolation(
            index: 7, field: "device.name", rule: "must be short", value: String(repeating: "€", count: 100_000))
        for count in [1, 5, 1_000] {
            let failure = CallFailure(
                EnergyError(.invalidInput, "many", violations: Array(repeating: long, count: count)))
            let violations = EnergyError(failure).violations
            #expect(failure.details.count <= StatusDetails.bytesMax)
            #expect(1...count ~= violations.count)
            #expect(violations.allSatisfy { $0.index == 7 && $0.value.hasPrefix("€€€") })
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-5)]) func `no time to wait is absurd`(wait: Duration)
        throws
    {
        let error = EnergyError(CallFailure(.unavailable, "later", retryAfter: wait))
        #expect(0...86_400_000 ~= (try #require(error.retryAfterMilliseconds)))
    }
}
