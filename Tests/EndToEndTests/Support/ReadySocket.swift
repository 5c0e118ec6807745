import Foundation

/// Listens, as systemd would, for a service to say that it is ready.
final class ReadySocket: Sendable {
    let path: String
    private let descriptor: Int32
    /// Connected to the other, so that the end can be told when the path is gone already.
    private let end: Int32
    private let messages: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation

    init(path: String) throws {
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0, ReadySocket.withAddress(path, { [descriptor] in bind(descriptor, $0, $1) }) == 0 else {
            throw HarnessError("no socket at \(path): \(String(cString: strerror(errno)))")
        }
        end = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard end >= 0, ReadySocket.withAddress(path, { [end] in connect(end, $0, $1) }) == 0 else {
            throw HarnessError("no way to \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
        (messages, sink) = AsyncStream<String>.makeStream()
        Thread { [descriptor, sink] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                // An empty message is our own: the process is gone.
                guard count > 0 else { break }
                sink.yield(String(decoding: buffer[..<count], as: UTF8.self))
            }
            sink.finish()
            close(descriptor)
        }.start()
    }

    /// Waits for `READY=1`.
    ///
    /// - Returns: `false` when the process ended without saying so.
    func isReady() async -> Bool {
        for await message in messages where message.split(separator: "\n").contains("READY=1") { return true }
        return false
    }

    deinit { close(end) }

    /// Ends the wait.
    func finish() { _ = send(end, "", 0, Int32(MSG_DONTWAIT)) }

    private static func withAddress<Value>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
