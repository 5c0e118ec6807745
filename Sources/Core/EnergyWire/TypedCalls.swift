public import EnergyModel
public import EnergyTransport

extension RequestClient {
    /// Calls a method of the contract.
    ///
    /// - Parameter timeout: for the whole call; `nil` is the transport's default.
    /// - Throws: the service's refusal, or `.unavailable` when it could not be reached in time.
    public func call<Request, Reply>(
        _ method: UnaryMethod<Request, Reply>, _ request: Request, timeout: Duration? = nil
    ) async throws(EnergyError) -> Reply {
        let options = CallOptions(timeout: timeout, isIdempotent: method.isIdempotent)
        let body: [UInt8]
        do { body = try await call(method.name, method.request.encode(request), options: options) } catch {
            throw EnergyError(error)
        }
        return try Reply(decoding: body)
    }

    /// Calls a streaming method and hands over each chunk; a slow `body` slows the sender.
    public func stream<Request, Chunk>(
        _ method: StreamMethod<Request, Chunk>, _ request: Request, timeout: Duration? = nil,
        _ body: (Chunk) async throws(EnergyError) -> Void
    ) async throws(EnergyError) {
        var chunks = stream(method.name, request.encoded(), options: CallOptions(timeout: timeout)).makeAsyncIterator()
        while true {
            let bytes: [UInt8]?
            do { bytes = try await chunks.next() } catch { throw EnergyError(error) }
            guard let bytes else { return }
            try await body(try Chunk(decoding: bytes))
        }
    }
}

extension MethodTable {
    /// Answers a method of the contract.
    public mutating func on<Request, Reply>(
        _ method: UnaryMethod<Request, Reply>,
        _ answer: @escaping @Sendable (Request, RequestContext) async throws(EnergyError) -> Reply
    ) {
        add(
            method.name, bodyBytesMax: method.bodyBytesMax,
            .unary { (body, context) async throws(CallFailure) in
                do throws(EnergyError) {
                    let request = try method.admit(body, context)
                    let reply = try await answer(request, context)
                    return try method.access.narrowed(reply, for: context.principal).encoded()
                } catch { throw CallFailure(error) }
            })
    }

    /// As ``on(_:_:)``, and hands over the request's bytes too, so that what is passed on need not be encoded again.
    public mutating func onEncoded<Request, Reply>(
        _ method: UnaryMethod<Request, Reply>,
        _ answer: @escaping @Sendable (Request, [UInt8], RequestContext) async throws(EnergyError) -> Reply
    ) {
        add(
            method.name, bodyBytesMax: method.bodyBytesMax,
            .unary { (body, context) async throws(CallFailure) in
                do throws(EnergyError) {
                    let request = try method.admit(body, context)
                    let reply = try await answer(request, body, context)
                    return try method.access.narrowed(reply, for: context.principal).encoded()
                } catch { throw CallFailure(error) }
            })
    }

    /// Answers a method of the contract with a stream: `write` waits until the caller has room.
    public mutating func on<Request, Chunk>(
        _ method: StreamMethod<Request, Chunk>,
        _ answer:
            @escaping @Sendable (
                Request, RequestContext, _ write: @Sendable (Chunk) async throws(EnergyError) -> Void
            ) async throws(EnergyError) -> Void
    ) {
        add(
            method.name, bodyBytesMax: method.bodyBytesMax,
            .streaming { (body, context, writer) async throws(CallFailure) in
                do throws(EnergyError) {
                    try method.access.check(context.principal)
                    let request = try Request(decoding: body)
                    try method.access.check(request, of: context.principal)
                    try await answer(request, context) { (chunk) async throws(EnergyError) in
                        do throws(CallFailure) { try await writer.write(chunk.encoded()) } catch {
                            throw EnergyError(error)
                        }
                    }
                } catch { throw CallFailure(error) }
            })
    }
}

extension UnaryMethod {
    /// What is asked, if the caller may ask it.
    fileprivate func admit(_ body: [UInt8], _ context: RequestContext) throws(EnergyError) -> Request {
        try access.check(context.principal)
        let request = try self.request.decode(body)
        try access.check(request, of: context.principal)
        return request
    }
}
