import EnergyModel
import GridSignals
import Synchronization

/// Answers without a network.
final class FakeHTTP: HTTPFetching {
    typealias Answer = @Sendable (HTTPRequest) throws(EnergyError) -> HTTPResponse
    private let state: Mutex<(answer: Answer, requests: [HTTPRequest])>

    init(_ answer: @escaping Answer) { state = Mutex((answer, [])) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func say(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func send(_ request: HTTPRequest) async throws(EnergyError) -> HTTPResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        return try answer(request)
    }
}

/// A source whose answer is the interval it was asked for, one value per hour.
struct FakeSource: GridSource {
    let name = "fake:place"
    var kind = SignalKind.averageDirect
    let stepMilliseconds = Int64.millisecondsPerHour
    var polling = Polling(
        every: 15 * .millisecondsPerMinute, pause: 0, back: 35 * .millisecondsPerDay, ahead: .millisecondsPerDay,
        span: 10 * .millisecondsPerDay, overlap: 2 * .millisecondsPerHour)
    var value: @Sendable (Timestamp) -> Double? = { _ in 100 }

    func fetch(
        _ interval: Interval, now: Timestamp, from http: any HTTPFetching
    ) async throws(EnergyError) -> FetchedSignals {
        let answer = try await http.send(
            HTTPRequest("\(interval.start.unixMilliseconds)/\(interval.end.unixMilliseconds)"))
        var points: [SignalPoint] = []
        var start = interval.start
        while start < interval.end {
            let hour = Interval(start: start, milliseconds: .millisecondsPerHour)
            if let value = value(start) {
                points.append(
                    SignalPoint(interval: hour, value: value + Double(answer.status), isEstimated: hour.end > now))
            }
            start = hour.end
        }
        return FetchedSignals(points: points, issued: now)
    }
}
