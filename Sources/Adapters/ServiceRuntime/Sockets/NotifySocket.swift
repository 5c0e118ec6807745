internal import Foundation

/// Tells systemd how the service is, by its datagram protocol.
///
/// - Source: sd_notify(3), section "Notes": the protocol is stable and may be spoken without the library.
struct NotifySocket: Sendable {
    private let path: String
    /// Half the time within which systemd wants a sign of life; `nil` if it wants none.
    let watchdogInterval: Duration?

    /// - Returns: `nil` when nobody asked to be notified.
    init?(_ environment: [String: String], processID: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            2...107 ~= path.utf8.count
        else { return nil }
        self.path = path
        let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == processID } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 1 ? $0 : nil }
        watchdogInterval = isForUs ? microseconds.map { .microseconds($0 / 2) } : nil
    }

    func ready() { send("READY=1\nMAINPID=\(getpid())") }
    func stopping() { send("STOPPING=1") }
    func alive() { send("WATCHDOG=1") }
    func status(_ text: String) { send("STATUS=\(text)") }

    /// A message that cannot be delivered is lost: the service works without its supervisor.
    private func send(_ message: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // A leading '@' stands for the zero byte of the abstract namespace, whose names end where the length says.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + name.count } ?? 0
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL), address, socklen_t(length))
            }
        }
    }
}
