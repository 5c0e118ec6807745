internal import EnergyTransport
internal import Foundation

/// Runs what blocks (a read, a wait for a process) on a thread of its own: the shared ones are as few as the cores, and
/// everybody else's work waits while one of them does.
///
/// - Throws: what `body` throws; `CancellationError` when the task is cancelled, for example because the test's time is
///   over. The thread is then left to itself.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let answer = OneAnswer<Value>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            answer.awaited(by: continuation)
            Thread.detachNewThread { answer.give(Result { try body() }) }
        }
    } onCancel: {
        answer.give(.failure(CancellationError()))
    }
}

/// The first answer counts, also one that comes before anybody waits.
private final class OneAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value, any Error>)
        case early(Result<Value, any Error>)
        case done
    }
    private let state = Locked(State.open)

    func awaited(by continuation: CheckedContinuation<Value, any Error>) {
        let early = state.withLock { state -> Result<Value, any Error>? in
            guard case .early(let result) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .done
            return result
        }
        if let early { continuation.resume(with: early) }
    }

    func give(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open:
                state = .early(result)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .early, .done: return nil
            }
        }
        waiting?.resume(with: result)
    }
}
