/// Lets an actor's tasks through one at a time, in the order of their arrival, across suspensions.
struct TaskGate {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Returns: whether the caller is through at once; otherwise it must ``wait(_:)``.
    mutating func enter() -> Bool {
        if isTaken { return false }
        isTaken = true
        return true
    }

    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

    mutating func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
