public import EnergyModel
public import EnergyTransport
internal import Foundation

extension RequestClient {
    /// Calls a method of the contract.
    ///
    /// - Parameter timeout: for the whole call; `nil` is the transport's default.
    /// - Throws: the service's refusal, or `.unavailable` when it could not be reached in time.
    public func call<Request, Reply>(
        _ method: UnaryMethod<Request, Reply>, _ request: Request, timeout: Duration? = nil
    ) async throws(EnergyError) -> Reply {
        let options = CallOptions(
            timeout: timeout, isIdempotent: method.isIdempotent, affinity: method.access.affinity(of: request))
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
        let options = CallOptions(
            timeout: timeout, isIdempotent: method.isIdempotent, affinity: method.access.affinity(of: request))
        var chunks = stream(method.name, request.encoded(), options: options).makeAsyncIterator()
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
        onEncoded(method) { (request, _, context) async throws(EnergyError) in try await answer(request, context) }
    }

    /// As ``on(_:_:)``, and hands over the request's bytes too, so that what is passed on need not be encoded again.
    public mutating func onEncoded<Request, Reply>(
        _ method: UnaryMethod<Request, Reply>,
        _ answer: @escaping @Sendable (Request, [UInt8], RequestContext) async throws(EnergyError) -> Reply
    ) {
        let gate = Gate(
            method: method.name, access: method.access, leaves: leaves, decode: method.request.decode,
            trail: method.access.audit == .none ? nil : trail)
        add(
            method.name, bodyBytesMax: method.bodyBytesMax, audit: method.access.audit,
            .unary { (body, context) async throws(CallFailure) in
                try await gate.pass(body, context) { (request) async throws(EnergyError) in
                    // Before whoever asked gives up: that it cannot be stored now is worth knowing, and another replica may.
                    let deadline = ContinuousClock.now.advanced(by: context.timeout * 0.7)
                    let reply = try await RequestDeadline.with(deadline) { () async throws(EnergyError) in
                        try await answer(request, body, context)
                    }
                    return try gate.access.narrowed(reply, for: context.principal).encoded()
                }
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
        let gate = Gate(
            method: method.name, access: method.access, leaves: leaves,
            decode: { (bytes) throws(EnergyError) in try Request(decoding: bytes) },
            trail: method.access.audit == .none ? nil : trail)
        add(
            method.name, bodyBytesMax: method.bodyBytesMax, audit: method.access.audit,
            .streaming { (body, context, writer) async throws(CallFailure) in
                try await gate.pass(body, context) { (request) async throws(EnergyError) in
                    try await answer(request, context) { (chunk) async throws(EnergyError) in
                        do throws(CallFailure) { try await writer.write(chunk.encoded()) } catch {
                            throw EnergyError(error)
                        }
                    }
                }
            })
    }
}

/// Stands before every handler: what is asked, whether the caller may ask it, and that it is written down.
private struct Gate<Request: Sendable, Reply: Sendable>: Sendable {
    let method: String
    let access: Access<Request, Reply>
    let leaves: (@Sendable (_ affinity: [UInt8]) async -> Bool)?
    let decode: @Sendable ([UInt8]) throws(EnergyError) -> Request
    /// `nil` where nothing of the method is written down.
    let trail: (any AuditTrail)?

    func pass<Answer: Sendable>(
        _ body: [UInt8], _ context: RequestContext, _ answer: (Request) async throws(EnergyError) -> Answer
    ) async throws(CallFailure) -> Answer {
        guard let trail else {
            let request = try read(body, of: context.principal)
            do throws(EnergyError) { try access.check(request, of: context.principal) } catch {
                throw CallFailure(error)
            }
            try await leave(request)
            do throws(EnergyError) { return try await answer(request) } catch { throw CallFailure(error) }
        }
        return try await pass(body, context, trail, answer)
    }

    private func pass<Answer: Sendable>(
        _ body: [UInt8], _ context: RequestContext, _ trail: any AuditTrail,
        _ answer: (Request) async throws(EnergyError) -> Answer
    ) async throws(CallFailure) -> Answer {
        var venues: [UUID]?
        let request: Request
        do throws(CallFailure) {
            request = try read(body, of: context.principal)
            venues = access.venues(of: request)
            do throws(EnergyError) { try access.check(request, of: context.principal) } catch {
                throw CallFailure(error)
            }
        } catch {
            await trail.note(action(context, venues), error)
            throw error
        }
        try await leave(request)
        let action = action(context, venues)
        guard access.audit == .changing else {
            await trail.note(action, nil)
            do throws(EnergyError) { return try await answer(request) } catch { throw CallFailure(error) }
        }
        let number = try await trail.begin(action)
        do throws(EnergyError) {
            let answer = try await answer(request)
            await trail.end(number, action, nil)
            return answer
        } catch {
            let failure = CallFailure(error)
            await trail.end(number, action, failure)
            throw failure
        }
    }

    private func leave(_ request: Request) async throws(CallFailure) {
        let affinity = access.affinity(of: request)
        if let leaves, !affinity.isEmpty, await leaves(affinity) { throw .forAnother }
    }

    private func read(_ body: [UInt8], of principal: Principal) throws(CallFailure) -> Request {
        do throws(EnergyError) { try access.check(principal) } catch { throw CallFailure(error) }
        do throws(EnergyError) { return try decode(body) } catch {
            var failure = CallFailure(error)
            // Where a field is named, the message was read, and somebody only erred.
            failure.isMalformed = error.code == .invalidInput && error.violations.isEmpty
            throw failure
        }
    }

    private func action(_ context: RequestContext, _ venues: [UUID]?) -> AuditedAction {
        AuditedAction(principal: context.principal.name, method: method, venues: venues)
    }
}
