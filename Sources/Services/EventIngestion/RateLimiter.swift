internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import Synchronization

/// Bounds how many events each principal, and each venue, may submit: one that sends too much must not keep the others
/// from being heard.
final class RateLimiter: Sendable {
    private struct State {
        var principals: BoundedCache<String, TokenBucket>
        var venues: BoundedCache<UUID, TokenBucket>
    }

    private let limits: IngestLimits
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameter elapsed: the time since some moment, by a clock that never goes back.
    init(limits: IngestLimits, elapsed: @escaping @Sendable () -> Duration) {
        self.limits = limits
        self.elapsed = elapsed
        // Who is forgotten begins with a full bucket: a sender of very many venues is held by its own.
        state = Mutex(State(principals: BoundedCache(countMax: 10_000), venues: BoundedCache(countMax: 100_000)))
    }

    /// Takes the batch's events from every bucket that they fall under, or from none.
    ///
    /// - Throws: `.rateLimited` with the time after which the same batch would be taken.
    func take(_ batch: EventBatch, principal: String) throws(EnergyError) {
        let counts = counts(batch)
        let now = elapsed()
        let (wait, venueID) = state.withLock { state -> (Duration, UUID?) in
            var sender = state.principals.value(principal) ?? TokenBucket(limits.perPrincipal, at: now)
            sender.fill(limits.perPrincipal, at: now)
            var wait = sender.wait(for: batch.events.count, limits.perPrincipal)
            // The venue that one has to wait for; `nil` is the sender.
            var limited: UUID?
            var buckets: [(id: UUID, bucket: TokenBucket, count: Int)] = []
            for (id, count) in counts {
                var bucket = state.venues.value(id) ?? TokenBucket(limits.perVenue, at: now)
                bucket.fill(limits.perVenue, at: now)
                let venueWait = bucket.wait(for: count, limits.perVenue)
                if venueWait > wait { (wait, limited) = (venueWait, id) }
                buckets.append((id, bucket, count))
            }
            if wait == .zero {
                sender.take(batch.events.count)
                for index in buckets.indices { buckets[index].bucket.take(buckets[index].count) }
            }
            state.principals.set(principal, sender)
            for (id, bucket, _) in buckets { state.venues.set(id, bucket) }
            return (wait, limited)
        }
        guard wait > .zero else { return }
        let limit =
            if let venueID {
                "the venue \(venueID.uuidString.lowercased()) takes \(limits.perVenue.eventsPerSecond)"
            } else {
                "the sender \(principal) may submit \(limits.perPrincipal.eventsPerSecond)"
            }
        throw EnergyError(
            .rateLimited, "\(limit) events a second, and its reserve is used up",
            retryAfterMilliseconds: max(1, wait.components.seconds * 1_000 + wait.milliseconds))
    }

    /// Mostly a batch is of one venue.
    private func counts(_ batch: EventBatch) -> [(id: UUID, count: Int)] {
        guard let first = batch.events.first?.venueID else { return [] }
        if batch.events.allSatisfy({ $0.venueID == first }) { return [(first, batch.events.count)] }
        return batch.events.groupedInOrder(by: \.venueID).map { ($0.key, $0.elements.count) }
    }
}

extension Duration {
    /// Of the second that is not full, rounded up.
    fileprivate var milliseconds: Int64 { (components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000 }
}
