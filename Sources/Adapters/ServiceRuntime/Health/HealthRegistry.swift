internal import Synchronization

/// What a process says about the services that it answers for. `""` stands for the whole process: it serves when all
/// of its services do.
public final class HealthRegistry: Sendable {
    public struct Health: Hashable, Sendable {
        public let isServing: Bool
        /// For people: why it does not serve; of one that serves, what it does without. Empty when all is well.
        public let reason: String

        public static let serving = Health(isServing: true, reason: "")
        static func serving(without note: String) -> Health { Health(isServing: true, reason: note) }
        public static func notServing(_ reason: String) -> Health { Health(isServing: false, reason: reason) }
    }

    /// Of all services together; one more gets the stream that ends at once.
    public static let watchersMax = 256

    private struct Watcher {
        let service: String
        var last: Health?
        let continuation: AsyncStream<Health?>.Continuation
    }
    private struct State {
        var services: [String: Health] = [:]
        /// What services that serve do without.
        var notes: [String: String] = [:]
        var left: String?
        var isStoreAway = false
        var isStoreAwaited = false
        var stopping: String?
        var watchers: [Int: Watcher] = [:]
        var nextID = 0
    }
    private let state = Mutex(State())

    /// - Parameter services: full names, for example `energy.v1.Events`. None serves yet.
    public init(services: [String]) {
        state.withLock { state in
            for service in services { state.services[service] = Self.starting }
        }
    }

    public func set(_ service: String, _ health: Health) {
        update { $0.services[service] = health }
    }

    /// Says what a service does without while it serves, for example a signal source; `nil` takes it back.
    public func note(_ service: String, _ text: String?) {
        update { $0.notes[service] = text.map { String($0.prefix(Self.noteLengthMax)) } }
    }

    private static let noteLengthMax = 1_000

    /// Marks each service that is still starting as serving.
    func started() {
        update { state in
            for (name, health) in state.services where health == Self.starting { state.services[name] = .serving }
        }
    }

    private static let storeAway = "its store cannot be reached now; the log says why"
    private static let starting = Health.notServing("is starting")

    /// From now on nothing serves, whatever is set. Watchers hear it as their last: a watch that went on would be a call
    /// in flight, and draining waits for those.
    func stop(_ reason: String) {
        update { $0.stopping = reason }
        let watchers = state.withLock { state in
            defer { state.watchers = [:] }
            return state.watchers
        }
        for watcher in watchers.values { watcher.continuation.finish() }
    }

    /// - Returns: `nil` for a service that this process does not have.
    public func check(_ service: String) -> Health? { state.withLock { Self.health(of: service, $0) } }

    /// Sorted by name, without the whole process.
    public func list() -> [(service: String, health: Health)] {
        state.withLock { state in
            state.services.keys.sorted().map { ($0, Self.health(of: $0, state) ?? .notServing("")) }
        }
    }

    /// What the process leaves to another replica, for people; `nil` is nothing. It serves all the same.
    var left: String? {
        get { state.withLock(\.left) }
        set { state.withLock { $0.left = newValue } }
    }

    /// While its store is away nothing of the process serves.
    func storeIsAway(_ isAway: Bool) { update { $0.isStoreAway = isAway } }

    /// While its store is away nothing of the process can start.
    func storeIsAwaited(_ isAwaited: Bool) { update { $0.isStoreAwaited = isAwaited } }

    /// The present health and then each change, until the process stops; a slow reader sees the latest only. `nil` is a service that this
    /// process does not have.
    public func changes(of service: String) -> AsyncStream<Health?> {
        let (stream, continuation) = AsyncStream<Health?>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            guard state.watchers.count < Self.watchersMax else { return nil }
            let present = Self.health(of: service, state)
            guard state.stopping == nil else {
                continuation.yield(present)
                return nil
            }
            state.nextID += 1
            state.watchers[state.nextID] = Watcher(service: service, last: present, continuation: continuation)
            continuation.yield(present)
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
        }
        return stream
    }

    private func update(_ change: (inout State) -> Void) {
        // Yielding under the lock keeps the order of changes; it never calls back into this class, because only
        // finishing runs `onTermination`.
        state.withLock { state in
            change(&state)
            for (id, watcher) in state.watchers {
                let present = Self.health(of: watcher.service, state)
                guard present != watcher.last else { continue }
                state.watchers[id]?.last = present
                watcher.continuation.yield(present)
            }
        }
    }

    private static func health(of service: String, _ state: State) -> Health? {
        if let reason = state.stopping, service.isEmpty || state.services[service] != nil { return .notServing(reason) }
        guard service.isEmpty else {
            guard let health = state.services[service] else { return nil }
            if health.isServing ? state.isStoreAway : state.isStoreAwaited && health == starting {
                return .notServing(storeAway)
            }
            guard health.isServing, let note = state.notes[service] else { return health }
            return .serving(without: note)
        }
        if state.isStoreAway { return .notServing(storeAway) }
        let failing = state.services.filter { !$0.value.isServing }.sorted { $0.key < $1.key }
        if state.isStoreAwaited, failing.contains(where: { $0.value == starting }) { return .notServing(storeAway) }
        guard !failing.isEmpty else {
            let notes = state.notes.sorted { $0.key < $1.key }.map(\.value)
            return notes.isEmpty ? .serving : .serving(without: notes.joined(separator: "; "))
        }
        return .notServing(failing.map { "\($0.key) \($0.value.reason)" }.joined(separator: "; "))
    }
}
