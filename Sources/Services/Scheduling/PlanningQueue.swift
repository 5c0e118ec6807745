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

/// Works on plans away from the threads that everything else shares: a plan may take seconds.
struct PlanningQueue: Sendable {
    private let queue = OperationQueue()

    /// - Parameter width: how many it works on at a time.
    init(_ label: String, width: Int = 1) {
        queue.name = label
        queue.maxConcurrentOperationCount = width
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EnergyError) -> Value
    ) async throws(EnergyError) -> Value {
        let result: Result<Value, EnergyError> = await withCheckedContinuation { continuation in
            queue.addOperation {
                do throws(EnergyError) { continuation.resume(returning: .success(try body())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
