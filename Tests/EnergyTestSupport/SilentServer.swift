import Foundation

/// Listens on this machine and says nothing, as a process does that is stopped. Closed with this value.
public final class SilentServer: Sendable {
    private let descriptor: Int32

    /// - Returns: `nil` where the port is taken.
    public init?(port: Int) {
        descriptor = Loopback.socket()
        let descriptor = descriptor
        guard Loopback.with(port: port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0 else {
            // From here on it is closed with this value, also when that comes to nothing.
            return nil
        }
    }

    deinit { close(descriptor) }
}
