internal import EnergyFeeds
internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints
internal import Synchronization

/// The guidance of one venue, each iteration by itself: it starts with the present guidance.
struct GuidanceUpdates: AsyncSequence, Sendable {
    typealias Element = ElectricityGuidance
    typealias Failure = any Error

    let venueID: UUID
    let action: SuggestedAction
    let services: Result<EnergyServices, EnergyKitError>

    func makeAsyncIterator() -> AsyncThrowingStream<ElectricityGuidance, any Error>.Iterator {
        // Whoever is slow gets the newest guidance: older ones are of no use any more.
        let (stream, continuation) = AsyncThrowingStream<ElectricityGuidance, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        switch services {
        case .failure(let error): continuation.finish(throwing: error)
        case .success(let services):
            let follower = GuidanceFollower(
                venueID: venueID, action: action, services: services, continuation: continuation)
            let task = Task { await follower.run() }
            // Also when the iterator is dropped.
            continuation.onTermination = { _ in task.cancel() }
        }
        return stream.makeAsyncIterator()
    }
}

/// Moves guidance from the feed to one iteration.
private struct GuidanceFollower: Sendable {
    let venueID: UUID
    let action: SuggestedAction
    let services: EnergyServices
    let continuation: AsyncThrowingStream<ElectricityGuidance, any Error>.Continuation

    func run() async {
        let start = FirstValue()
        let deadline = services.firstGuidanceDeadlines.add { Task { await giveUp(start) } }
        let failure = await follow(start) { services.firstGuidanceDeadlines.callOff(deadline) }
        services.firstGuidanceDeadlines.callOff(deadline)
        start.settle()
        if let failure, !Task.isCancelled { end(failure) }
    }

    /// - Returns: why it ended; `nil` after cancellation.
    private func follow(_ start: FirstValue, onFirst: () -> Void) async -> EnergyError? {
        do throws(EnergyError) {
            let client = try services.client(.guidance)
            let feed = GuidanceFeed(
                venueID: venueID, action: action, client: client, subscriber: client, clock: services.clock,
                onFailure: { error, _ in
                    start.failed(error)
                    // Asking again does not move the venue to another region.
                    if start.isAwaited, error.code == .outOfRange { end(error) }
                })
            try await feed.run { guidance in
                if start.isAwaited { onFirst() }
                start.settle()
                continuation.yield(ElectricityGuidance(guidance))
            }
            return nil
        } catch { return error }
    }

    /// There is nobody, or there is somebody without guidance.
    private func giveUp(_ start: FirstValue) async {
        let isAnswering = await services.isAnswering(.guidance)
        guard !Task.isCancelled, start.isAwaited else { return }
        let last = start.lastFailure ?? EnergyError(.unavailable, "nothing answered in time")
        continuation.finish(throwing: services.report(last, isAnswering ? .guidance : .venues))
    }

    private func end(_ error: EnergyError) { continuation.finish(throwing: services.report(error, .guidance)) }
}

/// Whether the first value is still awaited, and what came in its place.
private final class FirstValue: Sendable {
    private let state = Mutex((isAwaited: true, failure: EnergyError?.none))

    var isAwaited: Bool { state.withLock { $0.isAwaited } }
    var lastFailure: EnergyError? { state.withLock { $0.failure } }
    func settle() { state.withLock { $0.isAwaited = false } }
    func failed(_ error: EnergyError) { state.withLock { $0.failure = error } }
}
