@testable import EnergyTransport

/// The frames of a peer, one after the other, each after two bytes of length: parsed, and handed to a server's engine.
///
/// What parses is written and parsed again, and is the same.
@_cdecl("fuzz_envelope")
public func fuzzEnvelope(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    var source = ByteSource(UnsafeRawBufferPointer(start: bytes, count: count))
    var engine = ServerEngine(methods: Envelope.methods, limits: ServerLimits())
    var now = MonotonicTime(nanoseconds: 0)
    while !source.isEmpty {
        let frame = source.bytes(Int(source.uint16()))
        Envelope.checkRoundTrip(frame)
        if let invocation = engine.receive(frame, from: UInt64(source.byte() % 3), at: now) {
            switch source.byte() % 4 {
            case 0: break
            case 1: engine.finish(invocation.key, .failure(CallFailure(.invalidArgument, "refused")))
            case 2: _ = engine.write([1, 2, 3], to: invocation.key, ticket: 1)
            default: engine.finish(invocation.key, .success([1]))
            }
        }
        now = now.advanced(by: .milliseconds(Int64(source.byte()) * 100))
        _ = engine.tick(at: now)
        for (_, frame) in engine.outgoing {
            frame.encoded.withUnsafeBytes { Envelope.checkRoundTrip($0) }
        }
        engine.outgoing = []
        engine.actions = []
    }
    return 0
}

private enum Envelope {
    static let methods: MethodTable = {
        var methods = MethodTable()
        methods.add("Test/Echo", .unary { (body, _) async throws(CallFailure) in body })
        methods.add("Test/Stream", .streaming { (_, _, _) async throws(CallFailure) in })
        return methods
    }()

    static func checkRoundTrip(_ bytes: UnsafeRawBufferPointer) {
        guard case .frame(let header, let body) = Frame.parse(bytes) else { return }
        // Whoever sends may write a header in more bytes than it needs.
        let first = Frame(header, body: Array(body)).encoded
        precondition(first.count <= bytes.count, "the frame grew")
        first.withUnsafeBytes { written in
            guard case .frame(let sameHeader, let sameBody) = Frame.parse(written) else {
                preconditionFailure("what was parsed and written does not parse")
            }
            // Compared as bytes: a header that was told a field and then its default is another value in memory.
            precondition(Frame(sameHeader, body: Array(sameBody)).encoded == first, "it does not parse to the same")
        }
    }
}
