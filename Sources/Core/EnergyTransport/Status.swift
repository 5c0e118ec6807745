/// gRPC's canonical codes, by their numbers.
///
/// - Source: https://grpc.io/docs/guides/status-codes/
public enum StatusCode: UInt32, Hashable, Sendable, CaseIterable {
    case ok = 0
    case cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied,
        resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, internalError, unavailable, dataLoss,
        unauthenticated
}

/// How a call ended when it did not end well. `code` is never `.ok`.
public struct CallFailure: Error, Hashable, Sendable {
    public let code: StatusCode
    /// For people; holds no secret. At most 1,024 bytes on the wire.
    public let message: String
    /// How long to wait before the next try, with `unavailable` and `resourceExhausted`.
    public let retryAfter: Duration?
    /// An encoded `energy.v1.StatusDetails`, or empty. This layer does not look inside.
    public let details: [UInt8]
    /// With `unavailable`: nothing was begun, this replica leaves it to another. Whoever knows several asks the next.
    public var isForAnother = false
    /// The request's body is no message, or nests too much: no client of the contract sends that. Stays in the process.
    package var isMalformed = false

    /// Nobody was there to be asked: nothing was sent.
    public static let noConnection = CallFailure(
        .unavailable, "the service cannot be reached", retryAfter: .seconds(1))

    /// What a replica says that follows another.
    package static let forAnother: CallFailure = {
        var failure = CallFailure(
            .unavailable,
            """
            this replica leaves that to another, and none took it: their store is away, or not all replicas are named; \
            energyctl health says which
            """,
            retryAfter: .milliseconds(500))
        failure.isForAnother = true
        return failure
    }()

    /// What a replica says that is stopping, of what it has not begun.
    static func stopping(retryAfter: Duration) -> CallFailure {
        var failure = CallFailure(.unavailable, "the service is stopping", retryAfter: retryAfter)
        failure.isForAnother = true
        return failure
    }

    public init(_ code: StatusCode, _ message: String, retryAfter: Duration? = nil, details: [UInt8] = []) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.details = details
    }
}
