import EnergyTestSupport
import EnergyTransport
import Testing

/// One promise of a transport, kept by every one of them.
struct TransportCase: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (any TransportUnderTest) async throws -> Void
    var testDescription: String { name }

    init(_ name: String, _ run: @escaping @Sendable (any TransportUnderTest) async throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// What every transport promises.
enum TransportConformance {
    static let cases = unaryCases + deadlineCases + streamCases + limitCases + lifecycleCases + publishCases
}

extension TransportUnderTest {
    func startServer(
        epoch: UInt64 = 1, limits: ServerLimits = .init(), _ add: (inout MethodTable) -> Void = { _ in }
    ) async throws -> any ServerUnderTest {
        var methods = MethodTable()
        add(&methods)
        return try await startServer(methods, epoch: epoch, limits: limits)
    }

    func makeClient() async throws -> any ClientUnderTest { try await makeClient(limits: ClientLimits()) }
}

extension MethodTable {
    mutating func unary(_ name: String, bodyBytesMax: Int = 1024 * 1024, _ handler: @escaping Unary) {
        add(name, bodyBytesMax: bodyBytesMax, .unary(handler))
    }

    mutating func stream(_ name: String, _ handler: @escaping Streaming) { add(name, .streaming(handler)) }

    mutating func echo() { unary("Test/Echo") { (body, _) async throws(CallFailure) in body } }

    /// Answers when its task is cancelled, and says so.
    mutating func untilCancelled(_ cancelled: TestEvent, started: TestEvent = TestEvent()) {
        unary("Test/Wait") { (_, _) async throws(CallFailure) in
            started.happen()
            await TestEvent.cancellation()
            cancelled.happen()
            return []
        }
    }
}

extension RequestClient {
    func call(_ method: String, _ body: [UInt8] = [], timeout: Duration? = nil) async throws(CallFailure) -> [UInt8] {
        try await call(method, body, options: CallOptions(timeout: timeout))
    }

    /// The failure of a call that must fail.
    func failure(
        of method: String, _ body: [UInt8] = [], options: CallOptions = CallOptions(),
        at location: SourceLocation = #_sourceLocation
    ) async -> CallFailure {
        do throws(CallFailure) {
            _ = try await call(method, body, options: options)
            Issue.record("\(method) did not fail", sourceLocation: location)
            return CallFailure(.ok, "")
        } catch {
            return error
        }
    }
}

/// The bytes of a number, so that bodies can be told apart.
func bytes(_ number: Int, count: Int = 8) -> [UInt8] {
    var bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { [UInt8]($0) }
    while bytes.count < count { bytes.append(UInt8(truncatingIfNeeded: bytes.count &* 31 &+ number)) }
    return bytes
}
