import EnergyModel

@testable import EnergyWire

/// The first byte says which message, the others are it.
///
/// What is decoded is encoded and decoded again, and is the same.
@_cdecl("fuzz_requests")
public func fuzzRequests(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 0 else { return 0 }
    let check = Messages.checks[Int(bytes[0]) % Messages.checks.count]
    check(Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1)))
    return 0
}

private enum Messages {
    typealias Check = @Sendable ([UInt8]) -> Void

    static let checks: [Check] =
        requests + streams + [
            // What a client reads, and an insight service, from a peer that it does not have to trust.
            reply(LogPage.self), reply(LogRecord.self), reply(Guidance.self), reply(InsightPage.self),
            reply(ScheduleList.self), reply(HealthListReply.self), reply(ResolvedToken.self), reply(SignalHistory.self),
        ]

    /// In the order of ``Methods``; the corpus depends on it, so new ones come last.
    private static let requests: [Check] = [
        request(Methods.submitEvents), request(Methods.getVenue), request(Methods.putVenue),
        request(Methods.removeVenue), request(Methods.putRatePlan), request(Methods.putDemandResponse),
        request(Methods.listDemandResponse), request(Methods.cancelDemandResponse), request(Methods.getGuidance),
        request(Methods.resolveToken), request(Methods.signalHistory), request(Methods.putSignals),
        request(Methods.listDevices), request(Methods.putDevice), request(Methods.putGoal),
        request(Methods.removeDevice), request(Methods.deleteGoal), request(Methods.listSchedules),
        request(Methods.checkHealth),
        request(Methods.listVenues), request(Methods.removeRatePlan),
    ]

    private static let streams: [Check] = [reply(LogPosition.self), reply(InsightQuery.self)]

    private static func request<Request, Reply>(_ method: UnaryMethod<Request, Reply>) -> Check {
        { check($0, method.request.encode, method.request.decode) }
    }

    private static func reply<Message: WireMessage>(_ message: Message.Type) -> Check {
        { check($0, { $0.encoded() }, { (bytes) throws(EnergyError) in try Message(decoding: bytes) }) }
    }

    private static func check<Value>(
        _ bytes: [UInt8], _ encode: (Value) -> [UInt8], _ decode: ([UInt8]) throws(EnergyError) -> Value
    ) {
        guard let value = try? decode(bytes) else { return }
        let encoded = encode(value)
        do throws(EnergyError) {
            let again = encode(try decode(encoded))
            precondition(again == encoded, "decoding what was encoded gives something else")
        } catch {
            preconditionFailure("what was decoded and encoded is refused: \(error.message)")
        }
    }
}
