internal import EnergyTransport
internal import Foundation
internal import ServiceEndpoints
internal import Synchronization
internal import ZeroMQ
internal import ZeroMQTransport

/// Shakes hands with whoever listens at an address, and where that fails finds out why.
struct AddressProbe: Sendable {
    /// That should be there.
    let service: ServiceKind
    let address: String
    let use: AddressUse
    /// `nil` shows no key.
    let security: ClientSecurity?
    let timeout: Duration

    let clock: any Clock<Duration>

    /// Never takes longer than twice the time, whatever the system's name resolution does.
    func state() async -> AddressState {
        await withCheckedContinuation { continuation in
            let once = Once(continuation)
            // libzmq and the name resolution block, and cannot be told to stop.
            Thread.detachNewThread { once.resume(Self.blockingState(of: self)) }
            once.alarm(
                Task {
                    try? await clock.sleep(for: timeout * 2)
                    once.resume(.silent)
                })
        }
    }

    private var milliseconds: Int { Int(timeout / .milliseconds(1)) }
    /// A healthy service shakes hands at once; who does not is looked at before all the time is spent.
    private static let firstLookMilliseconds = 300

    private static func blockingState(of probe: AddressProbe) -> AddressState {
        let keys: [CurveKey?] = probe.security?.serverKeys().map(Optional.some) ?? [nil]
        let first = min(firstLookMilliseconds, probe.milliseconds)
        let news = probe.handshakes(keys, milliseconds: first)
        if news == .connected { return probe.use == .publications ? probe.publications(keys) : .open }
        let look = ListenerProbe(address: probe.address, milliseconds: min(1_000, probe.milliseconds)).listener()
        switch look {
        case .unknownName(let host): return .unknownName(host)
        case .nobody: return .nobody
        case .silent: return .silent
        case .unreachable(let reason): return .unreachable(reason)
        case .otherProgram: return .otherProgram
        case .speaksZeroMQ(let mechanism): return probe.state(mechanism, news, keys)
        }
    }

    private func publications(_ keys: [CurveKey?]) -> AddressState {
        let probe = PublisherProbe(address: address, security: security, milliseconds: milliseconds)
        let publisher = keys.lazy.compactMap { try? probe.publisher($0) }.first
        return publisher.map { $0 == service ? .open : .otherPublisher($0) } ?? .open
    }

    private func state(
        _ mechanism: String, _ news: SocketMonitor.Event?, _ keys: [CurveKey?]
    ) -> AddressState {
        switch (mechanism == "CURVE", security != nil) {
        case (true, false): return .demandsKey
        case (false, true): return .demandsNoKey
        default: break
        }
        // Far away a handshake takes its time.
        switch news ?? handshakes(keys, milliseconds: milliseconds) {
        case .connected: return .open
        case .notAdmitted: return .notAdmitted
        case .refused where security != nil: return .otherKey
        default: return .otherUse
        }
    }

    /// With each key that the service may have, until one is let in.
    private func handshakes(_ keys: [CurveKey?], milliseconds: Int) -> SocketMonitor.Event? {
        var news: SocketMonitor.Event?
        for key in keys {
            let next = try? handshake(key, milliseconds: milliseconds)
            if next == .connected { return next }
            // That a key was heard says more than that another was not.
            if news != .notAdmitted, let next { news = next }
            if next == nil { break }
        }
        return news
    }

    private func handshake(_ serverKey: CurveKey?, milliseconds: Int) throws(ZeroMQError) -> SocketMonitor.Event? {
        // Its own: one that waits for a name would hold up everybody's.
        let context = try Context()
        let socket = try Socket(use == .requests ? .dealer : .sub, context: context)
        try socket.set(.linger, 0)
        if let security, let serverKey { try socket.present(security.keys, to: serverKey) }
        let monitor = try SocketMonitor(.connection, of: socket, context: context)
        defer { socket.stopMonitoring() }
        try socket.connect(address)
        return try monitor.wait(for: [.connected, .refused, .notAdmitted], timeoutMs: milliseconds)
    }
}

/// The first of two answers; the other's alarm is not waited for.
private final class Once: Sendable {
    private struct State {
        var continuation: CheckedContinuation<AddressState, Never>?
        var alarm: Task<Void, Never>?
    }
    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<AddressState, Never>) { state = Mutex(State(continuation: continuation)) }

    func alarm(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.alarm = task
            return state.continuation == nil
        }
        if isOver { task.cancel() }
    }

    func resume(_ answer: AddressState) {
        let waiting = state.withLock { state in
            defer { state.continuation = nil }
            state.alarm?.cancel()
            return state.continuation
        }
        waiting?.resume(returning: answer)
    }
}
