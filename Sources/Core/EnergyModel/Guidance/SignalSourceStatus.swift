/// How a source of signals is doing: what someone looks at when guidance is not made of what they expect.
public struct SignalSourceStatus: Hashable, Sendable {
    /// As in ``GuidanceBasis/source``.
    public var name: String
    public var kind: SignalKind
    /// ISO 4217, of prices; `nil` otherwise.
    public var currency: String?
    /// Guidance is made of it now.
    public var isInUse: Bool
    /// Until when its values are known: measured ones, or those the market has settled; `nil` while there are none.
    public var newestValue: Timestamp?
    /// When the source made its newest values known, if it says so.
    public var issued: Timestamp?
    public var lastSuccess: Timestamp?
    /// Why the last attempt failed; `nil` if it did not. Holds no secret.
    public var lastError: String?
    /// When it is asked next; `nil` for a source that is not polled.
    public var nextAttempt: Timestamp?
    /// How far the source's clock is ahead of ours, if that is more than a minute either way.
    public var clockSkewMilliseconds: Int64?

    public init(
        name: String, kind: SignalKind, currency: String? = nil, isInUse: Bool = false, newestValue: Timestamp? = nil,
        issued: Timestamp? = nil, lastSuccess: Timestamp? = nil, lastError: String? = nil,
        nextAttempt: Timestamp? = nil, clockSkewMilliseconds: Int64? = nil
    ) {
        self.name = name
        self.kind = kind
        self.currency = currency
        self.isInUse = isInUse
        self.newestValue = newestValue
        self.issued = issued
        self.lastSuccess = lastSuccess
        self.lastError = lastError
        self.nextAttempt = nextAttempt
        self.clockSkewMilliseconds = clockSkewMilliseconds
    }
}
