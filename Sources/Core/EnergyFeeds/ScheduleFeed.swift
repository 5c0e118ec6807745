public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Foundation

/// Follows the schedule of one device: the present one as soon as the scheduler is there, then each new one.
public struct ScheduleFeed: Sendable {
    private let feed: DocumentFeed<Schedule>

    /// - Parameters:
    ///   - client: to the scheduler.
    ///   - subscriber: to its publications.
    ///   - clock: for the waits after failures only.
    ///   - onFailure: told of each failure and of the wait that follows; for logs and health.
    public init(
        venueID: UUID, deviceID: String, client: any RequestClient, subscriber: any Subscriber,
        clock: any Clock<Duration>, backoff: Backoff = Backoff(),
        onFailure: @escaping @Sendable (EnergyError, _ nextTryIn: Duration) -> Void = { _, _ in }
    ) {
        feed = DocumentFeed(
            topic: Topics.schedule(venueID: venueID, deviceID: deviceID), subscriber: subscriber, clock: clock,
            backoff: backoff, onFailure: onFailure,
            snapshot: { () async throws(EnergyError) in
                let filter = ScheduleFilter(venueID: venueID, deviceID: deviceID)
                return try await client.call(Methods.listSchedules, filter).schedules.first
            },
            decode: { (bytes) throws(EnergyError) in try Schedule(decoding: bytes) },
            // By time first: a scheduler that lost its store counts revisions from 1 again.
            isNewer: { ($0.planned, $0.revision) > ($1.planned, $1.revision) })
    }

    /// Hands over schedules until the task is cancelled. While `handle` is busy, newer ones replace older.
    ///
    /// - Throws: ``EnergyError`` `notFound`, `denied` or `invalidInput` when the scheduler refuses to answer.
    public func run(_ handle: (Schedule) async -> Void) async throws(EnergyError) { try await feed.run(handle) }
}
