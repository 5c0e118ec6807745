import CBCSolver
public import EnergyPlanning
import Foundation

/// Solves with CBC, and waits for its turn as long as it takes.
///
/// Tests run at the same time, CBC solves one model at a time: with ``CBCSolver`` itself a plan may be found in haste because
/// another test's model takes long.
public struct PatientSolver: PlanSolver {
    public init() {}

    public func solve(_ model: LinearModel, timeLimit: Duration) -> LinearSolution {
        CBCSolver.turn.wait()
        defer { CBCSolver.turn.signal() }
        return CBCSolver.solveAlone(model, timeLimit / .seconds(1))
    }
}

/// The time that the calling thread has worked: what a plan took does not depend on what else the machine does.
///
/// Only for what begins and ends on one thread.
public struct WorkClock: Clock {
    public struct Instant: InstantProtocol {
        fileprivate var worked: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(worked: worked + duration) }
        public func duration(to other: Instant) -> Duration { other.worked - worked }
        public static func < (left: Instant, right: Instant) -> Bool { left.worked < right.worked }
    }

    public init() {}

    public var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Instant(worked: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// A thread that sleeps does not work: it would sleep for ever.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        preconditionFailure("a WorkClock does not run while its thread sleeps")
    }
}

extension HomePlanner {
    /// One whose time limit counts its own work only.
    public static let patient = HomePlanner(solver: PatientSolver(), clock: WorkClock())
}
