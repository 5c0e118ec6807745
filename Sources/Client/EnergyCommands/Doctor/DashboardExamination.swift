internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// Looks for the dashboard on this machine. Elsewhere nobody knows where it is: clients and services do not talk to it.
struct DashboardExamination {
    /// As its settings are unless somebody changes them.
    var healthPort: UInt16 = 7452
    let milliseconds: Int

    private static let subject = "energy-dashboard"

    func finding() async -> Finding {
        let answer = await withCheckedContinuation { continuation in
            // It blocks.
            Thread.detachNewThread { continuation.resume(returning: health()) }
        }
        switch answer {
        case nil: return .skipped(Self.subject, "pages", "nobody listens at port \(healthPort) of this machine")
        case let text? where text.hasSuffix("alive\n"):
            return .ok(Self.subject, "pages", "serves, at http://127.0.0.1:7450 unless its settings say otherwise")
        default:
            return .warning(
                Self.subject, "pages", "who listens at port \(healthPort) does not say that it is alive",
                "It may hang, or be another program: systemctl status gridtide-energy-dashboard, and ss -ltnp.")
        }
    }

    /// - Returns: what `/healthz` says; empty where that is nothing in time; `nil` where nobody listens.
    private func health() -> String? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = healthPort.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return nil }
        let request = Array("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return "" }
        var (answer, part) = ([UInt8](), [UInt8](repeating: 0, count: 1_024))
        while answer.count < 4_096, !answer.ends(with: "alive\n".utf8) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(clamping: milliseconds)) > 0 else { break }
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { break }
            answer += part[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate func ends(with other: String.UTF8View) -> Bool { suffix(other.count).elementsEqual(other) }
}
