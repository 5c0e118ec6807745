/// Lets so many at a time do something, in the order in which they come.
public actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init(_ count: Int) { free = count }

    public nonisolated func take<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await begin()
        do {
            let value = try await body()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    private func begin() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
