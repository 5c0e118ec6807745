public import EnergyModel
public import EnergyStore
public import EnergyTransport
internal import EnergyWire
public import Foundation
internal import Synchronization

/// Asks the guidance publisher about tokens and venues, and remembers what exists.
///
/// What does not exist is not remembered: it may exist a moment later. While the publisher is away, what is remembered
/// is still good, also what was before a restart. Questions about the same thing at the same time are asked once.
public final class GuidanceDirectory: TokenChecker, VenueChecker {
    private typealias TokenQuestion = Task<Result<ResolvedToken?, EnergyError>, Never>

    private struct State {
        var tokens: BoundedCache<UUID, ResolvedToken>
        var venues: BoundedCache<UUID, Bool>
        var tokenQuestions: [UUID: TokenQuestion] = [:]
        var venueQuestions: [UUID: Task<Result<Bool, EnergyError>, Never>] = [:]
    }

    private let client: any RequestClient
    private let store: (any KnownTokenStore)?
    private let timeout: Duration
    private let memory: Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - client: to the guidance publisher.
    ///   - store: keeps known tokens and venues over a restart; `nil` keeps them in memory only.
    ///   - countMax: of the tokens, and of the venues, remembered in memory.
    ///   - timeout: of one question.
    ///   - memory: how long what is erased by another ingestor of the same store may be remembered, where this is ``run(clock:)``.
    public init(
        client: any RequestClient, store: (any KnownTokenStore)? = nil, countMax: Int = 20_000,
        timeout: Duration = .seconds(2), memory: Duration = .seconds(60)
    ) {
        self.client = client
        self.store = store
        self.timeout = timeout
        self.memory = memory
        state = Mutex(State(tokens: BoundedCache(countMax: countMax), venues: BoundedCache(countMax: countMax)))
    }

    /// Forgets, again and again until the task is cancelled, what it remembers in memory: the store and the publisher know what
    /// was erased since.
    public func run(clock: any Clock<Duration>) async {
        while !Task.isCancelled {
            try? await clock.sleep(for: memory)
            state.withLock { state in
                state.tokens.remove { _, _ in true }
                state.venues.remove { _, _ in true }
            }
        }
    }

    public func resolve(_ token: UUID) async throws(EnergyError) -> ResolvedToken? {
        if let known = state.withLock({ $0.tokens.value(token) }) { return known }
        if let stored = try? await store?.knownToken(token) {
            state.withLock { $0.tokens.set(token, stored) }
            return stored
        }
        let (known, question) = state.withLock { state -> (ResolvedToken?, TokenQuestion?) in
            // The answer may have come since the first look.
            if let known = state.tokens.value(token) { return (known, nil) }
            return (nil, self.question(token, &state))
        }
        return try await question?.value.get() ?? known
    }

    public func resolveAgain(_ token: UUID) async throws(EnergyError) -> ResolvedToken? {
        try await state.withLock { question(token, &$0) }.value.get()
    }

    public func isVenue(_ id: UUID) async throws(EnergyError) -> Bool {
        let question = state.withLock { state -> Task<Result<Bool, EnergyError>, Never>? in
            if state.venues.value(id) == true { return nil }
            if let running = state.venueQuestions[id] { return running }
            let question = Task { await self.askForVenue(id) }
            state.venueQuestions[id] = question
            return question
        }
        guard let question else { return true }
        return try await question.value.get()
    }

    public func forget(venue id: UUID) {
        state.withLock { state in
            state.venues.remove(where: { venueID, _ in venueID == id })
            state.tokens.remove(where: { _, token in token.venueID == id })
        }
    }

    /// The one that is running, or a new one.
    private func question(_ token: UUID, _ state: inout State) -> TokenQuestion {
        if let running = state.tokenQuestions[token] { return running }
        let question = Task { await self.askForToken(token) }
        state.tokenQuestions[token] = question
        return question
    }

    private func askForToken(_ token: UUID) async -> Result<ResolvedToken?, EnergyError> {
        let answer = await existing { () async throws(EnergyError) in
            try await client.call(Methods.resolveToken, TokenReference(token: token), timeout: timeout)
        }
        state.withLock { state in
            state.tokenQuestions[token] = nil
            if case .success(let resolved?) = answer { state.tokens.set(token, resolved) }
        }
        // Not kept on disk, a token is asked for again after the next start: no reason to fail now.
        if case .success(let resolved?) = answer { try? await store?.remember(resolved) }
        return answer
    }

    private func askForVenue(_ id: UUID) async -> Result<Bool, EnergyError> {
        let answer = await existing { () async throws(EnergyError) in
            try await client.call(Methods.getVenue, .id(id), timeout: timeout)
        }.map { venue in venue.flatMap { $0.removed == nil ? $0 : nil } }
        state.withLock { state in
            state.venueQuestions[id] = nil
            if case .success(_?) = answer { state.venues.set(id, true) }
        }
        switch answer {
        case .success(let venue): try? await store?.remember(venue: id, exists: venue != nil)
        case .failure:
            // Nobody can be asked: what was true is still good.
            if (try? await store?.isKnownVenue(id)) == true {
                state.withLock { $0.venues.set(id, true) }
                return .success(true)
            }
        }
        return answer.map { $0 != nil }
    }

    /// What does not exist is an answer; any other failure means that nobody knows.
    private func existing<Value: Sendable>(
        _ question: () async throws(EnergyError) -> Value
    ) async -> Result<Value?, EnergyError> {
        do throws(EnergyError) { return .success(try await question()) } catch {
            switch error.code {
            case .notFound, .invalidInput, .outOfRange: return .success(nil)
            default:
                return .failure(
                    EnergyError(
                        .unavailable, "the guidance publisher cannot be asked now: \(error.message)",
                        retryAfterMilliseconds: max(1_000, error.retryAfterMilliseconds ?? 0)))
            }
        }
    }
}
