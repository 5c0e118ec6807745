internal import Glibc
internal import ZeroMQ

/// Who is connected to a bound address, as far as it takes to say who broke off a handshake.
///
/// libzmq tells of a failed handshake, and right after it the file descriptor of the connection that ended. Whose that was
/// has to be asked when it begins: then it is still open, unless many come and go at once. Under a flood an address may
/// therefore be wrong or missing; the count is right.
struct Visitors {
    private static let countMax = 65_536
    static let unknown = "unknown"

    private var addresses: [Int32: String] = [:]
    /// A handshake has failed, and the end of its connection comes next.
    private var isFailing = false

    /// - Returns: the addresses of those whose handshake failed since the last time.
    mutating func takeFailed(of monitor: borrowing SocketMonitor) -> [String] {
        var failed: [String] = []
        while let event = try? monitor.next() {
            switch event {
            case .accepted(let descriptor):
                if addresses.count < Self.countMax { addresses[descriptor] = Self.address(of: descriptor) }
            case .refused:
                // Sometimes told twice of one connection.
                isFailing = true
            case .ended(let descriptor):
                let address = addresses.removeValue(forKey: descriptor) ?? Self.unknown
                if isFailing { failed.append(address) }
                isFailing = false
            case .closed, .connected, .disconnected, .notAdmitted: break
            }
        }
        return failed
    }

    /// As ZAP says it: an IP address, or `localhost:uid:gid:pid`.
    private static func address(of descriptor: Int32) -> String? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) == 0 }
        }
        guard isKnown else { return nil }
        if Int32(address.ss_family) == AF_UNIX { return process(behind: descriptor) }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let isNamed = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo($0, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        return isNamed ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func process(behind descriptor: Int32) -> String? {
        // The C library's `ucred`, which its header hides from Swift.
        var owner: (pid: pid_t, uid: uid_t, gid: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: owner))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &owner, &size) == 0 else { return nil }
        return "localhost:\(owner.uid):\(owner.gid):\(owner.pid)"
    }
}
