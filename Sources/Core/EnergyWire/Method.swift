public import EnergyModel

/// A value with a protobuf form: one message of `proto/energy/v1`.
public protocol WireMessage: Sendable {
    /// The message's protobuf bytes.
    func encoded() -> [UInt8]

    /// - Throws: ``EnergyError`` `.invalidInput`, naming the field, for bytes that do not parse or hold what the
    ///   message does not allow. Unknown fields are ignored, unknown enum values read as unspecified.
    init(decoding bytes: [UInt8]) throws(EnergyError)
}

/// A method that answers once.
public struct UnaryMethod<Request: WireMessage, Reply: WireMessage>: Sendable {
    /// `energy.v1.<Service>/<Method>`
    public let name: String
    /// Calling twice does what calling once does.
    public let isIdempotent: Bool
    public let bodyBytesMax: Int
    /// Its answer may take so long: who asks waits at least until then.
    public let patience: Duration
    let access: Access<Request, Reply>
    let request: RequestForm<Request>

    /// - Parameter access: has no default, so that no method is without a rule.
    init(
        _ name: String, isIdempotent: Bool, access: Access<Request, Reply>, bodyBytesMax: Int = 64 * 1024,
        patience: Duration = .zero, request: RequestForm<Request> = .itself
    ) {
        self.name = name
        self.access = access
        self.isIdempotent = isIdempotent
        self.bodyBytesMax = bodyBytesMax
        self.patience = patience
        self.request = request
    }
}

/// A method that answers with a stream.
public struct StreamMethod<Request: WireMessage, Chunk: WireMessage>: Sendable {
    public let name: String
    /// Whether asking twice is as good as asking once: it may be asked again where no chunk has come yet.
    public let isIdempotent: Bool
    public let bodyBytesMax: Int
    let access: Access<Request, Chunk>

    init(
        _ name: String, isIdempotent: Bool = true, access: Access<Request, Chunk>, bodyBytesMax: Int = 64 * 1024
    ) {
        self.name = name
        self.isIdempotent = isIdempotent
        self.access = access
        self.bodyBytesMax = bodyBytesMax
    }
}

/// How a value travels as a request: as the message that it is, or inside one of the method's own.
struct RequestForm<Request: WireMessage>: Sendable {
    let encode: @Sendable (Request) -> [UInt8]
    let decode: @Sendable ([UInt8]) throws(EnergyError) -> Request

    static var itself: RequestForm {
        RequestForm(encode: { $0.encoded() }, decode: { (bytes) throws(EnergyError) in try Request(decoding: bytes) })
    }
}

extension RequestForm<RatePlan> {
    static let put = RequestForm(
        encode: { PutRatePlanRequest(ratePlan: $0).encoded() },
        decode: { (bytes) throws(EnergyError) in try PutRatePlanRequest(decoding: bytes).ratePlan })
}

extension RequestForm<DemandResponseEvent> {
    static let put = RequestForm(
        encode: { PutDemandResponseRequest(event: $0).encoded() },
        decode: { (bytes) throws(EnergyError) in try PutDemandResponseRequest(decoding: bytes).event })
}

extension RequestForm<ManagedDevice> {
    static let put = RequestForm(
        encode: { PutDeviceRequest(device: $0).encoded() },
        decode: { (bytes) throws(EnergyError) in try PutDeviceRequest(decoding: bytes).device })
}
