public import EnergyModel
public import EnergyTransport
internal import EnergyWire
public import Foundation

/// Follows the guidance of one venue and action: the present one as soon as the publisher is there, then each new one.
///
/// It survives the publisher: after a reconnection, and after anything missed, it asks for the present guidance. The
/// newest wins: a guidance issued before one that was handed over is dropped. Cancelling the task frees everything.
public struct GuidanceFeed: Sendable {
    private let feed: DocumentFeed<Guidance>

    /// - Parameters:
    ///   - client: to the guidance-publisher.
    ///   - subscriber: to its publications.
    ///   - clock: for the waits after failures only.
    ///   - onFailure: told of each failure and of the wait that follows; for logs and health.
    public init(
        venueID: UUID, action: SuggestedAction, client: any RequestClient, subscriber: any Subscriber,
        clock: any Clock<Duration>, backoff: Backoff = Backoff(),
        onFailure: @escaping @Sendable (EnergyError, _ nextTryIn: Duration) -> Void = { _, _ in }
    ) {
        feed = DocumentFeed(
            topic: Topics.guidance(venueID: venueID, action: action), subscriber: subscriber, clock: clock,
            backoff: backoff, onFailure: onFailure,
            snapshot: { () async throws(EnergyError) in
                try await client.call(Methods.getGuidance, GuidanceRequest(venueID: venueID, action: action))
            },
            decode: { (bytes) throws(EnergyError) in try Guidance(decoding: bytes) },
            isNewer: { $0.issued > $1.issued || $0.issued == $1.issued && $0.token != $1.token })
    }

    /// Hands over guidance until the task is cancelled. While `handle` is busy, newer guidance replaces older.
    ///
    /// - Throws: ``EnergyError`` `notFound`, `denied` or `invalidInput` when the publisher refuses to give guidance for
    ///   this venue. Everything else is tried again, for ever.
    public func run(_ handle: (Guidance) async -> Void) async throws(EnergyError) { try await feed.run(handle) }
}
