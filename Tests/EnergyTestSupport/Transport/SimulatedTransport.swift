internal import EnergyTransport
internal import Foundation

/// A network in virtual time that delays, drops, duplicates and reorders frames and breaks connections, as its seed
/// says. The same seed does the same again.
///
/// ``run(_:)`` is the whole world: the test's body, the handlers and the network take turns on one thread, and time
/// passes only when nobody has anything left to do.
public final class SimulatedTransport: TransportUnderTest {
    /// Chances are per frame.
    public struct Faults: Sendable {
        public var delay: ClosedRange<Duration> = .microseconds(50)...(.milliseconds(5))
        public var dropChance = 0.0
        public var duplicateChance = 0.0
        /// Frames may overtake each other.
        public var isReordering = false
        /// The connection that carries the frame breaks; what is under way on it is lost.
        public var breakChance = 0.0
        /// Faults stop at this time, so that what should heal can.
        public var end: Duration = .seconds(1_000_000)

        public init() {}
        public static let none = Faults()
    }

    /// Nobody can do anything any more, or a day has passed, and the body has not returned.
    public struct Stuck: Error {}

    private static let end = MonotonicTime(nanoseconds: 86_400_000_000_000)

    enum Event {
        case toServer([UInt8])
        case toClient([UInt8])
        case publication(topic: [UInt8], [UInt8])
        case subscription(String)
        case unsubscription(String)
        case connect
        case wake(CheckedContinuation<Void, Never>)
    }

    struct Scheduled {
        let time: MonotonicTime
        let order: UInt64
        let client: Int
        /// Of the client when it was sent: events of a connection that broke are lost.
        let connection: UInt64
        let event: Event
    }

    struct Client {
        let endpoint: ClientEndpoint
        /// The server's name for the connection; 0 when there is none.
        var connection: UInt64 = 0
        var prefixes: [String] = []
        /// Those of `prefixes` that have arrived at the server.
        var served: [String] = []
        var lastToServer = MonotonicTime(nanoseconds: 0)
        var lastToClient = MonotonicTime(nanoseconds: 0)
    }

    struct State {
        var now = MonotonicTime(nanoseconds: 0)
        var random: SplitMix64
        var events: [Scheduled] = []
        var lastOrder: UInt64 = 0
        var server: ServerEndpoint?
        var clients: [Client] = []
        var lastConnection: UInt64 = 0
        /// Mixes in everything that was delivered, and when.
        var trace: UInt64 = 0
        var isLosingFrames = false
    }

    let executor = SimulationExecutor()
    let state: Locked<State>
    public let faults: Faults

    public init(seed: UInt64, faults: Faults = .none) {
        self.faults = faults
        state = Locked(State(random: SplitMix64(seed: seed)))
    }

    /// Equal for two runs that did the same.
    public var trace: UInt64 { state.withLock(\.trace) }

    /// From now on every frame is lost, or none but by chance.
    public func loseFrames(_ isLosing: Bool) { state.withLock { $0.isLosingFrames = isLosing } }

    /// Returns when so much virtual time has passed.
    public func sleep(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                Self.schedule(.wake(continuation), client: -1, at: state.now.advanced(by: duration), &state)
            }
        }
    }

    // MARK: The world

    /// Runs the body to its end, on a thread of its own: it is never idle, and others need the shared ones.
    ///
    /// - Throws: what the body throws, or ``Stuck``.
    public func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try self.runHere(body) }) }.start()
        }
    }

    private func runHere(_ body: @escaping @Sendable () async throws -> Void) throws {
        let result = Locked<Result<Void, any Error>?>(nil)
        Task(executorPreference: executor) {
            do {
                try await body()
                result.withLock { $0 = .success(()) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        while true {
            _ = executor.runAll()
            if let result = result.withLock({ $0 }) {
                finish()
                return try result.get()
            }
            let next = tick()
            if collect() || executor.runAll() { continue }
            guard deliverNext(orTimerAt: next), state.withLock({ $0.now < Self.end }) else {
                finish()
                throw Stuck()
            }
        }
    }

    /// Lets whoever still waits end, so that no continuation is lost.
    private func finish() {
        let (server, clients) = state.withLock { ($0.server, $0.clients) }
        server?.close()
        for client in clients { client.endpoint.close() }
        while executor.runAll() {}
    }

    private func tick() -> MonotonicTime {
        let (server, clients) = state.withLock { ($0.server, $0.clients) }
        var next = server?.tick() ?? .distantFuture
        for client in clients { next = min(next, client.endpoint.tick()) }
        return next
    }

    /// - Returns: `false` when nothing will ever happen again.
    private func deliverNext(orTimerAt timer: MonotonicTime) -> Bool {
        let due = state.withLock { state -> Scheduled?? in
            let index = state.events.indices.min {
                (state.events[$0].time, state.events[$0].order) < (state.events[$1].time, state.events[$1].order)
            }
            guard let index, state.events[index].time <= timer else {
                guard timer != .distantFuture else { return .none }
                state.now = max(state.now, timer)
                return .some(nil)
            }
            let event = state.events.remove(at: index)
            state.now = max(state.now, event.time)
            return event
        }
        guard let due else { return false }
        if let event = due { deliver(event) }
        return true
    }
}
