import EnergyTestSupport
import Foundation
import Glibc

/// A port of this machine that is taken, so that no other test gets it, and at which nobody listens.
final class RefusedPort: Sendable {
    let url: String
    private let descriptor: Int32

    init() throws {
        let (descriptor, port) = try Loopback.bound()
        self.descriptor = descriptor
        url = "http://127.0.0.1:\(port)"
    }

    deinit { close(descriptor) }
}
