internal import Dispatch
internal import EnergyModel
internal import Foundation
internal import Metrics
internal import Synchronization

/// What the schedulers of a process work on, each kind in a queue of its own.
public struct PlanningQueues: Sendable {
    /// As many venues at a time as there are processors.
    let planning = PlanningQueue("planning", width: ProcessInfo.processInfo.activeProcessorCount)
    /// Who looks at what a goal would do does not wait for a plan that takes long.
    let previews = PlanningQueue("previews")
    /// To look longer for a better plan keeps no other from being made.
    let improvements = PlanningQueue("improvements")
    let waiting = WaitingVenues()

    public init() {}
}

/// How many venues wait to be planned, for whoever decides how many schedulers there should be.
final class WaitingVenues: Sendable {
    private let count = Mutex(0)
    private let meter = Meter(label: "gridtide_scheduler_venues_waiting")

    init() { meter.set(0) }

    func add(_ change: Int) {
        // Under the lock, or the one who counted first could be the last to say so.
        count.withLock { count in
            count += change
            meter.set(count)
        }
    }
}

/// Works on plans away from the threads that everything else shares: a plan may take seconds, and there are no more such
/// threads than processors.
struct PlanningQueue: Sendable {
    private let lanes: Lanes

    /// - Parameter width: how many it works on at a time.
    init(_ label: String, width: Int = 1) { lanes = Lanes(label, count: width) }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EnergyError) -> Value
    ) async throws(EnergyError) -> Value {
        let result: Result<Value, EnergyError> = await withCheckedContinuation { continuation in
            lanes.add {
                do throws(EnergyError) { continuation.resume(returning: .success(try body())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}

/// Serial queues, each of which has a thread of its own while it works: an `OperationQueue` would take those of all tasks.
private final class Lanes: Sendable {
    private struct State {
        /// In the order they came.
        var jobs: [@Sendable () -> Void] = []
        var idle: [DispatchQueue]
    }
    private let state: Mutex<State>

    init(_ label: String, count: Int) {
        state = Mutex(State(idle: (0..<max(1, count)).map { DispatchQueue(label: "\(label) \($0)") }))
    }

    func add(_ job: @escaping @Sendable () -> Void) {
        let lane = state.withLock { state in
            state.jobs.append(job)
            return state.idle.popLast()
        }
        guard let lane else { return }
        lane.async { self.work(on: lane) }
    }

    private func work(on lane: DispatchQueue) {
        while let job = takeJob(for: lane) { job() }
    }

    /// - Returns: `nil` when there is none: then the lane is idle.
    private func takeJob(for lane: DispatchQueue) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
            state.idle.append(lane)
            return nil
        }
    }
}
