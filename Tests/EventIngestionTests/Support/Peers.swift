import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EventIngestion
import Foundation
import Synchronization

/// Knows the tokens and venues it was told, like a publisher that is always there.
final class KnownGuidance: TokenChecker, VenueChecker {
    private let tokens: Mutex<[UUID: ResolvedToken]>
    private let venues: Set<UUID>
    private let asked = Mutex(0)

    init(
        tokens: [ResolvedToken] = [.sample(), .sample(EventSamples.id(102), venueID: EventSamples.id(11))],
        venues: Set<UUID> = [EventSamples.venueID, EventSamples.id(11)]
    ) {
        self.tokens = Mutex(Dictionary(uniqueKeysWithValues: tokens.map { ($0.token, $0) }))
        self.venues = venues
    }

    var timesAskedAgain: Int { asked.withLock { $0 } }

    func resolve(_ token: UUID) async throws(EnergyError) -> ResolvedToken? { tokens.withLock { $0[token] } }
    func resolveAgain(_ token: UUID) async throws(EnergyError) -> ResolvedToken? {
        asked.withLock { $0 += 1 }
        return tokens.withLock { $0[token] }
    }
    func isVenue(_ id: UUID) async throws(EnergyError) -> Bool { venues.contains(id) }
}

extension ResolvedToken {
    static func sample(
        _ token: UUID = EventSamples.token, venueID: UUID = EventSamples.venueID, principals: [String] = ["local"]
    ) -> ResolvedToken {
        ResolvedToken(
            token: token, venueID: venueID, action: .shift, issued: EventSamples.now, principals: principals)
    }
}

/// Keeps what is published.
final class RecordingPublisher: Publisher {
    private let kept = Mutex<[(topic: String, body: [UInt8])]>([])
    let isStopped = Mutex(false)

    var publications: [(topic: String, body: [UInt8])] { kept.withLock { $0 } }

    func publish(_ topic: String, _ body: [UInt8]) throws(CallFailure) {
        if isStopped.withLock({ $0 }) { throw CallFailure(.unavailable, "stopped") }
        kept.withLock { $0.append((topic, body)) }
    }
}
