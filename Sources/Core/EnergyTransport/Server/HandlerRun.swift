internal import Glibc

/// Handlers that one task runs, one after the other, for as long as there is time and none of them suspends: most do
/// not, and a task of its own for each would cost more than the rest of the call.
///
/// Belongs to the thread that made it. A handler that suspends takes the task along, perhaps to another thread; that one
/// looks only at ``isInline``, and the maker goes on with another run.
final class HandlerRun: @unchecked Sendable {
    private let thread = pthread_self()
    /// Written and read on `thread` alone.
    private var isLeft = false
    private let invocations: ArraySlice<ServerEngine.Invocation>
    private let isOver: () -> Bool
    private var next: Int
    private(set) var finished: [(key: ServerEngine.CallKey, result: Result<[UInt8], CallFailure>)] = []

    /// - Parameter isOver: asked before each handler but the first.
    init(_ invocations: ArraySlice<ServerEngine.Invocation>, isOver: @escaping () -> Bool) {
        self.invocations = invocations
        self.isOver = isOver
        next = invocations.startIndex
    }

    /// Whether the task that asks still runs inside its maker's call.
    var isInline: Bool { pthread_equal(thread, pthread_self()) != 0 && !isLeft }

    func takeNext() -> ServerEngine.Invocation? {
        guard next < invocations.endIndex, next == invocations.startIndex || !isOver() else { return nil }
        defer { next += 1 }
        return invocations[next]
    }

    func finish(_ key: ServerEngine.CallKey, _ result: Result<[UInt8], CallFailure>) { finished.append((key, result)) }

    /// The maker has its thread back.
    ///
    /// - Returns: the call whose handler has suspended, if one has, and what is still to be run.
    func leave() -> (suspended: ServerEngine.CallKey?, rest: ArraySlice<ServerEngine.Invocation>) {
        isLeft = true
        let isSuspended = finished.count < next - invocations.startIndex
        return (isSuspended ? invocations[next - 1].key : nil, invocations[next...])
    }
}
