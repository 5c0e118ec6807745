internal import EnergyTransport
internal import Foundation
internal import ServiceEndpoints
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
        let handshake = probe.handshakes(keys, milliseconds: first)
        if handshake.news == .connected {
            return probe.use == .publications ? probe.publications(handshake.key) : .open
        }
        let look = ListenerProbe(address: probe.address, milliseconds: min(1_000, probe.milliseconds)).listener()
        switch look {
        case .unknownName(let host): return .unknownName(host)
        case .nobody: return .nobody
        case .silent: return .silent
        case .unreachable(let reason): return .unreachable(reason)
        case .otherProgram: return .otherProgram
        case .speaksZeroMQ(let mechanism): return probe.state(mechanism, handshake.news, keys)
        }
    }

    /// Asks once: how many topics a publisher tells within a second is limited, and another question may hear of none.
    ///
    /// - Parameter serverKey: that was let in.
    private func publications(_ serverKey: CurveKey?) -> AddressState {
        let probe = PublisherProbe(address: address, security: security, milliseconds: milliseconds)
        guard let publisher = try? probe.publisher(serverKey), publisher != service else { return .open }
        return .otherPublisher(publisher)
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
        switch news ?? handshakes(keys, milliseconds: milliseconds).news {
        case .connected: return .open
        case .notAdmitted: return .notAdmitted
        case .refused where security != nil: return .otherKey
        default: return .otherUse
        }
    }

    private struct Handshake {
        /// `nil` where none came within the time.
        var news: SocketMonitor.Event?
        /// The service's, where it let us in; `nil` without keys.
        var key: CurveKey?
    }

    /// With each key that the service may have, until one is let in.
    private func handshakes(_ keys: [CurveKey?], milliseconds: Int) -> Handshake {
        var news: SocketMonitor.Event?
        for key in keys {
            let next = try? handshake(key, milliseconds: milliseconds)
            if next == .connected { return Handshake(news: next, key: key) }
            // That a key was heard says more than that another was not.
            if news != .notAdmitted, let next { news = next }
            if next == nil { break }
        }
        return Handshake(news: news)
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
