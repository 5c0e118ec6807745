internal import Dispatch
internal import EnergyModel

/// Works on plans one after the other, away from the threads that everything else shares: a plan may take seconds.
struct PlanningQueue: Sendable {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EnergyError) -> Value
    ) async throws(EnergyError) -> Value {
        let result: Result<Value, EnergyError> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(EnergyError) { continuation.resume(returning: .success(try body())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
