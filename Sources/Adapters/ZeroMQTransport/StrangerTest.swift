internal import EnergyTransport
internal import ZeroMQ

/// Tries to get in with a key that was made for it, and that nobody knows. libzmq lets everybody in when a socket's keys are demanded but nobody
/// answers for them; a mistake of that kind must show at the start, not when it is used.
enum StrangerTest {
    private static let timeoutMs = 3_000

    /// - Throws: `failedPrecondition` unless the stranger is refused.
    static func run(
        at address: String, isPublishing: Bool, as stranger: CurveKeyPair, serverKey: CurveKey
    ) throws(CallFailure) {
        let reachable = address.replacing("://0.0.0.0:", with: "://127.0.0.1:").replacing("://[::]:", with: "://[::1]:")
        let event: SocketMonitor.Event?
        do throws(ZeroMQError) {
            // A context of its own: in the server's, inproc and the doorkeeper are near.
            let context = try Context()
            let socket = try Socket(isPublishing ? .sub : .dealer, context: context)
            try socket.set(.linger, 0)
            try socket.present(stranger, to: serverKey)
            let monitor = try SocketMonitor(.connection, of: socket, context: context)
            defer { socket.stopMonitoring() }
            try socket.connect(reachable)
            event = try monitor.wait(for: [.connected, .refused, .notAdmitted], timeoutMs: timeoutMs)
        } catch {
            throw CallFailure(.failedPrecondition, "\(address) could not be tested for strangers: \(error.reason)")
        }
        guard event == .refused || event == .notAdmitted else {
            throw CallFailure(
                .failedPrecondition,
                event == .connected
                    ? "\(address) lets in a client that nobody knows; this libzmq cannot be used with keys"
                    : "\(address) did not answer a test connection within \(timeoutMs) ms")
        }
    }
}
