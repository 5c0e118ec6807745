import EnergyModel
import Foundation
import Synchronization
import Testing

@testable import Scheduling

struct PlanningQueueTests {
    @Test func `while every processor plans, everything else goes on`() async throws {
        let width = ProcessInfo.processInfo.activeProcessorCount
        let queue = PlanningQueue("test", width: width)
        // A limit, so that a fault is told and nothing hangs.
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        let isOver = Flag()
        let ends = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<width {
                group.addTask {
                    try await queue.run { () throws(EnergyError) in
                        isOver.noteBegun()
                        while !isOver.isSet, ContinuousClock.now < end {}
                        return isOver.isSet
                    }
                }
            }
            group.addTask {
                while isOver.begun < width { await Task.yield() }
                isOver.set()
                return true
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends == Array(repeating: true, count: width + 1))
    }

    @Test func `what cannot be planned is told`() async {
        let error = await #expect(throws: EnergyError.self) {
            try await PlanningQueue("test").run { () throws(EnergyError) -> Int in throw EnergyError(.conflict, "no") }
        }
        #expect(error?.message == "no")
    }
}

private final class Flag: Sendable {
    private let state = Mutex((begun: 0, isSet: false))

    var begun: Int { state.withLock(\.begun) }
    var isSet: Bool { state.withLock(\.isSet) }
    func noteBegun() { state.withLock { $0.begun += 1 } }
    func set() { state.withLock { $0.isSet = true } }
}
