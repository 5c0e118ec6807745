import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Synchronization

/// A guidance publisher at the other end of a line that can break, and be slow.
final class ScriptedGuidanceClient: RequestClient {
    private struct State {
        var tokens: [UUID: ResolvedToken] = [:]
        var venues: Set<UUID> = []
        var failure: CallFailure?
        var calls: [String] = []
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    init(tokens: [ResolvedToken] = [.sample()], venues: Set<UUID> = [EventSamples.venueID]) {
        state.withLock { state in
            state.tokens = Dictionary(uniqueKeysWithValues: tokens.map { ($0.token, $0) })
            state.venues = venues
        }
    }

    var calls: Int { state.withLock { $0.calls.count } }

    func issue(_ token: ResolvedToken) { state.withLock { $0.tokens[token.token] = token } }

    func remove(venue id: UUID) { state.withLock { _ = $0.venues.remove(id) } }

    func fail(with failure: CallFailure?) { state.withLock { $0.failure = failure } }

    /// Calls wait until they are let go.
    func hold() { state.withLock { $0.isHeld = true } }

    func letGo() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func call(_ method: String, _ body: [UInt8], options: CallOptions) async throws(CallFailure) -> [UInt8] {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                state.calls.append(method)
                if state.isHeld { state.held.append(continuation) }
                return !state.isHeld
            }
            if goesOn { continuation.resume() }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        do throws(EnergyError) { return try answer(method, body) } catch { throw CallFailure(error) }
    }

    private func answer(_ method: String, _ body: [UInt8]) throws(EnergyError) -> [UInt8] {
        if method == Methods.resolveToken.name {
            let token = try TokenReference(decoding: body).token
            if let resolved = state.withLock({ $0.tokens[token] }) { return resolved.encoded() }
        } else if case .id(let id) = try VenueReference(decoding: body), state.withLock({ $0.venues.contains(id) }) {
            let venue = Venue(id: id, name: "Home", timeZone: .gmt, region: "CISO", changed: EventSamples.now)
            return venue.encoded()
        }
        throw EnergyError(.notFound, "unknown")
    }

    func stream(_ method: String, _ body: [UInt8], options: CallOptions) -> ReplyStream {
        ReplyStream { ReplyStream.AsyncIterator { () async throws(CallFailure) in nil } }
    }
}
